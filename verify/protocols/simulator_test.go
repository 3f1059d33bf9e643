package protocols_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file holds verdicts against runs of the simulator, whose hosts follow the protocol.

// requests is a source with a list of packets for each host.
type requests [][]engine.Packet

// Next implements engine.Source.
func (r requests) Next(h model.HostID) (engine.Packet, bool) {
	if len(r[h]) == 0 {
		return engine.Packet{}, false
	}
	p := r[h][0]
	r[h] = r[h][1:]
	return p, true
}

// drawnRequests draws the transactions of all hosts, and returns their number.
func drawnRequests(rng *rand.Rand, p *model.Protocol, hosts, flits int) (list requests, all int64) {
	list = make(requests, hosts)
	for h := range list {
		var to []model.HostID
		for _, r := range p.Rules {
			if len(r.After) == 0 && slices.Contains(r.From, model.HostID(h)) {
				to = append(to, r.To...)
			}
		}
		clock := engine.Clock(0)
		for range min(len(to), 1) * rng.IntN(30) {
			clock += engine.Clock(rng.IntN(6))
			all++
			list[h] = append(list[h], engine.Packet{Created: clock, Source: model.HostID(h), Dest: model.DestID(to[rng.IntN(len(to))]), Flits: flits, ID: all})
		}
	}
	return list, all
}

// drawnRun returns a simulation of a protocol, and the number of its transactions.
func drawnRun(t *testing.T, rng *rand.Rand, r model.Relation, p *model.Protocol, switching model.Switching, atomic bool) (*engine.Sim, int64) {
	t.Helper()
	rel, err := model.Replicate(r, p)
	if err != nil {
		t.Fatal(err)
	}
	flits := 1 + rng.IntN(3)
	o := engine.Options{Seed: rng.Uint64(), Switching: switching, Atomic: atomic, BufferFlits: 1 + rng.IntN(3),
		Messages: &engine.Messages{Protocol: p, Queue: p.Network, Outstanding: p.Outstanding, Service: engine.Clock(rng.IntN(4))}}
	if switching != model.Wormhole {
		o.BufferFlits = max(o.BufferFlits, flits)
	}
	for range p.Rules {
		o.Messages.Flits = append(o.Messages.Flits, flits)
	}
	list, all := drawnRequests(rng, p, r.Network().NumHosts(), flits)
	s, err := engine.New(rel, list, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, all
}

// TestProtocolsAgainstRuns: a proved protocol never freezes in the simulator. A run that does not freeze ends all
// transactions. Messages that are reported to be frozen never move again.
func TestProtocolsAgainstRuns(t *testing.T) {
	cases := longtest.Cases(120, 5000)
	count := map[string]int{}
	for seed := range uint64(cases) {
		rng := rand.New(rand.NewPCG(seed, 11))
		deterministic := rng.IntN(2) == 0
		r := drawnRouting(rng, deterministic)
		text := drawnProtocol(rng, r.Network().NumHosts(), deterministic)
		switching := []model.Switching{model.CutThrough, model.Wormhole}[rng.IntN(2)]
		p, rep := checkProtocol(t, r, text, switching)
		if p == nil {
			continue
		}
		verdict := rep.Added(cert.ClaimMessages).Claim.Verdict
		// Some proofs of routings with cycles need VCs that hold one packet at a time.
		atomic := switching == model.Wormhole && (rep.Acyclic.Verdict != verify.Proved || rng.IntN(2) == 0)
		for range 3 {
			s, all := drawnRun(t, rng, r, p, switching, atomic)
			frozen := runProtocol(t, seed, s, all, text)
			switch {
			case frozen && verdict == verify.Proved:
				t.Fatalf("seed %d: proved by %s, but the run freezes\n%s", seed, rep.Method(), text)
			case frozen:
				count[string(verdict)+", freezes"]++
			case moves(t, s):
				count[string(verdict)+", no end"]++ // messages move round others that wait
			case s.Answered() != all || s.InNetwork() > 0:
				t.Fatalf("seed %d: %d of %d transactions have ended, %d packets in the network, and no deadlock\n%s", seed, s.Answered(), all, s.InNetwork(), text)
			default:
				count[string(verdict)+", ends"]++
			}
		}
	}
	t.Log(count)
	if count["refuted, freezes"] < cases/10 || count["proved, ends"] < cases/2 {
		t.Errorf("%v: the test is too weak", count)
	}
}

// moves reports whether flits move in 1000 clocks.
func moves(t *testing.T, s *engine.Sim) bool {
	t.Helper()
	before := s.FlitHops()
	if err := s.Run(context.Background(), 1000); err != nil {
		t.Fatal(err)
	}
	return s.FlitHops() > before
}

// runProtocol runs a simulation to its end. It reports whether messages are frozen, and fails if some of these move
// afterwards.
func runProtocol(t *testing.T, seed uint64, s *engine.Sim, all int64, text string) bool {
	t.Helper()
	var before []engine.Blocked
	for still := 0; still < 50 && s.Now() < 50_000 && (s.Answered() < all || s.InNetwork() > 0); {
		if err := s.Run(context.Background(), 20); err != nil {
			t.Fatal(err)
		}
		if errs := s.Check(); len(errs) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, errs[0], text)
		}
		now := s.Frozen()
		for _, x := range before {
			if !slices.ContainsFunc(now, func(y engine.Blocked) bool {
				return x.Packet == y.Packet && x.Class == y.Class && x.On[len(x.On)-1] == y.On[len(y.On)-1]
			}) {
				t.Fatalf("seed %d: clock %d: %+v was frozen and has moved\n%s", seed, s.Now(), x, text)
			}
		}
		if before = now; len(now) > 0 {
			still++
		}
	}
	return len(before) > 0
}

// TestMulticastToItsSenders: hosts of one role ask all others, and wait for the answers of each. A join waits for one answer less than the role
// has hosts. All transactions end unless messages block each other.
func TestMulticastToItsSenders(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 41))
		r := drawnRouting(rng, true)
		pick := func(words ...string) string { return words[rng.IntN(len(words))] }
		text := "classes:\n  inv: {from: all, to: all, multicast: true, vn: a}\n" +
			"  ack: {from: all, to: sender, after: inv, vn: " + pick("a", "b", "c") + ", queue: " + pick("1", "2", "infinite") + "}\n" +
			"  own: {from: all, to: sender, after: inv, vn: " + pick("b", "c") + "}\n" +
			"  end: {from: all, to: none, after: ack & own, table: " + pick("1", "infinite") + "}\n"
		switching := []model.Switching{model.CutThrough, model.Wormhole}[rng.IntN(2)]
		p, rep := checkProtocol(t, r, text, switching)
		if p == nil {
			count["no tree of paths"]++
			continue
		}
		s, all := drawnRun(t, rng, r, p, switching, false)
		switch frozen := runProtocol(t, seed, s, all, text); {
		case frozen && rep.Added(cert.ClaimMessages).Claim.Verdict == verify.Proved:
			t.Fatalf("seed %d: proved by %s, but the run freezes\n%s", seed, rep.Method(), text)
		case frozen:
			count["freezes"]++
		case s.Answered() != all || s.InNetwork() > 0:
			t.Fatalf("seed %d: %d of %d transactions have ended\n%s", seed, s.Answered(), all, text)
		default:
			count["ends, "+string(rep.Added(cert.ClaimMessages).Claim.Verdict)]++
		}
	}
	t.Log(count)
	if count["ends, proved"] < 20 || count["freezes"] < 5 {
		t.Errorf("%v: the test is too weak", count)
	}
}
