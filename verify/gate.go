package verify

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/gates"
)

// decideByGates decides deadlock-free for a routing with gates. accepted reports whether the
// checker accepts a refutation.
func decideByGates(ctx context.Context, rep *Report, accepted func(cert.Claim) bool) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	setup := *rep.Gating
	setup.Late = rep.facts.InstantControl() == facts.False
	d, err := gates.Decide(ctx, rep.Relation, &setup, accepted)
	if err != nil {
		return cert.Claim{}, err
	}
	claim.Premises = append(claim.Premises, fmt.Sprintf("all packets have %d flits, and a buffer has room for %d", rep.Gating.Packet, rep.Gating.Buffer))
	switch d.Claim.Evidence {
	case cert.EvidenceGatedOrder:
		claim.Theorem = theoremGatedOrder
		claim.Premises = append(claim.Premises, "control information arrives in finite time, and a gate that no blocked packet "+
			"keeps closed opens while a packet waits")
	case cert.EvidenceGatedStates:
		claim.Theorem = theoremGatedStates
		claim.Premises = append(claim.Premises, "a gate sees at once how full the buffers ahead are, and a flit leaves a "+
			"buffer and enters the next one at the same time")
	case "":
		claim.Verdict = Undecided
		claim.Reason = fmt.Sprintf("%d virtual channels may be blocked for ever, but no reachable configuration was found in which they are", d.Left)
		if setup.Late {
			claim.Reason = fmt.Sprintf("%d virtual channels may be blocked for ever if control information takes time", d.Left)
		}
	default:
		rep.refuteByGates(d)
	}
	return d.Claim, nil
}

// refuteByGates enters the packets of a deadlock with gates into the report.
func (rep *Report) refuteByGates(d *gates.Result) {
	claim := &rep.DeadlockFree
	claim.Verdict, claim.Theorem = Refuted, theoremGatedConfiguration
	claim.Premises = append(claim.Premises, "a packet may stay where it is while others arrive")
	claim.Reason = fmt.Sprintf("%d packets can be placed such that none of their flits can move", len(d.Packets))
	rep.Configuration, rep.Flits = d.Packets, d.Flits
	if d.Claim.Evidence != cert.EvidenceGatedRun {
		return
	}
	claim.Theorem = theoremGatedRun
	placed := fmt.Sprintf("%d packets such that none of their flits", len(d.Packets))
	if len(d.Packets) == 1 {
		placed = "1 packet such that none of its flits"
	}
	claim.Reason = fmt.Sprintf("%d moves of flits from the empty network place %s can move", len(*d.Claim.Steps)/2, placed)
	reached := true
	rep.Reached, rep.FlitMoves = &reached, *d.Claim.Steps
}
