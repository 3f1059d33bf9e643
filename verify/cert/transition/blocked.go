package transition

// This file finds destinations that block each other, so that no order changes all of them.
//
// Let S be the destinations that have changed. The new dependencies of S and the dependencies of destinations that do not change are in
// every later state. Suppose that for each destination r of a set R of others the following dependencies have a cycle: these, those of r
// while it changes, and the old ones of all other destinations of R. Then none of R can be the first of R to change, so none changes. The
// same holds for the last one, with the new dependencies of all other destinations of R. Fewer destinations in R mean fewer dependencies, so
// the greatest such set is what remains if destinations leave R, one after the other, in any order, as long as any can.

// blocked reports whether one of the two sets is not empty.
func (p *destinations) blocked() bool {
	last := p.mix
	if p.x.t.Drained {
		last = p.old // the state before the last one changes
	}
	return p.blockedBy(p.old, p.mix) || p.blockedBy(p.now, last)
}

// blockedBy reports whether destinations remain, if one of R has the dependencies of turn, and all others of R those of others.
func (p *destinations) blockedBy(others, turn map[int32][]int32) bool {
	var rest []int32
	for _, d := range p.all {
		if !p.done[d] {
			rest = append(rest, d)
			p.g.add(-1, p.old[d])
			p.g.add(1, others[d])
		}
	}
	all := rest
	left := map[int32]bool{}
	for moved := true; moved && len(rest) > 0; {
		moved = false
		var stay []int32
		for _, d := range rest {
			p.g.add(-1, others[d])
			p.g.add(1, turn[d])
			ok := p.g.acyclic()
			p.g.add(-1, turn[d])
			if ok {
				left[d], moved = true, true
			} else {
				p.g.add(1, others[d])
				stay = append(stay, d)
			}
		}
		rest = stay
	}
	for _, d := range all {
		if !left[d] {
			p.g.add(-1, others[d])
		}
		p.g.add(1, p.old[d])
	}
	return len(rest) > 0
}
