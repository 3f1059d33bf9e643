package cert

// This file enumerates the states of a relation, destination by destination.
//
// Promise: the states listed are exactly those that packets reach from their
// injection, and the facts are true of them.
// Cost: linear in states and next hops.

// Where a next hop leads that leads to no state between switches.
const (
	toEnd   = -1 // the destination's own ejection channel
	toWrong = -2 // another ejection channel
)

// reach is the work on one destination after the other.
type reach struct {
	*relation
	orders  []order
	escapes *escapeOrder // nil: no claim rests on an escape
	facts   facts
	d       int     // the destination
	lo, hi  int     // its states
	channel []int   // by channel: the first state of the destination on it; valid if that is so
	first   []int   // by state from lo on: the first of its next hops in to, and one more
	to      []int   // the State, counted from lo on, of each next hop; or toEnd, toWrong
	before  []int   // the states with a hop to a state; by state as in firstIn
	firstIn []int   // by state from lo on, and one more
	start   []int   // injection states of the destination, counted from lo on
	queue   []int   // work
	mark    []bool  // work
	stuck   []int   // work: states with no way to the destination
	waits   []int   // work: by State, how many states before it are to be taken off
	depth   []int64 // work: by State, the most switches passed before it
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

// locate gives the place, counted from lo on, of a state on a channel into a
// switch, or -1.
func (s *reach) locate(at State) int {
	c := at.VC / s.VCs
	lo := s.channel[c]
	if lo < s.lo || lo >= s.hi || s.key(lo).VC/s.VCs != c {
		return -1 // no state on that channel: the entry is of another destination
	}
	// The states on one channel follow one another, so gallop, then bisect.
	hi := lo + 1
	for hi < s.hi && s.key(hi).VC <= at.VC {
		hi += hi - lo
	}
	if i := s.find(lo, min(hi, s.hi), at); i >= 0 {
		return i - s.lo
	}
	return -1
}

// begin finds the states that packets begin in.
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

// reachAll judges that every state listed is reachable.
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

// visit marks state i and puts it into the queue, the first time.
func (s *reach) visit(i int) {
	if !s.mark[i] {
		s.mark[i] = true
		s.queue = append(s.queue, i)
	}
}

// after gives where the next hops of state i lead.
func (s *reach) after(i int) []int { return s.to[s.first[i]:s.first[i+1]] }

// depend holds the dependencies against the orders.
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

// obeys holds the next hops of state i, on VC x, against one order. A packet with none
// is dropped and waits for nothing.
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

// reverse lists, for each state, those with a next hop to it, of the hops that
// are to be kept; k counts the destination's hops.
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

// countPairs counts the pairs, and those with a packet that may come to a
// state with no way to its destination, or to another endpoint.
func (s *reach) countPairs() {
	s.fresh()
	s.visitHops(toEnd)
	s.backward() // marks the states with a way
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
	s.backward() // marks the states whose packets may get lost

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

// safePairs counts the sources that have a class, and none with which a
// packet may reach a marked state. The triples of a source follow one another.
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

// longest takes states off, each after all those before it (Kahn 1962). What
// is left holds a loop. Being in a state means to be at a switch and to pass
// it, even if to be dropped there.
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

// resized gives a list of n zeros, in the memory of list if that suffices.
func resized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}
