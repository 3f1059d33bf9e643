package protocols_test

import (
	"context"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/protocols"
)

// byClauses decides the protocol of a report by clauses alone. It returns the deadlock, if there is one, and a claim for the
// certificate, or nil.
func byClauses(rep *verify.Report) (*protocols.Deadlock, *cert.Claim, error) {
	commits := model.CommitsIn(rep.Relation, rep.Waiting)
	w, err := protocols.Collect(protocols.NewPlaces(rep.Relation, model.ConditionOf[*model.Protocol](rep.Conditions)), commits)
	if err != nil {
		return nil, nil, err
	}
	d, steps, why := w.DecideByClauses(context.Background(), commits, rep.Switching == model.Wormhole)
	claim := &cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNoMessages, Steps: steps, Protocol: protocols.Encode(model.ConditionOf[*model.Protocol](rep.Conditions))}
	switch {
	case why != "":
		return nil, nil, nil
	case d != nil:
		if claim.Verdict, claim.Evidence = cert.Refuted, cert.EvidenceMessageDeadlock; d.Worms {
			claim.Evidence = cert.EvidenceMessageWorms
		}
		d.Write(claim)
	}
	return d, claim, nil
}
