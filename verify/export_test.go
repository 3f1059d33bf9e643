package verify

import (
	"context"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// ByClauses decides the protocol of a report by clauses alone. It returns the deadlock, if there is one, and a claim for the certificate,
// or nil.
func (rep *Report) ByClauses() (*MessageDeadlock, *cert.Claim, error) {
	w, err := collectMessageWaits(newProtocolPlaces(rep.Relation, rep.Protocol), rep.commits)
	if err != nil {
		return nil, nil, err
	}
	d, steps, why := w.decideByClauses(context.Background(), rep.commits, rep.Switching == model.Wormhole)
	claim := &cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNoMessages, Steps: steps, Protocol: makeProtocol(rep.Protocol)}
	switch {
	case why != "":
		return nil, nil, nil
	case d != nil:
		if claim.Verdict, claim.Evidence = cert.Refuted, cert.EvidenceMessageDeadlock; d.Worms {
			claim.Evidence = cert.EvidenceMessageWorms
		}
		d.write(claim)
	}
	return d, claim, nil
}
