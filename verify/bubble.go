package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/bubbles"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides deadlock freedom of routings whose flow control keeps rings from filling up. Package bubbles finds the
// ranks of a proof, or the run of a refutation. If it finds neither, the claim is undecided.

// checkFlow returns an error if Check cannot decide this flow control with the other options.
func checkFlow(r model.Relation, o *Options) error {
	switch {
	case o.Switching != o.Flow.Switching():
		return fmt.Errorf("cannot decide %s: want %s switching, got %s", o.Flow.Rule.Kind, o.Flow.Switching(), o.Switching)
	case o.Gating != nil || o.Multicast != nil:
		return errors.New("cannot decide flow control of rings together with gates or multicast tables")
	}
	return o.Flow.Check()
}

// Run is a run of packets from empty buffers. Each number of Moves is a packet, which takes the next step of its path.
type Run struct {
	Packets []*cdg.Packet
	Moves   []int32
}

// decideByBubbles decides deadlock-free. accepted reports whether the checker accepts evidence.
func decideByBubbles(ctx context.Context, rep *Report, accepted func(cert.Claim) bool) (cert.Claim, error) {
	b, claim := rep.rings, &rep.DeadlockFree
	claim.Premises = append(claim.Premises, rep.Flow.Premises()...)
	evidence := cert.Claim{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceBubble}
	ranks, err := b.Ranks(ctx, rep.Relation)
	if err != nil {
		return cert.Claim{}, err
	}
	if evidence.Ranks = (*cert.Ints)(&ranks); ranks != nil && accepted(evidence) {
		claim.Theorem = theoremOfRings(rep)
		rep.Ranks = ranks
		return evidence, nil
	}
	run, err := b.FindRun(ctx, rep.Relation, func(x *bubbles.Run) bool { return accepted(x.Claim()) })
	if err != nil {
		return cert.Claim{}, err
	}
	if run == nil {
		claim.Verdict, claim.Reason = Undecided, b.Why()
		return cert.Claim{}, nil
	}
	claim.Verdict, claim.Theorem = Refuted, theoremBubbleRun
	rep.Configuration, rep.Holds = run.Frozen()
	reached := true
	rep.Reached, rep.Run = &reached, &Run{run.Packets, run.Moves}
	claim.Reason = fmt.Sprintf("a run of %d moves from empty buffers ends with %d packets that can never move", len(run.Moves), run.Left())
	if len(rep.Configuration) == 1 && run.Left() == 1 {
		claim.Reason = "a packet that no other packet is before can never enter a ring"
	}
	return run.Claim(), nil
}

// theoremOfRings returns the theorem of a proof by ranks.
func theoremOfRings(rep *Report) string {
	switch b := rep.rings; {
	case rep.Acyclic.Verdict == Proved:
		return theoremAcyclic
	case len(b.List) == 0:
		return theoremElimination
	case b.IsWeaker():
		return theoremFill
	}
	return theoremBubble
}
