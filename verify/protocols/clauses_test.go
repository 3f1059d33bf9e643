package protocols_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/protocols"
)

// TestMessageClausesAgainstRuns attacks verdicts about protocols by clauses. Messages that hold several VCs run at random, from the empty network
// and from each deadlock: a proved protocol never stops, and a deadlock holds.
func TestMessageClausesAgainstRuns(t *testing.T) {
	cases, runs := longtest.Cases[uint64](2_000, 60_000), longtest.Cases(20, 60)
	count := map[string]int{}
	for seed := range cases {
		rng := rand.New(rand.NewPCG(seed, 31))
		r := drawnRouting(rng, false)
		text := drawnProtocol(rng, r.Network().NumHosts(), false)
		p, rep := checkProtocol(t, r, text, model.Wormhole)
		if p == nil {
			continue
		}
		claim := rep.Certificate.Claim(cert.ClaimMessages)
		if claim == nil {
			t.Fatalf("seed %d: undecided: %s\n%s", seed, rep.Added(cert.ClaimMessages).Claim.Reason, text)
		}
		switch claim.Evidence {
		case cert.EvidenceMessageWorms:
			m := newMachine(r, p, 1, 0, 1)
			m.longest = r.Network().NumVCs()
			if why := m.holds(rng, protocols.OutcomeOf(rep).Deadlock); why != "" {
				t.Fatalf("seed %d: the deadlock does not hold: %s\n%s", seed, why, text)
			}
		case cert.EvidenceNoMessages:
			for range runs {
				m := newMachine(r, p, 1, 1+rng.IntN(6), rng.IntN(1000))
				m.longest = 1 + rng.IntN(5)
				if ended, err := m.walk(rng, m.start(), 20*m.most); err == nil && ended {
					t.Fatalf("seed %d: proved, but messages block each other\n%s", seed, text)
				}
			}
		default:
			continue
		}
		count[claim.Evidence]++
	}
	t.Log(count)
	if count[cert.EvidenceMessageWorms] < int(cases/200) || count[cert.EvidenceNoMessages] == 0 {
		t.Errorf("%v: the test is too weak", count)
	}
}

// TestMessageClausesAgainstOrders holds verdicts by clauses against those by an order or a set of places, which are exact under
// virtual cut-through. The checker must accept each proof.
func TestMessageClausesAgainstOrders(t *testing.T) {
	cases := longtest.Cases[uint64](400, 10_000)
	count := map[string]int{}
	for seed := range cases {
		rng := rand.New(rand.NewPCG(seed, 37))
		deterministic := rng.IntN(2) == 0
		r := drawnRouting(rng, deterministic)
		text := drawnProtocol(rng, r.Network().NumHosts(), deterministic)
		switching := []model.Switching{model.CutThrough, model.Wormhole}[rng.IntN(2)]
		p, rep := checkProtocol(t, r, text, switching)
		if p == nil {
			continue
		}
		found, claim, err := byClauses(rep)
		if err != nil {
			t.Fatal(err)
		}
		proved := rep.Added(cert.ClaimMessages).Claim.Verdict == verify.Proved
		switch {
		case claim == nil && strings.Contains(text, "multicast"):
			count["open: a table waits for a multicast message"]++
			continue
		case claim == nil:
			t.Fatalf("seed %d: undecided by clauses\n%s", seed, text)
		case found == nil && !proved && switching == model.Wormhole && len(protocols.OutcomeOf(rep).Deadlock.Behind) > 0:
			count["refuted if a VC holds several messages"]++
		case (found == nil) != proved:
			t.Fatalf("seed %d: %s by %s, but clauses say otherwise\n%s", seed, rep.Added(cert.ClaimMessages).Claim.Verdict, rep.Method(), text)
		}
		if found == nil && switching == model.Wormhole && strings.Contains(text, "multicast") {
			count["no proof: a message holds branches without a flit"]++ // the rule does not ask clauses then, and the checker refuses them
			continue
		}
		count[string(rep.Added(cert.ClaimMessages).Claim.Verdict)+" "+string(switching)]++
		*rep.Certificate.Claim(cert.ClaimMessages) = *claim
		if err := cert.Check(rep.Certificate); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if found == nil {
			continue
		}
		m := newMachine(r, p, 3, 0, 1)
		if found.Worms {
			m.room, m.longest = 1, r.Network().NumVCs()
		}
		if why := m.holds(rng, found); why != "" {
			t.Fatalf("seed %d: the deadlock does not hold: %s\n%s", seed, why, text)
		}
		for i := range found.Places {
			if found.Worms && found.Places[i].Packet == nil {
				count["tables with worms"]++
			}
		}
	}
	t.Log(count)
	if n := count["tables with worms"]; n < int(cases/100) {
		t.Errorf("%v: the test is too weak", count)
	}
}
