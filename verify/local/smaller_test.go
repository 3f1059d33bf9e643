package local

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestSmaller: a network that refutes a claim keeps only what the failure needs, and the checker accepts the refutation on it.
func TestSmaller(t *testing.T) {
	for _, c := range []struct {
		spec, hops            string
		claim                 string
		switches, links, most int // the pairs of hosts are at most this many
	}{
		{"mesh:4x4", "productive(cur, dst)", cert.ClaimDeadlockFree, 4, 4, 4},
		{"torus:4x4", "[s for s in neighbours(cur) if s.id != cur.id]", cert.ClaimLivelockFree, 3, 2, 1},
		{"fattree:k=4,levels=2", "[p for p in productive(cur, dst) if dst.id != 2]", cert.ClaimConnected, 4, 3, 1}, // switch 2, and leaves have no links
		{"mesh:3x3", "parents(cur) + children(cur)", cert.ClaimDeadlockFree, 3, 2, 2},
	} {
		p, err := program.Parse("large.star", "family = network()\n\ndef route(cur, dst, inp):\n    return "+c.hops+"\n")
		if err != nil {
			t.Fatal(err)
		}
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		rel, _, err := p.Relation(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := verify.Check(t.Context(), rel, verify.Options{AllStates: true})
		if err != nil {
			t.Fatal(err)
		}
		w := &Witness{Name: c.spec, Spec: true, Network: n, Relation: rel, Report: rep, program: p}
		if w.refutes(c.claim) == "" {
			t.Fatalf("%s on %s: %s holds", c.hops, c.spec, c.claim)
		}
		small, err := (&reducer{t.Context(), p, Options{}, c.claim, mostRemovals}).smaller(w)
		if err != nil {
			t.Fatal(err)
		}
		m := small.Network
		if m.NumSwitches() != c.switches || m.NumLinks() != c.links || len(small.Flows) > c.most || small.Flows == nil {
			t.Errorf("%s on %s: %s, %d pairs; want %d switches, %d links", c.hops, c.spec, small.Name, len(small.Flows), c.switches, c.links)
		}
		if small.Spec || small.refutes(c.claim) == "" || cert.Check(small.Report.Certificate) != nil {
			t.Errorf("%s: the small network has no refutation", c.hops)
		}
		if got := small.Report.Certificate.Subject.Network.Switches; len(got) != c.switches {
			t.Errorf("%s: the certificate has %d switches", c.hops, len(got))
		}
	}
}

// TestPart: a part of a network has the attributes and hosts of its switches, and is connected.
func TestPart(t *testing.T) {
	n, err := topo.Parse("dragonfly:a=3,h=1,g=3")
	if err != nil {
		t.Fatal(err)
	}
	all := func(int) bool { return true }
	m := part(n, func(u model.SwitchID) bool { return u != 4 }, all)
	if m == nil || m.NumSwitches() != n.NumSwitches()-1 || m.NumHosts() >= n.NumHosts() || m.Attribute("group")[4] != n.Attribute("group")[5] {
		t.Errorf("without switch 4: %v", m)
	}
	if part(n, func(u model.SwitchID) bool { return n.Attribute("group")[u] != 1 || u == 4 }, func(int) bool { return false }) != nil {
		t.Error("a network without links is a part")
	}
}
