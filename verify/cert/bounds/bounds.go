// Package bounds judges lower bounds on the turns that a set prohibits: by a packing of cycles,
// by a theorem about connectedness, or by a refutation of every smaller set. It also judges that
// no set exists at all. The bounds hold for every set of turns on the network, so the set
// in the certificate has no effect.
//
// Read first: packing.go, gossip.go, refutation.go.
package bounds

import (
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/turns"
)

var subject = []string{turns.SubjectName}

func init() { cert.Register(nil, evidenceKinds()) }

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() []cert.Kind {
	return []cert.Kind{
		bound(cert.EvidencePacking, cert.JudgeBy(packingOfTurns), "bound", "packing"),
		bound(cert.EvidenceGossip, cert.JudgeBy(gossip), "bound"),
		bound(cert.EvidenceRefutation, cert.JudgeBy(refutationOfTurns), "bound", "packing", "steps"),
		bound(cert.EvidencePackingBoth, cert.JudgeBy(ofPairs(packing)), "bound", "packing"),
		bound(cert.EvidenceGossipBoth, cert.JudgeBy(ofPairs(gossipOfPairs)), "bound"),
		bound(cert.EvidenceRefutationBoth, cert.JudgeBy(ofPairs(refute)), "bound", "packing", "steps"),
		{Subjects: subject, Claim: cert.ClaimUnroutable, Verdict: cert.Proved, Evidence: cert.EvidenceNoSet, Fields: []string{"steps"},
			Judge: cert.JudgeBy(refutationOfTurns)},
	}
}

// bound returns a kind of evidence for a lower bound.
func bound(evidence string, judge cert.Judge, fields ...string) cert.Kind {
	return cert.Kind{Subjects: subject, Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: evidence, Fields: fields, Judge: judge}
}

// ofPairs returns a judge for sets that allow a turn if and only if they allow its reverse.
func ofPairs(judge func(t *turns.Set, claim *cert.Claim, both bool) error) func(*turns.Set, *cert.Claim) error {
	return func(t *turns.Set, claim *cert.Claim) error {
		if err := symmetric(t, claim); err != nil {
			return err
		}
		return judge(t, claim, true)
	}
}

func packingOfTurns(t *turns.Set, claim *cert.Claim) error { return packing(t, claim, false) }

func refutationOfTurns(t *turns.Set, claim *cert.Claim) error { return refute(t, claim, false) }

func gossipOfPairs(t *turns.Set, claim *cert.Claim, _ bool) error { return gossip(t, claim) }
