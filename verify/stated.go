package verify

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file refutes a routing although some service levels are unknown.
//
// A packet of unknown service level has each possible one in the relation, so a proof holds for every choice. A refutation holds
// if the packets with stated levels block each other: other packets cannot repair it.

// refuteAsStated looks for a deadlock of packets with stated service levels, if deadlock-free is refuted and a doubt about
// service levels would suspend the verdict. If there is one, it replaces the deadlock of the report, and sets r.isStated.
func (r *Report) refuteAsStated(ctx context.Context, o Options, c *cert.Certificate) error {
	if r.DeadlockFree.Verdict != Refuted || r.open || r.rulesFor(false) != nil || !slices.ContainsFunc(o.Doubts, r.isAboutLevels) {
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
	for _, claim := range other.Certificate.Claims {
		for i := range c.Claims {
			if c.Claims[i].Claim == claim.Claim && (claim.Claim == cert.ClaimAcyclic || claim.Claim == cert.ClaimDeadlockFree) {
				c.Claims[i] = claim
			}
		}
	}
	return nil
}
