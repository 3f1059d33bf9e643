package cdg

import (
	"context"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// This file builds the dependency graph of any relation. It explores the reachable states
// destination by destination.
//
// Cost: O(reachable states × hops), one call of Relation.Next per state, on all processors. Memory for
// each processor: the graph, 12 bytes per VC and class, and the states of one destination.

// Visit is called with the states of packets to a group of destinations (see Groups), from several
// goroutines at a time. Each has a number of its own, from 0. The states are valid until Visit returns.
type Visit func(worker int, group *Group, s *Space)

// Build returns the channel dependency graph of r over its reachable states. It fails if ctx
// ends or the relation permits an invalid hop (*BadHop).
func Build(ctx context.Context, r model.Relation) (*Graph, error) {
	return BuildMulticast(ctx, r, nil, nil)
}

// build collects the dependencies of packets to groups and calls visit with their states. If r is a table, it collects all
// dependencies and does not call visit. It fails like Build.
func build(ctx context.Context, r model.Relation, groups []Group, visit Visit) (*builder, error) {
	if t, ok := r.(*model.Table); ok {
		b := newBuilder(r.Network())
		return b, buildTable(ctx, b, t)
	}
	builders := make([]*builder, parallel.Workers(len(groups)))
	for w := range builders {
		builders[w] = newBuilder(r.Network())
	}
	err := EachGroup(ctx, r, len(builders), groups, func(w int, group *Group, s *Space) error {
		builders[w].addAll(s)
		if visit != nil {
			visit(w, group, s)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, b := range builders[1:] {
		builders[0].merge(b)
	}
	return builders[0], nil
}

// addAll adds the dependencies of a space.
func (b *builder) addAll(s *Space) {
	if b.narrow {
		b.addMasks(s)
		return
	}
	for i, at := range s.States {
		if !b.net.IsLinkVC(at.VC) {
			continue
		}
		b.use(at.VC)
		hops, next := s.HopsOf(i)
		for k, h := range hops {
			if next[k] >= 0 {
				b.add(at.VC, h.VC)
			}
		}
	}
}

// addMasks does the same if every row is one word: states with the same hops have the same bits to add.
func (b *builder) addMasks(s *Space) {
	b.masks = slices.Grow(b.masks[:0], s.NumKeys)[:s.NumKeys]
	for _, n := range s.Nodes {
		mask := uint64(0)
		for k, j := range s.NextStates(n) {
			if j >= 0 {
				mask |= 1 << b.local[s.hops[int(n.lo)+k].VC]
			}
		}
		b.masks[n.Key] = mask
	}
	links := model.VCID(len(b.words))
	for i, at := range s.States {
		if at.VC >= links {
			continue
		}
		b.use(at.VC)
		w := &b.words[at.VC]
		if more := b.masks[s.Keys[i]] &^ *w; more != 0 {
			*w |= more
			b.deps += bits.OnesCount64(more)
		}
	}
}

func sortVCs(v []model.VCID) {
	if !slices.IsSorted(v) {
		slices.Sort(v)
	}
}
