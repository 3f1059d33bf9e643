package verify_test

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestFacts decides an adaptive routing with an escape under wormhole switching, by what is known of packets and VCs.
func TestFacts(t *testing.T) {
	n, err := topo.Parse("mesh:2x2,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("fully-adaptive", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		facts    facts.Facts
		verdict  verify.Verdict
		evidence string
	}{
		{facts.Facts{}, verify.Proved, cert.EvidenceEscape},
		{facts.Facts{Packet: 9, Buffer: 2, Reuse: facts.WhenEmpty}, verify.Proved, cert.EvidenceEscape},
		{facts.Facts{Packet: 2, Buffer: 2, Reuse: facts.WhenEmpty}, verify.Proved, cert.EvidenceElimination},
		{facts.Facts{Packet: 1, Buffer: 2, Reuse: facts.WhenNotFull}, verify.Proved, cert.EvidenceElimination},
		{facts.Facts{Packet: 2, Buffer: 2, Reuse: facts.WhenNotFull}, verify.Undecided, ""},
		{facts.Facts{Packet: 1, Buffer: 2, Reuse: facts.WhenUnused}, verify.Refuted, cert.EvidenceQueuedRun},
		{facts.Facts{Reuse: facts.WhenUnused}, verify.Undecided, ""},
	} {
		rep, err := verify.Check(t.Context(), r, verify.Options{Switching: model.Wormhole, Facts: x.facts})
		if err != nil {
			t.Fatal(err)
		}
		evidence := ""
		if claim := rep.Certificate.Claim(cert.ClaimDeadlockFree); claim != nil {
			evidence = claim.Evidence
		}
		if rep.DeadlockFree.Verdict != x.verdict || evidence != x.evidence {
			t.Errorf("%+v: %s by %q, want %s by %q", x.facts, rep.DeadlockFree.Verdict, evidence, x.verdict, x.evidence)
		}
	}
}
