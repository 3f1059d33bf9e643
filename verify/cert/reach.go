package cert

// This file has the steps that enumerate.go makes for each destination of a relation.
//
// Promise: the listed states are exactly the states that packets reach from their
// injection, and the facts describe them.
// Cost: linear in states and next hops.

// The targets of next hops that are no states.
const (
	toEnd   = -1 // the destination's own ejection channel
	toWrong = -2 // another ejection channel
)

// reach is the work on one destination after the other.
type reach struct {
	*relation
	orders  []order
	escapes *escapeOrder // if nil, no claim rests on an escape
	facts   facts
	d       int     // the destination
	lo, hi  int     // its states
	channel []int   // by channel: the first state of the destination on it; stale if that state is on another channel
	first   []int   // by state, counted from lo: the place of its first next hop in to; and one more
	to      []int   // by next hop: its state, counted from lo, or toEnd or toWrong
	before  []int   // the states with a hop to a state, grouped by that state as firstIn says
	firstIn []int   // by state, counted from lo: its place in before; and one more
	start   []int   // the injection states of the destination, counted from lo
	queue   []int   // work
	mark    []bool  // work
	stuck   []int   // work: states without a path to the destination
	waits   []int   // work: by state, how many predecessors are not removed yet
	depth   []int64 // work: by state, the most switches that a packet passes before it
}

// resolve finds the states that the next hops lead to.
func (s *reach) resolve() error {
	for i := s.hi - 1; i >= s.lo; i-- {
		s.channel[s.key(i).VC/s.VCs] = i
	}
	end := s.Ejection(s.Destinations[s.d])
	s.first, s.to = s.first[:0], s.to[:0]
	for i := s.lo; i < s.hi; i++ {
		s.first = append(s.first, len(s.to))
		hops := s.hops(i)
		for j := 0; j < len(hops); j += 2 {
			to := toWrong
			if c := hops[j] / s.VCs; c == end {
				to = toEnd
			} else if c < s.links {
				if to = s.locate(State{hops[j], hops[j+1]}); to < 0 {
					return Reject("subject", "states lack %v, to destination %d, a next hop of %v", State{hops[j], hops[j+1]}, s.d, s.key(i))
				}
			}
			s.to = append(s.to, to)
		}
	}
	s.first = append(s.first, len(s.to))
	return nil
}

// locate returns the number, counted from lo, of a state on a channel into a switch, or -1.
func (s *reach) locate(at State) int {
	c := at.VC / s.VCs
	lo := s.channel[c]
	if lo < s.lo || lo >= s.hi || s.key(lo).VC/s.VCs != c {
		return -1 // the entry of channel is stale: the destination has no state there
	}
	// The states on one channel are adjacent: double the range, then bisect.
	hi := lo + 1
	for hi < s.hi && s.key(hi).VC <= at.VC {
		hi += hi - lo
	}
	if i := s.find(lo, min(hi, s.hi), at); i >= 0 {
		return i - s.lo
	}
	return -1
}

// begin finds the injection states.
func (s *reach) begin() error {
	s.start = s.start[:0]
	for _, i := range s.triples[s.injectOf[s.d]:s.injectOf[s.d+1]] {
		e, _, k := s.triple(int(i))
		at := State{s.Injection(e) * s.VCs, k}
		to := s.locate(at)
		if to < 0 {
			return Reject("subject", "states lack %v, to destination %d, with which %s sends", at, s.d, s.EndpointName(e))
		}
		s.start = append(s.start, to)
	}
	return nil
}

// reachAll rejects a relation that lists an unreachable state.
func (s *reach) reachAll() error {
	s.fresh()
	for _, i := range s.start {
		s.visit(i)
	}
	for n := 0; n < len(s.queue); n++ {
		for _, to := range s.after(s.queue[n]) {
			if to >= 0 {
				s.visit(to)
			}
		}
	}
	for i, reached := range s.mark {
		if !reached {
			return Reject("subject", "no packet to destination %d can reach %v", s.d, s.key(s.lo+i))
		}
	}
	return nil
}

// fresh clears queue and mark.
func (s *reach) fresh() {
	s.queue = s.queue[:0]
	s.mark = resized(s.mark, s.hi-s.lo)
}

// visit marks state i and appends it to the queue, unless it is marked.
func (s *reach) visit(i int) {
	if !s.mark[i] {
		s.mark[i] = true
		s.queue = append(s.queue, i)
	}
}

// after returns the targets of the next hops of state i.
func (s *reach) after(i int) []int { return s.to[s.first[i]:s.first[i+1]] }

// depend compares the dependencies with the orders.
func (s *reach) depend() error {
	for i := s.lo; i < s.hi; i++ {
		x := s.key(i).VC
		if int(x) >= s.LinkVCs() {
			continue // no packet that has entered the network waits for an injection VC
		}
		for j := range s.orders {
			if err := s.obeys(&s.orders[j], x, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// obeys compares the next hops of state i, on VC x, with one order. A packet without a
// next hop is dropped, so it waits for nothing.
func (s *reach) obeys(o *order, x int32, i int) error {
	hops, every := s.hops(i), o.every || s.commitsAt(i)
	for j := 0; j < len(hops); j += 2 {
		y := hops[j]
		rises := int(y) >= s.LinkVCs() || o.ranks[x] < o.ranks[y]
		if rises && !every {
			return nil
		}
		if !rises && every {
			return Reject(o.claim, "rank of VC %d is not below that of VC %d, which a packet to destination %d may take next", x, y, s.d)
		}
	}
	if len(hops) > 0 && !every {
		return Reject(o.claim, "a packet to destination %d on VC %d may take VC %d next, but none that is ejection or of greater rank",
			s.d, x, hops[0])
	}
	return nil
}

// reverse fills before and firstIn: for each state, the states with a next hop to it. It uses
// the hops that keep accepts; k is the number of a hop of the destination.
func (s *reach) reverse(keep func(k int) bool) {
	n := s.hi - s.lo
	s.firstIn = resized(s.firstIn, n+2) // shifted by one while the list is filled
	for k, to := range s.to {
		if to >= 0 && keep(k) {
			s.firstIn[to+2]++
		}
	}
	for i := range n {
		s.firstIn[i+2] += s.firstIn[i+1]
	}
	s.before = resized(s.before, s.firstIn[n+1])
	for i := range n {
		for k := s.first[i]; k < s.first[i+1]; k++ {
			if to := s.to[k]; to >= 0 && keep(k) {
				s.before[s.firstIn[to+1]] = i
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

// countPairs counts the pairs, and the pairs of which a packet can reach a state without a path
// to its destination, or another endpoint.
func (s *reach) countPairs() {
	s.fresh()
	s.visitHops(toEnd)
	s.backward() // marks the states with a path to the destination
	s.stuck = s.stuck[:0]
	for i, way := range s.mark {
		if !way {
			s.stuck = append(s.stuck, i)
		}
	}
	s.fresh()
	for _, i := range s.stuck {
		s.visit(i)
	}
	s.visitHops(toWrong)
	s.backward() // marks the states whose packets can get lost

	pairs := int64(s.Sources)
	if int(s.Destinations[s.d]) < s.Sources {
		pairs--
	}
	s.facts.pairs += pairs
	s.facts.unreachable += pairs - s.safePairs()
}

// visitHops visits the states with a next hop of the given kind.
func (s *reach) visitHops(kind int) {
	for i := range s.mark {
		for _, to := range s.after(i) {
			if to == kind {
				s.visit(i)
				break
			}
		}
	}
}

// safePairs counts the sources that have a class, and no class with which a packet
// can reach a marked state. The triples of one source are adjacent.
func (s *reach) safePairs() (safe int64) {
	list := s.triples[s.injectOf[s.d]:s.injectOf[s.d+1]]
	for i := 0; i < len(list); {
		e, _, _ := s.triple(int(list[i]))
		good := true
		for ; i < len(list); i++ {
			if other, _, _ := s.triple(int(list[i])); other != e {
				break
			}
			good = good && !s.mark[s.start[i]]
		}
		if good {
			safe++
		}
	}
	return safe
}

// longest removes states in topological order (Kahn 1962). If states are left, they hold
// a loop. A packet in a state passes one switch, also if it is dropped there.
func (s *reach) longest() {
	n := s.hi - s.lo
	s.queue = s.queue[:0]
	s.depth = resized(s.depth, n)
	s.waits = resized(s.waits, n)
	for i := range n {
		if s.waits[i] = s.firstIn[i+1] - s.firstIn[i]; s.waits[i] == 0 {
			s.queue = append(s.queue, i)
		}
	}
	for q := 0; q < len(s.queue); q++ {
		i := s.queue[q]
		s.facts.hops = max(s.facts.hops, s.depth[i]+1)
		for _, to := range s.after(i) {
			if to < 0 {
				continue
			}
			s.depth[to] = max(s.depth[to], s.depth[i]+1)
			if s.waits[to]--; s.waits[to] == 0 {
				s.queue = append(s.queue, to)
			}
		}
	}
	if len(s.queue) < n {
		s.facts.loops = s.d
	}
}

// resized returns a list of n zeros. It reuses the memory of list if that is large enough.
func resized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}
