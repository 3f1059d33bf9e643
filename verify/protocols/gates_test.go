package protocols_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	_ "github.com/turnproof/turnproof/verify/conditions" // gates
)

// gatedClasses checks classes of messages on a mesh with gates.
func gatedClasses(t *testing.T, spec, rule, classes string) *verify.Report {
	t.Helper()
	g, err := gate.Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	list, err := model.ParseClasses(classes)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(t.Context(), routed(t, spec, "dor"), verify.Options{Conditions: []model.Condition{&gate.Setup{Rule: g, Packet: 8, Buffer: 15}, list}})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestGatedClasses decides classes of messages with gates, and changes one value of each certificate.
func TestGatedClasses(t *testing.T) {
	for _, m := range []struct {
		spec, rule, classes string
		verdict             verify.Verdict
		why                 string
		change              func(*cert.Certificate)
	}{
		{"mesh:3x3", "injection,level=1", "a,b", verify.Proved, "classes share", func(c *cert.Certificate) { (*c.Claims[4].Messages)[1] = 0 }},
		{"mesh:3x3", "injection,level=1", "a,b", verify.Proved, "does not have proved", func(c *cert.Certificate) { c.Claims = append(c.Claims[:1], c.Claims[2:]...) }},
		{"mesh:3x3,vcs=2", "injection,level=0,hops=1,unit=packet", "a,b,c", verify.Proved, "gates by flit", func(c *cert.Certificate) { c.Subject.Gates.ByFlit = true }},
		{"mesh:3x3", "injection,level=1", "a+b", verify.Refuted, "no two classes share", func(c *cert.Certificate) { (*c.Claims[4].Messages)[1] = 1 }},
		{"mesh:3x3", "injection,level=1", "a,b", verify.Proved, "message-elimination", func(c *cert.Certificate) {
			ranks := cert.Ints{0}
			c.Claims[4] = cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceMessageElimination, Ranks: &ranks, Tables: &cert.Ints{},
				Protocol: &cert.Protocol{Networks: 1, Classes: []cert.MessageClass{{Name: "a", From: cert.Ints{0}, To: cert.Ints{1}}}}}
		}},
	} {
		rep := gatedClasses(t, m.spec, m.rule, m.classes)
		if v := rep.Added(cert.ClaimMessages).Claim.Verdict; v != m.verdict {
			t.Errorf("%s, %s: %s, want %s", m.rule, m.classes, v, m.verdict)
			continue
		}
		m.change(rep.Certificate)
		if err := cert.Check(rep.Certificate); err == nil || !strings.Contains(err.Error(), m.why) {
			t.Errorf("%s, %s: want %q, got %v", m.rule, m.classes, m.why, err)
		}
	}
	if c := gatedClasses(t, "mesh:3x3,vcs=2", "both,level=1", "a,b").Added(cert.ClaimMessages).Claim; c.Verdict != verify.Undecided {
		t.Errorf("gates by flit, two VCs: %s", c.Verdict)
	}
}

// TestGatedCauses: messages of two virtual networks cause a class, and a gate by flit can keep the rest of one that has taken the room of its host.
func TestGatedCauses(t *testing.T) {
	check := func(unit string) *verify.Report {
		g, err := gate.Parse("injection,level=1,unit=" + unit)
		if err != nil {
			t.Fatal(err)
		}
		r := routed(t, "mesh:3x3", "dor")
		x, err := protocol.Parse("causes.yaml", []byte("classes:\n  a: {}\n  b: {}\n  c: {to: sender, after: [a, b], queue: 1}\n"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := x.Bind(r.Network())
		if err != nil {
			t.Fatal(err)
		}
		rep, err := verify.Check(t.Context(), r, verify.Options{Conditions: []model.Condition{&gate.Setup{Rule: g, Packet: 8, Buffer: 15}, p}})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	whole, flits := check("packet"), check("flit")
	if a, b := whole.Added(cert.ClaimMessages).Claim.Verdict, flits.Added(cert.ClaimMessages).Claim.Verdict; a != verify.Proved || b != verify.Undecided {
		t.Fatalf("gates by packet: %s, by flit: %s; want proved and undecided", a, b)
	}
	c := flits.Certificate
	c.Claims = append(c.Claims, *whole.Certificate.Claim(cert.ClaimMessages))
	if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), "several virtual networks") {
		t.Errorf("gates by flit, with the proof for gates by packet: %v", err)
	}
}
