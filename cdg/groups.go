package cdg

import (
	"context"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
)

// This file explores all destinations of a relation on all processors.

// Group is destinations whose packets have the same states, as model.SwitchRouted says. The group of another
// relation is one destination.
type Group struct {
	Number int            // from 0, in the order of the first destinations
	Dests  []model.DestID // ascending
	// Orbit is the number of groups that symmetries map the group to, itself included. Without symmetries it is 1.
	Orbit int
}

// Groups returns the groups of the destinations of r.
func Groups(r model.Relation) []Group {
	list := groupDests(r)
	groups := make([]Group, len(list))
	for i, dests := range list {
		groups[i] = Group{i, dests, 1}
	}
	return groups
}

func groupDests(r model.Relation) (groups [][]model.DestID) {
	all := make([]model.DestID, r.Destinations())
	for d := range all {
		all[d] = model.DestID(d)
	}
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
// calls visit for each. It returns the error of the first group that fails: of ctx, of an invalid hop
// (*BadHop), or of visit.
func EachGroup(ctx context.Context, r model.Relation, workers int, groups []Group,
	visit func(worker int, group *Group, s *Space) error) error {
	explorers := make([]*Explorer, workers)
	return parallel.Do(ctx, workers, len(groups), func(w, i int) error {
		if explorers[w] == nil {
			explorers[w] = NewExplorer(r)
		}
		s := explorers[w].Explore(groups[i].Dests[0])
		if err := explorers[w].Err(); err != nil {
			return err
		}
		return visit(w, &groups[i], s)
	})
}
