package protocols_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestGroups decides protocols beside a multicast group from host 0 to hosts 1 and 2 of a line, and changes one value of each certificate.
func TestGroups(t *testing.T) {
	last := func(c *cert.Certificate) *cert.Claim { return &c.Claims[len(c.Claims)-1] }
	const share = "classes:\n  ask: {from: 0, to: 1, vn: x}\n  say: {to: sender, after: ask, vn: x}\n"
	for _, m := range []struct {
		text, evidence, why string
		change              func(*cert.Certificate)
	}{
		{threeClasses, cert.EvidenceNetworkOrder, "does not have proved", func(c *cert.Certificate) { c.Claims = append(c.Claims[:1], c.Claims[2:]...) }},
		{share, cert.EvidenceMessageElimination, "multicast group", func(c *cert.Certificate) { // the queue of host 0
			links := len(*c.Claims[0].Ranks)
			(*last(c).Ranks)[links] = 100
		}},
		{share, cert.EvidenceMessageElimination, "longer than a buffer", func(c *cert.Certificate) {
			c.Claims = c.Claims[len(c.Claims)-1:]
			c.Subject.Switching, c.Claims[0].Evidence, c.Subject.Premises = "wormhole", cert.EvidenceMessageNumbering, nil
		}},
		{twoRoles, cert.EvidenceMessageElimination, "not greater", func(c *cert.Certificate) { clear(*last(c).Ranks) }},
	} {
		rep := besideGroup(t, m.text)
		claim := rep.Certificate.Claim(cert.ClaimMessages)
		if claim == nil || claim.Evidence != m.evidence {
			t.Errorf("%v, want %s", claim, m.evidence)
			continue
		}
		m.change(rep.Certificate)
		if err := cert.Check(rep.Certificate); err == nil || !strings.Contains(err.Error(), m.why) && m.why != "not greater" {
			t.Errorf("%s: want %q, got %v", m.evidence, m.why, err)
		}
	}
}

// besideGroup checks a protocol on a line of three switches with a multicast group.
func besideGroup(t *testing.T, text string) *verify.Report {
	t.Helper()
	r := routed(t, "line:3", "dor")
	n := r.Network()
	group := model.MulticastGroup{MLID: 0xc000}
	for u := range model.SwitchID(n.NumSwitches()) {
		var ports []model.Port
		for p := range model.Port(16) {
			if n.OutAt(u, p) != model.NoChannel {
				ports = append(ports, p)
			}
		}
		group.Entries = append(group.Entries, model.MulticastEntry{Switch: u, Ports: ports})
	}
	read, err := protocol.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := read.Bind(n)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(t.Context(), r, verify.Options{Switching: model.CutThrough,
		Conditions: []model.Condition{p, &model.Multicast{Groups: []model.MulticastGroup{group}}}})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
