package cdg

import (
	"context"
	"errors"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file builds the dependency graph of any relation. It explores the reachable states
// destination by destination.
//
// Cost: O(reachable states × hops), one call of Relation.Next per state. Memory: the graph,
// eight bytes per VC and class, and the states of one destination.

// Build returns the channel dependency graph of r over its reachable states. It fails if ctx
// ends or the relation permits an invalid hop (*BadHop).
func Build(ctx context.Context, r model.Relation) (*Graph, error) {
	return BuildMulticast(ctx, r, nil)
}

// build collects the dependencies of r. It fails like Build.
func build(ctx context.Context, r model.Relation) (*builder, error) {
	b := newBuilder(r.Network())
	if t, ok := r.(*model.Table); ok {
		return b, buildTable(ctx, b, t)
	}
	x := NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		s := x.Explore(d)
		if err := errors.Join(ctx.Err(), x.Err()); err != nil {
			return nil, err
		}
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
	return b, nil
}

func sortVCs(v []model.VCID) {
	if !slices.IsSorted(v) {
		slices.Sort(v)
	}
}
