package cdg

import (
	"slices"

	"turnproof/model"
)

// This file builds the graph of any relation by exploring, destination by
// destination, the states that packets can get into.
//
// Cost: O(reachable states × hops), one call of Relation.Next for each state.
// Memory: eight bytes per VC and class, and the states of one destination,
// besides the graph.

// Build returns the channel dependency graph of r over its reachable states.
func Build(r model.Relation) *Graph {
	b := newBuilder(r.Network())
	if t, ok := r.(*model.Table); ok {
		buildTable(b, t)
		return b.graph()
	}
	x := NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		for i, at := range s.States {
			if !b.net.IsLinkVC(at.VC) {
				continue
			}
			b.use(at.VC)
			hops, _ := s.HopsOf(i)
			for _, h := range hops {
				if b.net.IsLinkVC(h.VC) {
					b.add(at.VC, h.VC)
				}
			}
		}
	}
	return b.graph()
}

func sortVCs(v []model.VCID) {
	if !slices.IsSorted(v) {
		slices.Sort(v)
	}
}
