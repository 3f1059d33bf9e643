package gates_test

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestCounted proves gates by counting: on rings of four buffers, three set bits are needed to close a gate, and they leave one
// buffer outside. If two suffice, they leave two, and packets block each other. At level 4 such a buffer may set its bit as well.
// So the checker rejects the certificate of the first case for the others.
func TestCounted(t *testing.T) {
	for _, name := range []string{"simple-adaptive", "duato"} {
		r := named(t, "torus:4x4,vcs=3", name, route.Options{StayOnEscape: name == "duato"})
		for _, place := range gate.Places() {
			rep := gated(t, r, gating(t, string(place)+",f=f4:16>2,hops=4,level=0"))
			if rep.DeadlockFree.Verdict != verify.Proved {
				t.Fatalf("%s, %s: %s", name, place, rep.DeadlockFree.Reason)
			}
			g := rep.Certificate.Subject.Gates
			for what, change := range map[string]func(*cert.Gates){
				"two bits":       func(g *cert.Gates) { g.Most = 1 },
				"level 4":        func(g *cert.Gates) { g.Level = 4 },
				"reserved slots": func(g *cert.Gates) { g.Reserved, g.Level = true, 4 },
				"whole packets":  func(g *cert.Gates) { g.Buffer = 16 },
				"any VC":         func(g *cert.Gates) { g.VCs = "any" },
			} {
				old := *g
				change(g)
				if err := cert.Check(rep.Certificate); err == nil && (place != gate.Injection || what == "whole packets") {
					t.Errorf("%s, %s, %s: accepted", name, place, what)
				}
				*g = old
			}
		}
		if rep := gated(t, r, gating(t, "turn,f=f4:16>1,hops=4,level=0")); rep.DeadlockFree.Verdict != verify.Refuted {
			t.Errorf("%s, two bits close a gate: %s", name, rep.DeadlockFree.Verdict)
		}
	}
}

// TestCountedRuns makes random runs and then moves the flits behind heads as far as they can. If counting proves the gates, no
// bit is set then, and each packet is on one VC. If one bit closes a gate, bits are set in the
// deadlock that is found.
func TestCountedRuns(t *testing.T) {
	for _, x := range []struct {
		rule    string
		counted bool
	}{{"turn,f=f4:16>1,hops=3,level=0", true}, {"both,f=f4:16>1,hops=3,level=0", true}, {"turn,f=f4:16>0,hops=3,level=0", false}} {
		r := named(t, "torus:3x3,vcs=3", "simple-adaptive", route.Options{})
		g := gating(t, x.rule)
		g.Packet, g.Buffer = 3, 5
		rep := gated(t, r, g)
		if (rep.DeadlockFree.Verdict == verify.Proved) != x.counted {
			t.Fatalf("%s: %s", x.rule, rep.DeadlockFree.Verdict)
		}
		judge, err := newStates(r, g)
		if err != nil {
			t.Fatal(err)
		}
		bits := 0
		for seed := range uint64(longtest.Share(3000, 10)) {
			s := judge.placed(rep)
			if x.counted {
				s = judge.randomRun(rand.New(rand.NewPCG(seed, 1)), 400)
			}
			for judge.moveBody(s) {
			}
			for v := range model.VCID(r.Network().NumLinkVCs()) {
				if g.Buffer-judge.taken(s, v) <= g.Rule.Level {
					bits++
				}
			}
			for _, p := range s.packets {
				if len(p.vcs) > 1 && x.counted {
					t.Fatalf("%s, run %d: flits of a packet are on VCs %v", x.rule, seed, p.vcs)
				}
			}
		}
		if (bits == 0) != x.counted {
			t.Errorf("%s: %d bits are set at the end", x.rule, bits)
		}
	}
}

// randomRun returns the state after a number of random moves. Heads and new packets move more often than other flits, and
// heads seldom arrive, so the network fills up.
func (x *states) randomRun(random *rand.Rand, moves int) *judgedState {
	s := &judgedState{queues: make([][]int, x.n.NumVCs())}
	for range moves {
		if len(s.packets) > 0 && random.IntN(3) > 0 {
			p := random.IntN(len(s.packets))
			var hops []model.Hop
			x.heads(s, p, func(h model.Hop) { hops = append(hops, h) })
			if j := random.IntN(len(s.packets[p].vcs)); x.follows(s, p, j) && random.IntN(20) == 0 {
				x.advance(s, p, j)
			} else if len(hops) > 0 {
				x.enter(s, p, hops[random.IntN(len(hops))])
			}
			continue
		}
		host, d := model.HostID(random.IntN(x.r.Sources())), model.DestID(random.IntN(x.r.Destinations()))
		if !model.Sends(x.r, host, d) {
			continue
		}
		at := model.InjectState(x.r, host, d, x.r.Inject(host, d, nil)[0])
		if len(s.queues[at.VC]) == 0 {
			s.queues[at.VC] = append(s.queues[at.VC], len(s.packets))
			s.packets = append(s.packets, judgedPacket{d, at.Class, []model.VCID{at.VC}, []int{x.g.Packet}})
		}
	}
	return s
}

// moveBody moves one flit behind a head. It reports whether it could.
func (x *states) moveBody(s *judgedState) bool {
	for p := range s.packets {
		for j := range s.packets[p].vcs {
			if x.follows(s, p, j) {
				x.advance(s, p, j)
				return true
			}
		}
	}
	return false
}

// TestRepeated finds deadlocks whose packets repeat along diagonals of a torus. They are those of docs/flow-limiting.md.
func TestRepeated(t *testing.T) {
	longtest.Only(t, "TestCounted finds such a deadlock on a smaller torus.")
	for _, name := range []string{"simple-adaptive", "duato"} {
		r := named(t, "torus:8x8,vcs=3", name, route.Options{StayOnEscape: name == "duato"})
		rules := []string{"turn,f=f2,hops=4,level=0", "both,f=f2,hops=4,level=4", "injection,f=f2,hops=4,level=8"}
		if name == "simple-adaptive" {
			rules = append(rules, "turn,f=f4,hops=8,level=4", "injection,f=f4,hops=8,level=8")
		}
		for i, rule := range rules {
			if i > 0 && !longtest.IsFull() {
				continue // a minute each
			}
			if rep := gated(t, r, gating(t, rule)); rep.DeadlockFree.Verdict != verify.Refuted {
				t.Errorf("%s, %s: %s, want refuted", name, rule, rep.DeadlockFree.Verdict)
			}
		}
	}
}
