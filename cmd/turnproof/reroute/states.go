package reroute

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file certifies states of a change as routings of their own, which each checker of routings judges, also the one that is proved in Coq.

// mostListed is the largest number of entries, of all states together, that are certified as routings.
const mostListed = 200_000

// joinTables certifies the union of old and new entries: if it has no cycle, the entries can change in any order.
func (r *result) joinTables(ctx context.Context, about transition.About) (err error) {
	if !r.mixture.Safe() || r.drained || r.atomic == transition.Destination || r.Entries > mostListed {
		return nil
	}
	both := func(model.DestID, model.SwitchID) transition.Entries { return transition.BothEntries }
	r.union, err = r.certifyState(ctx, r.stateOf(both), about)
	return err
}

// certifyState certifies a routing without a cycle of dependencies.
func (r *result) certifyState(ctx context.Context, rel model.Relation, about transition.About) (*cert.Certificate, error) {
	rep, err := verify.Check(ctx, rel, verify.Options{Switching: r.Switching(), Waiting: r.stateWaiting(), Inputs: about.Inputs, Listed: true})
	if err != nil {
		return nil, err
	}
	if rep.Acyclic.Verdict != verify.Proved {
		return nil, fmt.Errorf("internal error: a state that is safe is %s as a routing", rep.Acyclic.Verdict)
	}
	return rep.Certificate, nil
}

// certifySteps certifies the state in each step of the order, or after each drained step.
func (r *result) certifySteps(ctx context.Context, about transition.About) error {
	steps := r.order.Steps
	if r.order.Answer != reroute.Found || len(steps) > mostTables || r.Entries*len(steps) > mostListed {
		return nil
	}
	for i, s := range steps {
		meets := r.meets(steps[:i], s)
		if s.Kind != transition.InService {
			meets = r.meets(steps[:i+1], transition.Step{})
		}
		rel := r.stateOf(meets)
		if s.Kind != transition.InService && r.Change != nil {
			rel = r.Change.After(r.part, steps[:i+1])
		}
		made, err := r.certifyState(ctx, rel, about)
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		r.inSteps = append(r.inSteps, namedCertificate{fmt.Sprintf("step-%02d.cert", i+1), made})
	}
	return nil
}

// stateOf returns the relation of packets that meet some entries.
func (r *result) stateOf(meets func(model.DestID, model.SwitchID) transition.Entries) model.Relation {
	if c, ok := r.Any.(*relations.Change); ok {
		return c.State(meets)
	}
	return &transition.Mixed{Change: r.Change, Meets: meets}
}

// stateWaiting returns how packets in a state wait. With tables, a packet that meets two entries chooses when it arrives.
func (r *result) stateWaiting() model.Waiting {
	if r.Change != nil {
		return model.WaitOne
	}
	return r.Any.Waiting()
}

// meets returns which entries packets meet while the parts of a step change.
func (r *result) meets(before []transition.Step, now transition.Step) func(d model.DestID, u model.SwitchID) transition.Entries {
	done := map[int32]bool{}
	for _, s := range before {
		for _, p := range s.Parts {
			done[p] = true
		}
	}
	return func(d model.DestID, u model.SwitchID) transition.Entries {
		part := int32(d)
		if r.part == transition.Switch {
			part = int32(u)
		}
		switch {
		case slices.Contains(now.Parts, part):
			return transition.BothEntries
		case done[part]:
			return transition.NewEntry
		}
		return transition.OldEntry
	}
}
