package protocols_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify/cert"
)

// routed returns a routing with a name on a network.
func routed(t *testing.T, spec, routing string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// protocolCertificate checks a protocol on a network and returns the certificate and its claim about messages.
func protocolCertificate(t *testing.T, spec, routing, text, evidence string) (*cert.Certificate, *cert.Claim) {
	t.Helper()
	r := routed(t, spec, routing)
	_, rep := checkProtocol(t, r, text, model.CutThrough)
	c := rep.Certificate
	claim := c.Claim(cert.ClaimMessages)
	if claim.Evidence != evidence {
		t.Fatalf("evidence %s, want %s", claim.Evidence, evidence)
	}
	return c, claim
}

const (
	threeClasses = "classes:\n  a: {from: 0, to: 1, vn: x}\n  b: {from: 1, to: 2, after: a, vn: y}\n  c: {from: 2, to: initiator, after: b, vn: z}\n"
	twoRoles     = "classes:\n  ask: {from: 0, to: 1, vn: x}\n  say: {from: 1, to: sender, after: ask, vn: x}\n"
	smallTable   = "classes:\n  aw: {from: 0-1, to: 2, vn: x}\n  w: {from: 0-1, to: 2, vn: x}\n  b: {from: 2, to: initiator, after: aw & w, vn: y}\n"
	peers        = "classes:\n  ask: {vn: x}\n  say: {to: sender, after: ask, vn: x}\n"
)

// TestProtocolMutants changes one value of a certificate at a time.
func TestProtocolMutants(t *testing.T) {
	for _, m := range []struct {
		spec, text, evidence, why string
		change                    func(*cert.Claim)
	}{
		{"line:3", threeClasses, cert.EvidenceNetworkOrder, "wait for networks that wait", func(k *cert.Claim) { k.Protocol.Classes[2].Network = 0 }},
		{"line:3", threeClasses, cert.EvidenceNetworkOrder, "in a cycle", func(k *cert.Claim) { k.Protocol.Classes[0].After = []cert.Ints{{2}} }},
		{"line:3", threeClasses, cert.EvidenceNetworkOrder, "does not receive", func(k *cert.Claim) { k.Protocol.Classes[1].From = cert.Ints{0} }},
		{"line:3", threeClasses, cert.EvidenceNetworkOrder, "does not send", func(k *cert.Claim) { k.Protocol.Classes[0].To = cert.Ints{1, 2} }},
		{"line:2", twoRoles, cert.EvidenceMessageElimination, "not greater", func(k *cert.Claim) { (*k.Ranks)[1] = 0; (*k.Ranks)[0] = 0; clear(*k.Ranks) }},
		{"line:2", twoRoles, cert.EvidenceMessageElimination, "has no rank", func(k *cert.Claim) { (*k.Ranks)[0] = -1 }},
		{"line:2", twoRoles, cert.EvidenceMessageElimination, "ranks for", func(k *cert.Claim) { *k.Tables = cert.Ints{0} }},
		{"line:3", smallTable, cert.EvidenceMessageDeadlock, "can move", func(k *cert.Claim) { k.Protocol.Classes[0].Consumed = true }},
		{"line:3", smallTable, cert.EvidenceMessageDeadlock, "can move", func(k *cert.Claim) { k.Protocol.Classes[2].Table = false }},
		{"line:3", smallTable, cert.EvidenceMessageDeadlock, "can move", func(k *cert.Claim) { *k.Tables = cert.Ints{} }},
		{"line:3", smallTable, cert.EvidenceMessageDeadlock, "does not wait for", func(k *cert.Claim) { (*k.Tables)[4] = 0 }},
		{"line:3", smallTable, cert.EvidenceMessageDeadlock, "does not wait for", func(k *cert.Claim) { (*k.Tables)[4] = -1 }},
		{"line:3", smallTable, cert.EvidenceMessageDeadlock, "occurs twice", func(k *cert.Claim) { *k.Tables = append(*k.Tables, 2, 2, -1, -1, -1) }},
	} {
		c, claim := protocolCertificate(t, m.spec, "dor", m.text, m.evidence)
		m.change(claim)
		if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), m.why) {
			t.Errorf("%s: want %q, got %v", m.evidence, m.why, err)
		}
	}
}

// TestProtocolDeadlockIsNeeded removes each packet of a deadlock of adaptive routing: another one can move then.
func TestProtocolDeadlockIsNeeded(t *testing.T) {
	several := false
	for i := 0; ; i++ {
		c, claim := protocolCertificate(t, "mesh:2x2", "minimal", peers, cert.EvidenceMessageDeadlock)
		if i == len(claim.Packets) {
			break
		}
		several = several || len(claim.Packets) > 3
		carries := slices.Delete(slices.Clone(*claim.Carries), i, i+1)
		claim.Packets, claim.Carries = slices.Delete(slices.Clone(claim.Packets), i, i+1), &carries
		if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), "can move") {
			t.Errorf("without packet %d: %v", i, err)
		}
	}
	if !several {
		t.Error("the deadlock has few packets")
	}
}

// TestProtocolFreeAlternative adds a packet to a deadlock that waits for a VC of the deadlock or for a free one.
func TestProtocolFreeAlternative(t *testing.T) {
	n, _ := topo.Parse("mesh:3x3")
	r, err := route.New("minimal", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, claim := protocolCertificate(t, "mesh:3x3", "minimal", peers, cert.EvidenceMessageDeadlock)
	packets, carries, tried := claim.Packets, *claim.Carries, 0
	ends := func(v int32) bool {
		return slices.ContainsFunc(packets, func(p cert.Packet) bool { return p.Path[len(p.Path)-2] == v })
	}
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.DestID(n.NumHosts()) {
			if h == model.HostID(d) {
				continue
			}
			first := model.InjectState(r, h, d, 0)
			for _, hop := range append(r.Next(first, nil), model.Hop{VC: first.VC}) {
				path, last := []int32{int32(first.VC), 0}, first
				if hop.VC != first.VC {
					path, last = append(path, int32(hop.VC), 0), model.State{VC: hop.VC, Dest: d}
				}
				held, hops := 0, r.Next(last, nil)
				for _, next := range hops {
					if ends(int32(next.VC)) {
						held++
					}
				}
				if ends(int32(last.VC)) || held == 0 || held == len(hops) {
					continue
				}
				tried++
				more := append(slices.Clone(carries), 0)
				claim.Packets = append(slices.Clone(packets), cert.Packet{Source: int(h), Destination: int(d), Path: path})
				claim.Carries = &more
				if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), "can move") {
					t.Errorf("a packet from host %d to host %d: %v", h, d, err)
				}
			}
		}
	}
	if tried == 0 {
		t.Error("no packet has both a held and a free alternative")
	}
}
