package verify

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/waits"
)

// This file refutes a routing although the relation has packets that the network may not have, such as those of unknown service level.
//
// A packet of unknown service level has each possible one in the relation, so a proof holds for every choice. A refutation holds
// if the packets with stated levels block each other: other packets cannot repair it.

// refuteAsStated looks for a deadlock of the packets of model.Stated, if deadlock-free is refuted and a doubt that ends with them
// would suspend the verdict. If there is one, it replaces the deadlock of the report, and sets r.isStated.
func (r *Report) refuteAsStated(ctx context.Context, o Options, c *cert.Certificate) error {
	if r.DeadlockFree.Verdict != Refuted || r.open || r.rulesFor(false) != nil || !slices.ContainsFunc(o.Doubts, r.endsWithStated) {
		return nil
	}
	stated := model.Stated(r.Relation)
	if stated == nil {
		return nil
	}
	other, err := Check(ctx, stated, Options{Switching: o.Switching, Waiting: o.Waiting, Facts: o.Facts, NoSearch: o.NoSearch,
		Conditions: o.Conditions, NoPairs: true, Listed: o.Listed})
	if err != nil || other.DeadlockFree.Verdict != Refuted {
		return err
	}
	r.isStated = true
	r.Acyclic, r.DeadlockFree = other.Acyclic, other.DeadlockFree
	r.Cycle, r.CyclePackets, r.CyclePairs = other.Cycle, other.CyclePackets, other.CyclePairs
	r.Deadlock = other.Deadlock
	r.Chosen = r.chosenAsIn(other)
	for _, claim := range other.Certificate.Claims {
		if claim.Claim == cert.ClaimDeadlockFree {
			claim.Chosen = makeChosen(r)
		}
		for i := range c.Claims {
			if c.Claims[i].Claim == claim.Claim && (claim.Claim == cert.ClaimAcyclic || claim.Claim == cert.ClaimDeadlockFree) {
				c.Claims[i] = claim
			}
		}
	}
	return nil
}

// chosenAsIn returns what the packets of a deadlock of other, which is one of r, have chosen in r.
func (r *Report) chosenAsIn(other *Report) []model.VCID {
	if r.subject.Waiting == "" || r.Configuration == nil {
		return nil
	}
	list := make([]model.VCID, len(r.Configuration))
	for i, p := range r.Configuration {
		list[i] = model.NoVC
		if p.Group > 0 {
			continue
		}
		at := p.Path[len(p.Path)-1]
		if r.subject.Waiting == cert.WaitingOne || r.commits(at) && waits.IsChoice(r.Relation.Next(at, nil)) {
			list[i] = other.WaitsFor(i)[0]
		}
	}
	return list
}
