package cert

import "slices"

// This file judges the blocks of a relation, one after the other.
//
// Promise: the states of a block are exactly the states that packets to its destinations reach from
// their injection, and the facts describe them.
// Cost: linear in states and next hops. Memory: four bytes for each VC and class, and about 40 for
// each state and hop of the largest block.

// The targets of next hops that are no states.
const (
	toEnd   = -1 // the destination's own ejection channel
	toWrong = -2 // another ejection channel
)

// mostClasses is the largest number of classes for which the places of states are in a list.
const mostClasses = 64

// reach judges one block at a time.
type reach struct {
	*relation
	orders  []order
	escapes *escapeOrder // if nil, no claim rests on an escape
	images  []symmetry
	deps    *dependencies // with symmetries, the dependencies; otherwise nil
	orbit   int64         // the number of sets of destinations that the block stands for
	asked   []bool        // by VC between switches: an escape hop leads there
	facts   facts
	several [2]bool // by flag of commits: a state with several next hops has it
	covered []int32 // the destinations of the blocks so far
	*Block
	inside  []int32         // endpoints of the destinations, ascending
	at      int32           // the switch of these endpoints
	place   []int32         // by VC and class: 1 + its state in the block, or 0
	rare    map[State]int32 // the same, if there are too many classes for a list
	sends   []int8          // by endpoint: 1 if it sends to the block, 2 if a packet of it can get lost, else 0
	read    int             // states that have a place
	first   []int32         // by state: the place of its first next hop; and one more
	to      []int32         // by next hop: its state, or toEnd or toWrong
	left    []unsorted      // by state
	sorted  []int32         // the states in topological order, without those that packets can come back to or reach after these
	queue   []int32         // work
	mark    []bool          // work
	before  []int32         // the states with a hop to a state, grouped by that state as firstIn says
	firstIn []int32         // by state: its place in before; and one more
	stuck   []int32         // work: states without a path to the destination
	starts  []int32         // the states on injection channels
	least   []int32         // work of escape: by state, the least rank that it can request
	by      []int32         // work of checkRequests: by rank, the first escape hop to its VC
	then    []int32         // work of checkRequests: by hop, the next escape hop to the same VC
	source  []int32         // work of checkRequests: by hop, its state
}

// unsorted is a state while the states are put in topological order.
type unsorted struct {
	into  int32 // the hops into it from states that are not sorted yet
	depth int32 // the most switches that a packet passes before it
}

func newReach(r *relation, orders []order, escapes *escapeOrder, images []symmetry) *reach {
	s := &reach{relation: r, orders: orders, escapes: escapes, images: images, facts: facts{loops: -1}}
	if len(images) > 0 {
		s.deps = newDependencies(r)
	}
	if vcs := int(r.VCs) * len(r.Head); r.Classes <= mostClasses {
		s.place = make([]int32, vcs*r.Classes)
	} else {
		s.rare = map[State]int32{}
	}
	s.sends = make([]int8, r.Endpoints)
	if escapes != nil {
		s.asked, s.by = make([]bool, r.LinkVCs()), make([]int32, r.LinkVCs())
	}
	return s
}

// judge judges a block.
func (s *reach) judge(b *Block) error {
	s.Block = b
	defer s.forget()
	for _, step := range []func() error{s.checkDestinations, s.checkLists, s.readStates, s.resolve, s.order, s.escape, s.collectWorms} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checkDestinations judges the destinations, and finds their endpoints.
func (s *reach) checkDestinations() error {
	if len(s.Block.Destinations) == 0 {
		return Reject("subject", "a block without a destination")
	}
	s.inside = s.inside[:0]
	for i, d := range s.Block.Destinations {
		switch {
		case d < 0 || int(d) >= len(s.relation.Destinations):
			return Reject("subject", "a block with destination %d of %d", d, len(s.relation.Destinations))
		case i > 0 && s.Block.Destinations[i-1] >= d:
			return Reject("subject", "a block with destination %d after %d", d, s.Block.Destinations[i-1])
		}
		s.inside = append(s.inside, s.relation.Destinations[d])
	}
	if s.flows != nil && len(s.inside) > 1 {
		return Reject("subject", "flows, and a block with %d destinations", len(s.inside))
	}
	s.at = s.Head[s.Injection(s.inside[0])]
	slices.Sort(s.inside)
	for i, e := range s.inside {
		if s.Head[s.Injection(e)] != s.at || i > 0 && s.inside[i-1] == e {
			return Reject("subject", "the block of destination %d: its destinations are not at different endpoints of one switch", s.Block.Destinations[0])
		}
	}
	if s.orbit = 1; s.images == nil {
		s.covered = append(s.covered, s.Block.Destinations...)
		return nil
	}
	o, err := orbitOf(s.images, s.Block.Destinations)
	if err != nil {
		return err
	}
	s.orbit = int64(len(o.sets))
	for _, set := range o.sets {
		s.covered = append(s.covered, set...)
	}
	return nil
}

// checkLists judges the lengths of the lists.
func (s *reach) checkLists() error {
	hops := int64(0)
	for i, k := range s.Counts {
		if k < 0 || hops+int64(k) > int64(len(s.Hops)) {
			return Reject("subject", "state %d to destination %d: %d next hops are more than there are numbers left", i, s.firstDest(), k)
		}
		hops += int64(k)
	}
	classes, hopClasses, commits, escape := len(s.VCs), len(s.Hops), 0, 0
	if s.relation.Classes == 1 {
		classes, hopClasses = 0, 0
	}
	if s.mixed {
		commits = len(s.VCs)
		if err := s.checkCommits(); err != nil {
			return err
		}
	}
	if s.escapes != nil {
		escape = len(s.Hops)
	}
	for _, x := range []struct {
		name      string
		got, want int
	}{{"counts", len(s.Counts), len(s.VCs)}, {"hops", len(s.Hops), int(hops)}, {"classes", len(s.Block.Classes), classes},
		{"hop_classes", len(s.HopClasses), hopClasses}, {"commits", len(s.Block.Commits), commits}, {"escape", len(s.Escape), escape}} {
		if x.got != x.want {
			return Reject("subject", "%s to destination %d: %d numbers, not %d", x.name, s.firstDest(), x.got, x.want)
		}
	}
	return nil
}

// checkCommits judges the flags of states that wait for one next hop.
func (s *reach) checkCommits() error {
	for i, flag := range s.Block.Commits[:min(len(s.Block.Commits), len(s.Counts))] {
		switch hops := s.Counts[i]; {
		case flag != 0 && flag != 1:
			return Reject("subject", "commits: flag %d of state %d to destination %d", flag, i, s.firstDest())
		case hops > 1:
			s.several[flag] = true
		case flag == 1:
			return Reject("subject", "commits: state %d to destination %d has %d next hops, so nothing is chosen there", i, s.firstDest(), hops)
		}
	}
	return nil
}

// firstDest returns the first destination of the block, for messages.
func (s *reach) firstDest() int32 { return s.Block.Destinations[0] }

// key returns VC and class of state i.
func (s *reach) key(i int) State { return State{s.VCs[i], class(s.Block.Classes, i)} }

// readStates judges the states, and notes the place of each.
func (s *reach) readStates() error {
	classes := int32(s.relation.Classes)
	s.first = append(s.first[:0], 0)
	s.starts = s.starts[:0]
	for i, vc := range s.VCs {
		k := class(s.Block.Classes, i)
		if vc < 0 || int(vc/s.relation.VCs) >= len(s.Head) {
			return Reject("subject", "state %d to destination %d: VC %d enters no switch", i, s.firstDest(), vc)
		}
		if k < 0 || k >= classes {
			return Reject("subject", "state %d to destination %d: class %d of %d", i, s.firstDest(), k, classes)
		}
		if s.locate(vc, k) >= 0 {
			return Reject("subject", "%v, to destination %d, is there twice", s.key(i), s.firstDest())
		}
		s.put(vc, k, int32(i)+1)
		s.read++
		s.first = append(s.first, s.first[i]+s.Counts[i])
		if int(vc) >= s.LinkVCs() {
			if err := s.readStart(i); err != nil {
				return err
			}
			s.starts = append(s.starts, int32(i))
		}
	}
	return nil
}

// readStart judges state i, on an injection channel.
func (s *reach) readStart(i int) error {
	vc := s.VCs[i]
	e := vc/s.relation.VCs - s.links
	switch {
	case vc%s.relation.VCs != 0 || int(e) >= s.Sources || !s.talks(e, s.firstDest()):
		return Reject("subject", "no packet to destination %d can reach %v", s.firstDest(), s.key(i))
	case !s.isInside(e):
		return nil
	case len(s.inside) == 1:
		return Reject("subject", "%s sends to itself, destination %d", s.EndpointName(e), s.firstDest())
	}
	for _, h := range s.Hops[s.first[i]:s.first[i+1]] {
		if h != Home {
			return Reject("subject", "%s, at the switch of destination %d, sends to VC %d, in a block with several destinations",
				s.EndpointName(e), s.firstDest(), h)
		}
	}
	return nil
}

// isInside reports whether endpoint e has a destination of the block.
func (s *reach) isInside(e int32) bool {
	if s.Head[s.Injection(e)] != s.at {
		return false
	}
	_, ok := slices.BinarySearch(s.inside, e)
	return ok
}

// locate returns the state of the block on a VC into a switch, with a class in range, or -1.
func (s *reach) locate(vc, k int32) int32 {
	if s.rare != nil {
		return s.rare[State{vc, k}] - 1
	}
	return s.place[int(vc)*s.relation.Classes+int(k)] - 1
}

func (s *reach) put(vc, k, place int32) {
	if s.rare != nil {
		s.rare[State{vc, k}] = place
		return
	}
	s.place[int(vc)*s.relation.Classes+int(k)] = place
}

// forget clears the places of the states that readStates has read.
func (s *reach) forget() {
	clear(s.rare)
	for i := range s.read {
		if s.place != nil {
			s.put(s.VCs[i], class(s.Block.Classes, i), 0)
		}
	}
	s.read = 0
}

// resolve finds the states that the next hops lead to, and compares the dependencies with the orders.
func (s *reach) resolve() error {
	s.to = resized(s.to, len(s.Hops))
	s.left = resized(s.left, len(s.VCs))
	classes, links := int32(s.relation.Classes), int32(s.LinkVCs())
	for i, vc := range s.VCs {
		u := s.Head[vc/s.relation.VCs]
		for j := s.first[i]; j < s.first[i+1]; j++ {
			h, k := s.Hops[j], class(s.HopClasses, int(j))
			if k < 0 || k >= classes {
				return Reject("subject", "state %d to destination %d: next hop with class %d of %d", i, s.firstDest(), k, classes)
			}
			if h >= 0 && h < links {
				if s.Head[h/s.relation.VCs^1] != u {
					return s.notAt(i, u, h)
				}
				to := s.locate(h, k)
				if to < 0 {
					return Reject("subject", "states lack %v, to destination %d, a next hop of %v", State{h, k}, s.firstDest(), s.key(i))
				}
				s.to[j] = to
				s.left[to].into++
				continue
			}
			if h == Home {
				if u != s.at {
					return Reject("subject", "state %d is at switch %d, which the ejection channel of destination %d does not leave", i, u, s.firstDest())
				}
				s.to[j] = toEnd
				continue
			}
			if from, ok := s.tail(h); !ok || from != u {
				return s.notAt(i, u, h)
			}
			switch {
			case !s.isInside(h/s.relation.VCs - s.Ejection(0)):
				s.to[j] = toWrong
			case len(s.inside) > 1 || h%s.relation.VCs == 0:
				return Reject("subject", "state %d to destination %d: VC %d is the ejection channel of a destination, so written as %d",
					i, s.firstDest(), h, Home)
			default:
				s.to[j] = toEnd
			}
		}
		if vc < links && s.deps != nil {
			s.deps.addAll(vc, s.Hops[s.first[i]:s.first[i+1]])
		} else if vc < links {
			for j := range s.orders {
				if err := s.obeys(&s.orders[j], vc, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *reach) notAt(i int, u, h int32) error {
	return Reject("subject", "state %d is at switch %d, which VC %d does not leave", i, u, h)
}

// obeys compares the next hops of state i, on VC x between switches, with one order. A packet without a
// next hop is dropped, so it waits for nothing.
func (s *reach) obeys(o *order, x int32, i int) error {
	hops, every := s.Hops[s.first[i]:s.first[i+1]], o.every || s.commitsAt(i)
	for _, y := range hops {
		rises := y == Home || int(y) >= s.LinkVCs() || o.ranks[x] < o.ranks[y]
		if rises && !every {
			return nil
		}
		if !rises && every {
			return Reject(o.claim, "rank of VC %d is not below that of VC %d, which a packet to destination %d may take next", x, y, s.firstDest())
		}
	}
	if len(hops) > 0 && !every {
		return Reject(o.claim, "a packet to destination %d on VC %d may take VC %d next, but none that is ejection or of greater rank",
			s.firstDest(), x, hops[0])
	}
	return nil
}

// commitsAt reports whether packets in state i wait for one next hop.
func (s *reach) commitsAt(i int) bool { return s.one || s.mixed && s.Block.Commits[i] == 1 }

// after returns the targets of the next hops of state i.
func (s *reach) after(i int32) []int32 { return s.to[s.first[i]:s.first[i+1]] }

// order removes states in topological order (Kahn 1962). If all are removed, no packet can come back
// to a state. If besides each state that no hop leads to is one of injection, every state is reachable:
// its predecessors, backwards, end at injection. A packet in a state passes one switch, also if it is dropped there.
func (s *reach) order() error {
	s.sorted = s.sorted[:0]
	good := true
	for i := range s.left {
		switch {
		case s.left[i].into != 0:
		case int(s.VCs[i]) < s.LinkVCs():
			return s.unreached(i)
		default:
			s.sorted = append(s.sorted, int32(i))
		}
	}
	for q := 0; q < len(s.sorted); q++ {
		i := s.sorted[q]
		next, depth := s.after(i), s.left[i].depth+1
		s.facts.hops = max(s.facts.hops, int64(depth))
		good = good && len(next) > 0
		for _, to := range next {
			if to < 0 {
				good = good && to == toEnd
				continue
			}
			x := &s.left[to]
			x.depth = max(x.depth, depth)
			if x.into--; x.into == 0 {
				s.sorted = append(s.sorted, to)
			}
		}
	}
	if len(s.sorted) < len(s.VCs) {
		good = false
		if d := int(s.firstDest()); s.facts.loops < 0 || d < s.facts.loops {
			s.facts.loops = d
		}
		if err := s.reachAll(); err != nil {
			return err
		}
	}
	s.mark = resized(s.mark, len(s.VCs))
	if !good {
		s.markLosing()
	}
	s.countPairs()
	return nil
}

func (s *reach) unreached(i int) error {
	return Reject("subject", "no packet to destination %d can reach %v", s.firstDest(), s.key(i))
}

// reachAll rejects a block that lists an unreachable state.
func (s *reach) reachAll() error {
	s.fresh()
	for _, i := range s.starts {
		s.visit(i)
	}
	for n := 0; n < len(s.queue); n++ {
		for _, to := range s.after(s.queue[n]) {
			if to >= 0 {
				s.visit(to)
			}
		}
	}
	if i := slices.Index(s.mark, false); i >= 0 {
		return s.unreached(i)
	}
	return nil
}

// fresh clears queue and mark.
func (s *reach) fresh() {
	s.queue = s.queue[:0]
	s.mark = resized(s.mark, len(s.VCs))
}

// visit marks state i and appends it to the queue, unless it is marked.
func (s *reach) visit(i int32) {
	if !s.mark[i] {
		s.mark[i] = true
		s.queue = append(s.queue, i)
	}
}

// reverse fills before and firstIn: for each state, the states with a next hop to it. It uses
// the hops that keep accepts.
func (s *reach) reverse(keep func(hop int) bool) {
	n := len(s.VCs)
	s.firstIn = resized(s.firstIn, n+2) // shifted by one while the list is filled
	for k, to := range s.to {
		if to >= 0 && keep(k) {
			s.firstIn[to+2]++
		}
	}
	for i := range n {
		s.firstIn[i+2] += s.firstIn[i+1]
	}
	s.before = resized(s.before, int(s.firstIn[n+1]))
	for i := range n {
		for k := s.first[i]; k < s.first[i+1]; k++ {
			if to := s.to[k]; to >= 0 && keep(int(k)) {
				s.before[s.firstIn[to+1]] = int32(i)
				s.firstIn[to+1]++
			}
		}
	}
}

// backward marks all states from which a state in the queue can be reached.
func (s *reach) backward() {
	for n := 0; n < len(s.queue); n++ {
		i := s.queue[n]
		for _, from := range s.before[s.firstIn[i]:s.firstIn[i+1]] {
			s.visit(from)
		}
	}
}

// markLosing marks the states from which a packet can reach a state without a path to its
// destination, or another endpoint.
func (s *reach) markLosing() {
	s.reverse(func(int) bool { return true })
	s.fresh()
	s.visitHops(toEnd)
	s.backward() // marks the states with a path to the destination
	s.stuck = s.stuck[:0]
	for i, way := range s.mark {
		if !way {
			s.stuck = append(s.stuck, int32(i))
		}
	}
	s.fresh()
	for _, i := range s.stuck {
		s.visit(i)
	}
	s.visitHops(toWrong)
	s.backward()
}

// visitHops visits the states with a next hop of the given kind.
func (s *reach) visitHops(kind int32) {
	for i := range s.VCs {
		if slices.Contains(s.after(int32(i)), kind) {
			s.visit(int32(i))
		}
	}
}

// countPairs counts the pairs, and those that are not connected: without a class, or with one with which
// a packet can reach a marked state.
func (s *reach) countPairs() {
	dests := int64(len(s.inside))
	pairs := dests * int64(s.Sources)
	for _, e := range s.inside {
		if int(e) < s.Sources {
			pairs--
		}
	}
	if s.flows != nil {
		pairs = int64(len(s.flows[s.firstDest()]))
	}
	lost := pairs
	for _, i := range s.starts {
		e := s.VCs[i]/s.relation.VCs - s.links
		if s.sends[e] = max(s.sends[e], 1); s.mark[i] {
			s.sends[e] = 2
		}
	}
	for _, i := range s.starts {
		e := s.VCs[i]/s.relation.VCs - s.links
		if s.sends[e] == 1 {
			lost -= dests
			if s.isInside(e) {
				lost++
			}
		}
		s.sends[e] = 0
	}
	s.facts.pairs += s.orbit * pairs
	s.facts.unreachable += s.orbit * lost
}

// resized returns a list of n zeros. It reuses the memory of list if that is large enough.
func resized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/4)
	}
	list = list[:n]
	clear(list)
	return list
}
