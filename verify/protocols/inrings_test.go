package protocols_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

const (
	back   = "classes:\n  ask: {from: 0, to: 1, vn: x}\n  say: {to: sender, after: ask, vn: x}\n"
	around = "classes:\n  ask: {from: 0-1, to: 2-3, vn: x}\n  say: {to: sender, after: ask, vn: x}\n"
)

// TestInRings decides protocols with flow control of rings, and changes one value of each certificate.
func TestInRings(t *testing.T) {
	last := func(c *cert.Certificate) *cert.Claim { return &c.Claims[len(c.Claims)-1] }
	for _, m := range []struct {
		rule, text, evidence, why string
		change                    func(*cert.Certificate)
	}{
		{"bubble", back, cert.EvidenceMessageElimination, "not greater", func(c *cert.Certificate) { (*last(c).Ranks)[9] = 0 }},
		{"bubble", back, cert.EvidenceMessageElimination, "another VC of the ring", func(c *cert.Certificate) { (*last(c).Ranks)[0] = 0 }},
		{"bubble", back, cert.EvidenceMessageElimination, "ranks for", func(c *cert.Certificate) { *last(c).Tables = cert.Ints{0} }},
		{"bubble", back, cert.EvidenceMessageElimination, "copies", func(c *cert.Certificate) {
			last(c).Protocol.Classes[1].Multicast = true
		}},
		{"bubble", back, cert.EvidenceMessageElimination, "an entry needs room", func(c *cert.Certificate) {
			c.Claims, c.Subject.Bubbles.Buffer = c.Claims[len(c.Claims)-1:], 7
		}},
		{"critical-bubble", around, cert.EvidenceMessageDeadlock, "all slots of a ring", func(c *cert.Certificate) {
			c.Claims, c.Subject.Bubbles.Assumed = c.Claims[len(c.Claims)-1:], 2
		}},
		{"critical-bubble", around, cert.EvidenceMessageDeadlock, "can move", func(c *cert.Certificate) {
			last(c).Protocol.Classes[0].Consumed = true
		}},
	} {
		rep := inRings(t, m.rule, m.text)
		claim := rep.Certificate.Claim(cert.ClaimMessages)
		if claim == nil || claim.Evidence != m.evidence {
			t.Errorf("%s: %v, want %s", m.rule, claim, m.evidence)
			continue
		}
		m.change(rep.Certificate)
		if err := cert.Check(rep.Certificate); err == nil || !strings.Contains(err.Error(), m.why) {
			t.Errorf("%s: want %q, got %v", m.rule, m.why, err)
		}
	}
}

// inRings checks a protocol on a ring with flow control.
func inRings(t *testing.T, rule, text string) *verify.Report {
	t.Helper()
	r := routed(t, "ring:4", "dor")
	read, err := protocol.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := read.Bind(r.Network())
	if err != nil {
		t.Fatal(err)
	}
	kind, err := bubble.Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(t.Context(), r, verify.Options{Switching: model.CutThrough, Conditions: []model.Condition{p, &bubble.Flow{Rule: kind, Packet: 4, Buffer: 8}}})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
