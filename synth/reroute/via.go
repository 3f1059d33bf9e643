package reroute

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// Via is an intermediate routing: the change to it, and the change from it, each with steps of destinations in service.
type Via struct {
	Name      string
	To, From  *transition.Change
	ToSteps   []transition.Step
	FromSteps []transition.Step
}

// Steps returns the number of steps of both changes.
func (v *Via) Steps() int { return len(v.ToSteps) + len(v.FromSteps) }

// FindVia returns the tables among candidates by way of which the destinations change in the fewest steps in service, or nil if there
// are none. Each candidate has the network and destinations of the tables. It fails only if ctx ends.
func FindVia(ctx context.Context, old, now *model.Table, names []string, candidates []*model.Table) (best *Via, err error) {
	for i, table := range candidates {
		if ctx.Err() != nil {
			return best, ctx.Err()
		}
		v := &Via{Name: names[i]}
		if v.To, err = transition.New(old, table); err != nil {
			return nil, err
		}
		if v.From, err = transition.New(table, now); err != nil {
			return nil, err
		}
		if v.ToSteps = quick(v.To); v.ToSteps == nil {
			continue
		}
		if v.FromSteps = quick(v.From); v.FromSteps == nil || best != nil && best.Steps() <= v.Steps() {
			continue
		}
		best = v
	}
	return best, nil
}

// quick returns steps of destinations in service, or nil if packing finds none.
func quick(c Change) []transition.Step {
	r := &Result{}
	for _, d := range c.Destinations() {
		r.Changed = append(r.Changed, int32(d))
	}
	s := newDestinations(c, r.Changed, false)
	if !s.safe() || !s.ends() {
		return nil
	}
	if len(r.Changed) == 0 {
		return []transition.Step{}
	}
	return slices.Clip(packOne(s, r.Changed, nil))
}
