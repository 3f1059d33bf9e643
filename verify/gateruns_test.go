package verify_test

import (
	"context"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/modeltest"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// drawGating draws gates, with packets of up to three flits.
func drawGating(t *rapid.T) *verify.Gating {
	g := &verify.Gating{Packet: rapid.SampledFrom([]int{2, 2, 2, 1, 3}).Draw(t, "packet")}
	g.Buffer = rapid.IntRange(g.Packet, g.Packet+3).Draw(t, "buffer")
	g.Rule = gate.DefaultRule(rapid.SampledFrom(gate.Places()).Draw(t, "place"))
	g.Rule.Unit = rapid.SampledFrom(gate.Units()).Draw(t, "unit")
	g.Rule.VCs = rapid.SampledFrom(gate.Readings()).Draw(t, "vcs")
	g.Rule.Buffer = rapid.SampledFrom(gate.Buffers()).Draw(t, "slots")
	g.Rule.Hops = rapid.IntRange(1, 3).Draw(t, "hops")
	g.Rule.WithinRow = rapid.Bool().Draw(t, "row")
	g.Rule.Func = rapid.SampledFrom([]gate.Func{{Name: "f1", Parameter: "2", Threshold: "0"}, {Name: "f4", Parameter: "2", Threshold: "1"}, {Name: "f3", Parameter: "0.5", Threshold: "0.6"}}).Draw(t, "f")
	g.Rule.Level = rapid.IntRange(0, g.Buffer-1).Draw(t, "level")
	return g
}

// TestGatesAgainstStates compares verdicts with all states of tiny networks. A run of a refuted routing
// reaches a deadlock, and no run of a proved one does.
func TestGatesAgainstStates(t *testing.T) {
	limit, specs := 1000, []string{"line:2", "ring:3", "line:3"}
	if os.Getenv("TURNPROOF_LONG") != "" {
		limit, specs = 100_000, append(specs, "mesh:2x2", "ring:4", "line:2,vcs=2")
	}
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(specs).Draw(t, "network")
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		g := drawGating(t)
		verdict, found, known := byStates(t, modeltest.Adaptive(t, n, 1), g, limit)
		counts[string(verdict)]++
		if known {
			counts["judged "+string(verdict)]++
		}
		if verdict == verify.Proved && found || verdict == verify.Refuted && known && !found {
			t.Fatalf("%s, %s, packets of %d in buffers of %d: %s, by states: %v", spec, g.Rule, g.Packet, g.Buffer, verdict, found)
		}
	})
	t.Log(counts)
}

// byStates returns the verdict, and whether some run reaches a deadlock.
func byStates(t rapid.TB, r model.Relation, g *verify.Gating, limit int) (verdict verify.Verdict, found, known bool) {
	rep, err := verify.Check(context.Background(), r, verify.Options{Gating: g})
	if err != nil {
		t.Fatal(err)
	}
	x, err := newStates(r, g)
	if err != nil {
		t.Fatal(err)
	}
	found, known = x.deadlocks(limit)
	return rep.DeadlockFree.Verdict, found, known
}

// TestBubble checks a ring in one direction whose hosts leave a bubble (C. Carrión and others, HiPC
// 1997). No run reaches a deadlock, so it is proved. Without gates it freezes.
func TestBubble(t *testing.T) {
	n, err := topo.Parse("ring:3")
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, NumClasses: 1, Dests: []model.HostID{0, 1, 2}}
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		u := n.Head(c)
		if n.Host(r.Dests[s.Dest]).Switch == u {
			return []model.Hop{{VC: n.VC(n.EjectChannel(r.Dests[s.Dest]), 0)}}
		}
		for _, o := range n.Out(u) {
			if n.Kind(o) == model.SwitchToSwitch && n.Head(o) == (u+1)%3 {
				return []model.Hop{{VC: n.VC(o, 0)}}
			}
		}
		return nil
	}
	for _, x := range []struct {
		place gate.Place
		level int
		found bool
	}{{gate.Injection, 3, false}, {gate.Turns, 3, true}, {gate.Injection, 1, true}} {
		g := &verify.Gating{Packet: 2, Buffer: 4, Rule: gate.DefaultRule(x.place)}
		g.Rule.Unit, g.Rule.Hops, g.Rule.Level = gate.Packet, 1, x.level
		verdict, found, known := byStates(t, r, g, 100_000)
		if !known || found != x.found || found != (verdict == verify.Refuted) || verdict == verify.Undecided {
			t.Errorf("%s: %s, by states: %v, known: %v", g.Rule, verdict, found, known)
		}
	}
}
