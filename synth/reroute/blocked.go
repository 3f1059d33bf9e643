package reroute

// This file finds destinations that block each other.
//
// Let S be the destinations that have changed; their new dependencies are there in every later state. Suppose that for each destination
// r of a set R of others, these, the dependencies of r while it changes, and the old ones of the rest of R have a cycle. Then none of R can
// be the first of R to change, so no order exists. The same holds for the last of R, with the new dependencies of the rest of R. The
// conditions are monotone in R, so the greatest set is what remains if destinations that can be first (or last) leave R as long as any can.
// Cost: at most n²/2 attempts to add the dependencies of a destination, most often about n.

// blocked returns a set R for the changed destinations of done, or nil.
func (s *destinations) blocked(done []bool) []int {
	if list := s.blockedBy(done, s.old, s.mix); len(list) > 0 {
		return list
	}
	last := s.mix
	if s.drained {
		last = s.old // the state before the last one changes
	}
	return s.blockedBy(done, s.now, last)
}

// blockedBy returns what remains, if a destination on its turn has the dependencies of turn, and the rest of R those of others. It
// returns nil if that is nothing. The dependencies of others, with those of done, must have no cycle.
func (s *destinations) blockedBy(done []bool, others, turn [][]int32) []int {
	g, rest := s.relaxed, remaining(done)
	there := [][]int32{s.kept}
	for i, d := range done {
		if d {
			there = append(there, s.now[i])
		}
	}
	for _, i := range rest {
		there = append(there, others[i])
	}
	for _, list := range there {
		g.mustAdd(list)
	}
	there = there[:len(there)-len(rest)]
	for moved := true; moved && len(rest) > 0; {
		moved = false
		var stay []int
		for _, i := range rest {
			g.remove(others[i])
			if g.add(turn[i]) {
				g.remove(turn[i])
				moved = true
				continue
			}
			g.mustAdd(others[i])
			stay = append(stay, i)
		}
		rest = stay
	}
	for _, i := range rest {
		there = append(there, others[i])
	}
	for _, list := range there {
		g.remove(list)
	}
	return rest
}
