package protocols_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/protocols"
)

// checkProtocol decides a protocol on a routing.
func checkProtocol(t *testing.T, r model.Relation, text string, s model.Switching, known ...facts.Facts) (*model.Protocol, *verify.Report) {
	t.Helper()
	parsed, err := protocol.Parse("drawn.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsed.Bind(r.Network())
	if err != nil {
		return nil, nil
	}
	o := verify.Options{Conditions: []model.Condition{p}, Switching: s}
	for _, f := range known {
		o.Facts = f
	}
	rep, err := verify.Check(context.Background(), r, o)
	if err != nil && strings.Contains(err.Error(), "join again") {
		return nil, nil // no tree of paths
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p, rep
}

// TestProtocolsAgainstAllStates holds verdicts against all states of small networks, or against random walks through these
// states.
func TestProtocolsAgainstAllStates(t *testing.T) {
	cases := longtest.Cases(80, 3000)
	count := map[string]int{}
	for seed := range uint64(cases) {
		rng := rand.New(rand.NewPCG(seed, 7))
		deterministic := rng.IntN(2) == 0
		r := drawnRouting(rng, deterministic)
		text := drawnProtocol(rng, r.Network().NumHosts(), deterministic)
		p, rep := checkProtocol(t, r, text, []model.Switching{model.CutThrough, model.Wormhole}[rng.IntN(2)])
		if p == nil {
			count["contradictory"]++
			continue
		}
		verdict := string(rep.Added(cert.ClaimMessages).Claim.Verdict)
		if rep.Added(cert.ClaimMessages).Claim.Verdict == verify.Refuted {
			m := newMachine(r, p, 3, 0, 1)
			if protocols.OutcomeOf(rep).Deadlock.Worms {
				count["refuted by worms"]++
				m.room, m.longest = 1, r.Network().NumVCs()
			}
			if why := m.holds(rng, protocols.OutcomeOf(rep).Deadlock); why != "" {
				t.Fatalf("seed %d: the deadlock does not hold: %s\n%s", seed, why, text)
			}
		}
		stuck := false
		for try := range 30 {
			m := newMachine(r, p, 1+try%3, 1+rng.IntN(6), rng.IntN(1000))
			if rep.Switching == model.Wormhole && try%2 == 0 {
				m.room, m.longest = 1, 1+rng.IntN(4)
			}
			ended, err := m.walk(rng, m.start(), 20*m.most)
			if err != nil { // a message moves round others that wait
				count[verdict+", no end"]++
			}
			if stuck = stuck || ended; ended {
				break
			}
		}
		if !stuck && seed%4 == 0 {
			m := newMachine(r, p, 1, 1, rng.IntN(1000))
			if rep.Switching == model.Wormhole {
				m.longest = 1 + rng.IntN(3)
			}
			found, all := m.search(3000)
			if stuck = stuck || found; all {
				count[verdict+", all states"]++
			}
		}
		if stuck && rep.Added(cert.ClaimMessages).Claim.Verdict == verify.Proved {
			t.Fatalf("seed %d: proved by %s, but messages block each other\n%s", seed, rep.Method(), text)
		}
		if stuck {
			verdict += ", messages block each other"
		}
		count[verdict]++
	}
	t.Log(count)
	if n := count["refuted, messages block each other"]; n < cases/10 || count["proved"] < cases/10 || n < count["refuted"] {
		t.Errorf("%v: the test is too weak", count)
	}
}
