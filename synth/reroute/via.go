package reroute

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/verify/transition"
)

// Via is an intermediate routing: the change to it, and the change from it, each with steps of destinations in service.
type Via struct {
	Name      string
	To, From  Change
	ToSteps   []transition.Step
	FromSteps []transition.Step
}

// Steps returns the number of steps of both changes.
func (v *Via) Steps() int { return len(v.ToSteps) + len(v.FromSteps) }

// FindVia returns the routing among candidates by way of which the destinations change in the fewest steps in service, or nil if there
// are none. between returns the changes to a candidate and from it; candidates for which it fails are left out. It fails only if ctx ends.
func FindVia(ctx context.Context, names []string, between func(candidate int) (to, from Change, err error)) (best *Via, err error) {
	for i, name := range names {
		if ctx.Err() != nil {
			return best, ctx.Err()
		}
		v := &Via{Name: name}
		if v.To, v.From, err = between(i); err != nil {
			continue
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
