package protocols_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file checks protocols of which transactions begin on some pairs of hosts only.

// drawnFlows draws some pairs of hosts.
func drawnFlows(rng *rand.Rand, hosts int) (list []model.Flow) {
	for s := range hosts {
		for d := range hosts {
			if s != d && rng.IntN(3) == 0 {
				list = append(list, model.Flow{Source: model.HostID(s), Dest: model.HostID(d), Amount: 1})
			}
		}
	}
	return list
}

// flowRun returns a run of a protocol whose transactions begin on the flows of the report.
func flowRun(t *testing.T, rng *rand.Rand, r model.Relation, rep *verify.Report) (*engine.Sim, int64) {
	t.Helper()
	p := model.ConditionOf[*model.Protocol](rep.Conditions)
	list, n := make(requests, r.Network().NumHosts()), int64(0)
	for range rng.IntN(60) {
		f := p.Begins[rng.IntN(len(p.Begins))]
		if slices.ContainsFunc(p.Rules, func(k model.ClassRule) bool { return len(k.After) == 0 && slices.Contains(k.From, f.Source) }) {
			n++
			list[f.Source] = append(list[f.Source], engine.Packet{Source: f.Source, Dest: model.DestID(f.Dest), Flits: 1, ID: n})
		}
	}
	if n == 0 {
		return nil, 0
	}
	rel, err := model.Replicate(r, p)
	if err != nil {
		t.Fatal(err)
	}
	o := engine.Options{Seed: rng.Uint64(), Switching: rep.Switching, Atomic: rep.Switching == model.Wormhole, BufferFlits: 1 + rng.IntN(3),
		Messages: &engine.Messages{Protocol: p, Queue: p.Network, Outstanding: p.Outstanding, Service: engine.Clock(rng.IntN(4))}}
	if rep.Acyclic.Verdict != verify.Proved {
		o.BufferFlits = 1 // some proofs suppose that a VC has one packet at a time
	}
	for range p.Rules {
		o.Messages.Flits = append(o.Messages.Flits, 1)
	}
	s, err := engine.New(rel, list, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, n
}

// TestProtocolsOnFlows: there is no internal error, and a proved protocol never freezes in the simulator.
func TestProtocolsOnFlows(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(longtest.Share(4000, 20)) {
		rng := rand.New(rand.NewPCG(seed, 12))
		deterministic := rng.IntN(2) == 0
		r := drawnRouting(rng, deterministic)
		flows := drawnFlows(rng, r.Network().NumHosts())
		o := verify.Options{Switching: []model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole}[rng.IntN(3)]}
		if rng.IntN(3) == 0 {
			classes := []string{"a,b", "a+b", "a,b,c", "a+b,c", "a,b+c"}
			m, _ := model.ParseClasses(classes[rng.IntN(len(classes))])
			o.Conditions = []model.Condition{m}
		} else {
			text, err := protocol.Parse("drawn.yaml", []byte(drawnProtocol(rng, r.Network().NumHosts(), deterministic)))
			if err != nil {
				t.Fatal(err)
			}
			p, err := text.Bind(r.Network())
			if err != nil {
				continue
			}
			o.Conditions = []model.Condition{p}
		}
		rep, err := verify.Check(context.Background(), model.WithFlows(r, flows), o)
		switch {
		case err != nil && strings.Contains(err.Error(), "internal"):
			t.Fatalf("seed %d: %v", seed, err)
		case err != nil:
			count["refused"]++
			continue
		}
		verdict := rep.Added(cert.ClaimMessages).Claim.Verdict
		for range 3 {
			s, all := flowRun(t, rng, r, rep)
			if s == nil {
				continue
			}
			if runProtocol(t, seed, s, all, "") {
				count[string(verdict)+", freezes"]++
				if verdict == verify.Proved {
					t.Fatalf("seed %d: proved by %s, but the run freezes", seed, rep.Method())
				}
			}
		}
		count[string(verdict)]++
	}
	t.Log(count)
	if count["proved"] < 20 || count["refuted"] < 5 {
		t.Errorf("%v: the test is too weak", count)
	}
}

// TestRepliesOnFlows: replies on a ring of one direction go the long way round, and block each other. A certificate that claims the classes on
// the flows alone is rejected.
func TestRepliesOnFlows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	r := smallGraph(rng, 3, [][2]int{{0, 1}, {1, 2}, {2, 0}})
	tab := r.(*model.Table)
	for u := range model.SwitchID(3) {
		for d := range model.DestID(3) {
			if int(u) != int(d) {
				next := (u + 1) % 3
				for _, c := range tab.Network().Out(u) {
					if tab.Network().Head(c) == next {
						tab.SetPort(u, d, tab.Network().TailPort(c))
					}
				}
			}
		}
	}
	flows := []model.Flow{{Source: 0, Dest: 1}, {Source: 1, Dest: 2}, {Source: 2, Dest: 0}}
	m, err := model.ParseClasses("request,reply")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(context.Background(), model.WithFlows(tab, flows), verify.Options{Conditions: []model.Condition{m}})
	if err != nil || rep.Added(cert.ClaimMessages).Claim.Verdict != verify.Refuted || rep.Verdict() != verify.Refuted {
		t.Fatal(err, rep)
	}
	alone, err := verify.Check(context.Background(), model.WithFlows(tab, flows), verify.Options{Listed: true})
	if err != nil || alone.DeadlockFree.Verdict != verify.Proved {
		t.Fatal(err, alone)
	}
	c := alone.Certificate
	c.Claims = append(c.Claims, cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNetworks, Messages: &cert.Ints{0, 1}})
	if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), "do not lead back") {
		t.Errorf("classes on the flows alone: %v", err)
	}
	p := *rep.Certificate.Claim(cert.ClaimMessages).Protocol
	for _, begins := range []*cert.Ints{p.Begins, nil} {
		if p.Begins = begins; begins == nil {
			p.Classes = slices.Clone(p.Classes)
			p.Classes[1].ToInitiator = false
		}
		c.Claims[len(c.Claims)-1] = cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNetworkOrder, Protocol: &p}
		if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), "is no flow of the subject") {
			t.Errorf("a protocol on the flows alone: %v", err)
		}
	}
}
