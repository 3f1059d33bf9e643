package parametric

// This file divides a search for ranks in pieces into two, by a condition that no hop changes: on the destination, the failures and
// the sizes (cells.go).

// maxTried bounds the hops with which conditions are compared.
const maxTried = 6_000

// splitIntoCases divides the search by the condition with which fewest hops are not ranked. It returns false if no condition
// helps.
func (g *cells) splitIntoCases() bool {
	if g.noCases {
		return false
	}
	every := 1 + len(g.joints)/maxTried
	sample := g.empty()
	g.copyTo(every, sample.addJoint)
	least, best := sample.divideAll(), -1
	for c := range g.conditions {
		if g.isOnPlace(c) {
			continue
		}
		cases := g.newCases(c, every)
		if len(cases.sides[0].joints) == 0 || len(cases.sides[1].joints) == 0 {
			continue
		}
		if left := cases.sides[0].divideAll() + cases.sides[1].divideAll(); left < least {
			least, best = left, c
		}
	}
	if best < 0 {
		g.noCases = true
		return false
	}
	g.cases = g.newCases(best, 1)
	g.spots, g.joints, g.of, g.index, g.at = nil, nil, nil, nil, nil
	return true
}

// newCases returns two searches with one hop of every few of g.
func (g *cells) newCases(condition, every int) *cellCases {
	cases := &cellCases{condition, [2]*cells{g.empty(), g.empty()}}
	g.copyTo(every, func(from, to spot, hops change) bool { return cases.of(from).addJoint(from, to, hops) })
	return cases
}

// copyTo calls add with one joint of every few.
func (g *cells) copyTo(every int, add func(from, to spot, hops change) bool) {
	for i := 0; i < len(g.joints); i += every {
		j := g.joints[i]
		add(g.spots[j.from], g.spots[j.to], j.change)
	}
}
