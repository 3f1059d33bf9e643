package verify

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// certificate returns a certificate of the subject with these claims.
func (r *Report) certificate(claims ...cert.Claim) *cert.Certificate {
	c := &cert.Certificate{Schema: cert.Schema, Subject: r.subject, Claims: claims}
	if r.blocks != nil {
		c.Schema, c.Blocks = cert.StreamSchema, r.blocks
	}
	return c
}

// checkAlone passes the evidence for deadlock-free under discipline s, after other claims, to the checker.
func checkAlone(rep *Report, s model.Switching, others []cert.Claim, evidence cert.Claim) error {
	evidence.Claim, evidence.Verdict = cert.ClaimDeadlockFree, string(rep.DeadlockFree.Verdict)
	c := rep.certificate(append(slices.Clone(others), evidence)...)
	c.Subject.Switching = string(s)
	if err := cert.Check(c); err != nil {
		return fmt.Errorf("internal error: the checker rejects a verdict: %w", err)
	}
	return nil
}
