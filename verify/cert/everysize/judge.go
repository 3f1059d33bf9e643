package everysize

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the claims of a certificate about a routing program for every size.

func init() { cert.Register([]cert.SubjectKind{subjectKind()}, evidenceKinds()) }

// subjectKind returns the kind of subject that this package judges.
func subjectKind() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "program", Title: "a routing program",
		Has:     func(s *cert.Subject) bool { return s.Program != nil },
		Open:    func(c *cert.Certificate) (any, error) { return open(c) },
		Network: networkText, Summary: routingText, Theorem: Theorem,
	}
}

// evidenceKinds returns the kinds of evidence that this package judges.
func evidenceKinds() (list []cert.Kind) {
	for _, claim := range []string{cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree, cert.ClaimMinimal,
		cert.ClaimDeterministic, cert.ClaimFullyAdaptive} {
		k := cert.Kind{Subjects: []string{subjectKind().Name}, Claim: claim, Verdict: cert.Proved, Evidence: cert.EvidenceEverySize,
			Judge: cert.JudgeBy((*opened).judgeOther)}
		if claim == cert.ClaimDeadlockFree {
			k.Fields, k.Judge, k.Premises = []string{"sizes"}, cert.JudgeBy((*opened).judge), premises
		}
		list = append(list, k)
		if claim != cert.ClaimDeadlockFree {
			k.Evidence, k.Fields, k.Judge = cert.EvidenceEverySizePaths, []string{"sizes"}, cert.JudgeBy((*opened).judge)
			list = append(list, k)
		}
		if !slices.Contains(networkClaims, claim) {
			continue
		}
		k.Evidence, k.Fields, k.Premises, k.Judge = cert.EvidenceEveryNetwork, nil, nil, cert.JudgeBy((*opened).judgeOtherNet)
		if claim == cert.ClaimDeadlockFree {
			k.Fields, k.Judge = []string{"networks"}, cert.JudgeBy((*opened).judgeNet)
		}
		list = append(list, k)
		if claim != cert.ClaimDeadlockFree {
			k.Evidence, k.Fields, k.Judge = cert.EvidenceEveryNetworkPaths, []string{"networks"}, cert.JudgeBy((*opened).judgeNet)
			list = append(list, k)
		}
	}
	return list
}

// premises returns what deadlock-free depends on besides the network: the sizes of flow control of rings.
func premises(s *cert.Subject) (list []string) {
	if s.Program == nil { // Check rejects it
		return nil
	}
	if text := flowText(s); text != "" {
		list = append(list, text)
	}
	return list
}

// judge judges the claim that has the evidence of all claims: deadlock-free, or the first one if that is not claimed.
func (o *opened) judge(claim *cert.Claim) error {
	if o.proved {
		return cert.Reject(claim.Claim, "another claim has evidence already")
	}
	s := &stream{numbers: claim.Sizes.Proofs}
	if _, err := o.proveCases(claim.Sizes, &reader{s}); err != nil {
		return cert.Reject(claim.Claim, "%v", err)
	}
	if len(s.numbers) > 0 {
		return cert.Reject(claim.Claim, "%d numbers after the proofs", len(s.numbers))
	}
	if l := claim.Sizes.Length; l != nil {
		s := &stream{numbers: l.Proofs}
		if err := o.proveLength(l, &reader{s}); err != nil {
			return cert.Reject(claim.Claim, "%v", err)
		}
		if len(s.numbers) > 0 {
			return cert.Reject(claim.Claim, "%d numbers after the proofs about lengths", len(s.numbers))
		}
	}
	o.proved = true
	return nil
}

// judgeOther judges a claim that the evidence of deadlock-free proves as well.
func (o *opened) judgeOther(claim *cert.Claim) error {
	if !o.proved {
		return cert.Reject(claim.Claim, "the claim that has the evidence is missing")
	}
	return nil
}
