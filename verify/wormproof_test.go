package verify

import (
	"slices"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/modeltest"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/clausal"
	"github.com/turnproof/turnproof/verify/encode"
	"github.com/turnproof/turnproof/verify/reach"
	"github.com/turnproof/turnproof/verify/smt"
)

// clockwise returns a routing on a ring of four: packets go clockwise to the next or the next but one switch.
func clockwise(t *testing.T) model.Relation {
	t.Helper()
	n, err := topo.Ring(4, topo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1, 2, 3}}
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		if u := n.Head(c); u != n.Host(model.HostID(s.Dest)).Switch {
			return []model.Hop{{VC: n.VC(n.OutAt(u, 1), 0)}}
		}
		return []model.Hop{{VC: n.VC(n.EjectChannel(model.HostID(s.Dest)), 0)}}
	}
	return r
}

// refuteFalsely returns a refutation of the clauses of g that excludes deadlocks which worms reach.
func refuteFalsely(t *testing.T, g *wormGraph) (proof []clausal.Step, excluded int) {
	t.Helper()
	f := newWormFormula(g)
	for f.solver.Solve(t.Context()) == clausal.Sat {
		if f.addBrokenPairs() || f.addRings() {
			continue
		}
		bodies := statesOf(f.closedBodies())
		if g.meet(t.Context(), bodies).Answer == reach.Yes {
			excluded++
		} else {
			bodies = g.fewestApart(t.Context(), bodies)
		}
		f.solver.Add(stepApart, f.exclude(bodies)...)
	}
	return f.solver.Refutation(), excluded
}

// TestFalseProofs checks that a refutation which excludes reached deadlocks is rejected.
func TestFalseProofs(t *testing.T) {
	r := clockwise(t)
	rep, err := Check(t.Context(), r, Options{Switching: model.Wormhole})
	if err != nil {
		t.Fatal(err)
	}
	g, err := newWormGraph(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	proof, excluded := refuteFalsely(t, g)
	if excluded == 0 {
		t.Fatal("no deadlock is reached")
	}
	t.Logf("%d deadlocks excluded, %d steps", excluded, len(proof))
	c := *rep.Certificate
	c.Claims = []cert.Claim{{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceNoWorms, Steps: encode.Steps(proof)}}
	if cert.Check(&c) == nil {
		t.Error("a proof that excludes reached deadlocks is accepted")
	}
	c.Claims[0].Steps = encode.Steps(slices.DeleteFunc(slices.Clone(proof), func(s clausal.Step) bool { return s.Kind == stepApart }))
	if cert.Check(&c) == nil {
		t.Error("a proof without its exclusions is accepted")
	}
}

// TestSharedStates gives the checker a proof for packets to the first destination on a ring, which may leave at each
// switch. Those to the second destination go round and round, and block each other.
func TestSharedStates(t *testing.T) {
	b := model.NewBuilder()
	for u := range model.SwitchID(3) {
		b.AddSwitch(model.Switch{})
		b.AddLink(u, 1, (u+1)%3, 2)
	}
	for port, u := range []model.SwitchID{0, 0, 1, 2} {
		b.AddHost(model.Host{Switch: u, Port: model.Port(3 + port)})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1}}
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		next := []model.Hop{{VC: n.VC(n.OutAt(n.Head(c), 1), 0)}}
		if s.Dest == 0 {
			next = append(next, model.Hop{VC: n.VC(n.EjectChannel([]model.HostID{0, 2, 3}[n.Head(c)]), 0)})
		}
		return next
	}
	rep, err := Check(t.Context(), r, Options{Switching: model.Wormhole})
	if err != nil {
		t.Fatal(err)
	}
	if rep.DeadlockFree.Verdict != Refuted {
		t.Errorf("%s", rep.DeadlockFree.Verdict)
	}
	c := *rep.Certificate
	// Of 6 VCs, packets use 3. The states of the first destination have the numbers 7 to 9, their edges 10 to 12.
	steps := cert.Ints{3, 3, -10, -11, -12, 0, 1, -7, 0, 1, -8, 0, 1, -9, 0, 0}
	c.Claims = []cert.Claim{{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceNoWorms, Steps: &steps}}
	if cert.Check(&c) == nil {
		t.Error("a proof for the first destination is accepted for both")
	}
}

// TestZ3RefutesWorms checks that Z3 agrees with proofs by no-worms, and contradicts a proof that lacks its lemmas.
func TestZ3RefutesWorms(t *testing.T) {
	if !smt.Available() {
		t.Skip("this build has no Z3")
	}
	for away := 1; away <= 2; away++ {
		rep, err := Check(t.Context(), Shuttle(away), Options{Switching: model.Wormhole})
		if err != nil || !rep.DeadlockFree.ByNoWorms() {
			t.Fatalf("%v: %v", rep.DeadlockFree, err)
		}
		said, err := CrossCheck(t.Context(), rep, time.Minute)
		if err != nil || !slices.Contains(said, "deadlock-free: proved") {
			t.Errorf("%q, %v", said, err)
		}
		rep.proof = []int32{0, 0}
		if _, err := CrossCheck(t.Context(), rep, time.Minute); err == nil {
			t.Error("Z3 finds no worms without the lemmas")
		}
	}
}
