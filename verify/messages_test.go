package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/protocols"
)

// messages checks a routing with classes of messages.
func messages(t *testing.T, spec, routing, classes string) *verify.Report {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.ParseClasses(classes)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{m}})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestMessages(t *testing.T) {
	for _, c := range []struct {
		spec, routing, classes string
		want                   verify.Verdict
		evidence               string
		networks               int
	}{
		{"mesh:3x3", "dor", "request,reply", verify.Proved, cert.EvidenceNetworks, 2},
		{"mesh:3x3", "dor", "request+reply", verify.Refuted, cert.EvidenceSharedNetwork, 1},
		{"mesh:3x3", "minimal", "request,reply", verify.Refuted, cert.EvidenceDeadlocked, 2},
		{"mesh:3x3,vcs=2", "duato", "a, b+c", verify.Refuted, cert.EvidenceSharedNetwork, 2},
		{"mesh:3x3,vcs=2", "duato", "a,b,c", verify.Proved, cert.EvidenceNetworks, 3},
		{"line:2", "dor", "a+b", verify.Refuted, cert.EvidenceSharedNetwork, 1},
	} {
		rep := messages(t, c.spec, c.routing, c.classes)
		last := rep.Certificate.Claim(cert.ClaimMessages)
		if rep.Added(cert.ClaimMessages).Claim.Verdict != c.want || rep.Verdict() != c.want || last.Evidence != c.evidence || model.ClassesOf(rep.Conditions).Networks() != c.networks {
			t.Errorf("%s %s %s: %s by %s, %d networks", c.spec, c.routing, c.classes, rep.Added(cert.ClaimMessages).Claim.Verdict, last.Evidence, model.ClassesOf(rep.Conditions).Networks())
		}
		if shared := c.evidence == cert.EvidenceSharedNetwork; (len(protocols.OutcomeOf(rep).Packets) == 2) != shared {
			t.Errorf("%s: %d packets", c.classes, len(protocols.OutcomeOf(rep).Packets))
		}
	}
	for _, text := range []string{"", "request", "a,a", "a,,b", "a+"} {
		if _, err := model.ParseClasses(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestMessageMutants changes one value of a certificate at a time.
func TestMessageMutants(t *testing.T) {
	for _, m := range []struct {
		classes, why string
		change       func(c *cert.Certificate, claim *cert.Claim)
	}{
		{"a,b", "share", func(_ *cert.Certificate, claim *cert.Claim) { (*claim.Messages)[1] = 0 }},
		{"a,b", "would be the next one", func(_ *cert.Certificate, claim *cert.Claim) { (*claim.Messages)[1] = 2 }},
		{"a,b", "would be the next one", func(_ *cert.Certificate, claim *cert.Claim) { (*claim.Messages)[0] = 1 }},
		{"a,b", "would be the next one", func(_ *cert.Certificate, claim *cert.Claim) { (*claim.Messages)[0] = -1 }},
		{"a,b", "do not wait", func(_ *cert.Certificate, claim *cert.Claim) { *claim.Messages = (*claim.Messages)[:1] }},
		{"a,b", "does not have proved", func(c *cert.Certificate, _ *cert.Claim) { c.Claims = c.Claims[2:] }},
		{"a,b", "does not have refuted", func(_ *cert.Certificate, claim *cert.Claim) {
			claim.Verdict, claim.Evidence = cert.Refuted, cert.EvidenceDeadlocked
		}},
		{"a+b", "no two classes", func(_ *cert.Certificate, claim *cert.Claim) { (*claim.Messages)[1] = 1 }},
		{"a+b", "one each way", func(_ *cert.Certificate, claim *cert.Claim) { claim.Packets = claim.Packets[:1] }},
		{"a+b", "not in order", func(_ *cert.Certificate, claim *cert.Claim) {
			claim.Packets[0], claim.Packets[1] = claim.Packets[1], claim.Packets[0]
		}},
		{"a+b", "not at its destination", func(_ *cert.Certificate, claim *cert.Claim) {
			p := &claim.Packets[0]
			p.Path = p.Path[:len(p.Path)-2]
		}},
		{"a+b", "the other comes from", func(_ *cert.Certificate, claim *cert.Claim) { claim.Packets[1] = claim.Packets[0] }},
		{"a+b", "no next hop", func(_ *cert.Certificate, claim *cert.Claim) { claim.Packets[0].Path[2]++ }},
	} {
		c := messages(t, "mesh:3x2", "dor", m.classes).Certificate
		m.change(c, &c.Claims[len(c.Claims)-1])
		if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), m.why) {
			t.Errorf("%s: want %q, got %v", m.classes, m.why, err)
		}
	}
}
