package cdg

import (
	"context"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// This file explores all destinations of a relation on all processors.

// Groups returns the destinations of r in groups, in order of their first destinations. Packets to the destinations of a
// group have the same states, as model.SwitchRouted says; other relations have one destination in each
// group.
func Groups(r model.Relation) [][]model.DestID {
	all := make([]model.DestID, r.Destinations())
	for d := range all {
		all[d] = model.DestID(d)
	}
	var groups [][]model.DestID
	if s, ok := r.(model.SwitchRouted); !ok || !s.SwitchRouted() {
		for d := range all {
			groups = append(groups, all[d:d+1:d+1])
		}
		return groups
	}
	group := make([]int, r.Network().NumSwitches()) // by switch: 1 + its group
	for _, d := range all {
		u := r.Network().Host(r.DestinationHost(d)).Switch
		if group[u] == 0 {
			groups = append(groups, nil)
			group[u] = len(groups)
		}
		groups[group[u]-1] = append(groups[group[u]-1], d)
	}
	return groups
}

// EachGroup explores the first destination of each group on several workers, whose numbers are less than workers, and
// calls visit for each. It returns the error of the least group that fails: of ctx, of an invalid hop
// (*BadHop), or of visit.
func EachGroup(ctx context.Context, r model.Relation, workers int, groups [][]model.DestID,
	visit func(worker int, group []model.DestID, s *Space) error) error {
	explorers := make([]*Explorer, workers)
	return parallel.Do(ctx, workers, len(groups), func(w, i int) error {
		if explorers[w] == nil {
			explorers[w] = NewExplorer(r)
		}
		s := explorers[w].Explore(groups[i][0])
		if err := explorers[w].Err(); err != nil {
			return err
		}
		return visit(w, groups[i], s)
	})
}
