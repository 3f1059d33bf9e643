package parametric

import "slices"

// This file ranks components of nodes in pieces (cells.go).

// piecewise returns ranks in pieces that rise on all pairs of a requirement, or nil if it finds none.
func (s *system) piecewise(req requirement) (ranks, error) {
	if s.complete() || s.hasAxes() || len(req.pairs) == 0 {
		return nil, nil
	}
	g := s.newCells(req.pairs)
	for _, d := range append(s.examples(req.pairs), req.known...) {
		if slices.Contains(req.pairs, pair{d.from, d.to}) { // hops to other groups need not rise
			g.add(d)
		}
	}
	for range maxCellRounds {
		if !g.refine() {
			return nil, s.ctx.Err()
		}
		found := g.ranks()
		proved, told := true, false
		for _, p := range req.pairs {
			d, _, err := s.counterexample(p, req, found)
			if err != nil {
				return nil, err
			}
			if d != nil {
				proved = false
				told = g.add(*d) || told
			}
		}
		if proved {
			return found, nil
		}
		if !told { // the conditions do not tell these hops from others
			return nil, nil
		}
	}
	return nil, nil
}

// newCells returns a search without hops, with a cell for each node.
func (s *system) newCells(pairs []pair) *cells {
	g := &cells{system: s, conditions: s.cellConditions(), sums: s.cellSums()}
	for _, p := range pairs {
		g.nodes = append(g.nodes, p.from, p.to)
	}
	slices.SortFunc(g.nodes, compareNodes)
	g.nodes = slices.Compact(g.nodes)
	return g.empty()
}

// refine divides cells until all components are ranked. It reports whether it succeeds.
func (g *cells) refine() bool {
	for g.cases == nil && g.divideAll() > 0 {
		if g.ctx.Err() != nil || len(g.cells) >= maxCells || !g.splitIntoCases() && !g.divideBest(g.ranked().unranked, true) {
			return false
		}
	}
	return g.cases == nil || g.cases.sides[0].refine() && g.cases.sides[1].refine()
}
