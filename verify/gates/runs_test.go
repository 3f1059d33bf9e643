package gates_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// drawGating draws gates, with packets of up to three flits.
func drawGating(t *rapid.T) *gate.Setup {
	g := &gate.Setup{Packet: rapid.SampledFrom([]int{2, 2, 2, 1, 3}).Draw(t, "packet")}
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
	if longtest.On() {
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
func byStates(t rapid.TB, r model.Relation, g *gate.Setup, limit int) (verdict verify.Verdict, found, known bool) {
	rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{g}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := newStates(r, g)
	if err != nil {
		t.Fatal(err)
	}
	if s := x.placed(rep); x.frozen(s) != len(s.packets) {
		t.Fatalf("%s, packets of %d in buffers of %d: of %d packets of the refutation %d can never move", g.Rule, g.Packet, g.Buffer, len(s.packets), x.frozen(s))
	}
	checkFlitMoves(t, rep, g.Packet)
	found, known = x.deadlocks(limit)
	return rep.DeadlockFree.Verdict, found, known
}

// checkFlitMoves makes the moves of a run flit by flit: a flit moves to the next place of its path, and at the end all flits are where the
// report says.
func checkFlitMoves(t rapid.TB, rep *verify.Report, flits int) {
	if rep.FlitMoves == nil {
		return
	}
	at := make([][]int, len(rep.Configuration))
	for i, p := range rep.Configuration {
		at[i] = make([]int, len(p.Path))
		at[i][0] = flits
	}
	for k := 0; k < len(rep.FlitMoves); k += 2 {
		i, j := rep.FlitMoves[k], rep.FlitMoves[k+1]
		if at[i][j]--; at[i][j] < 0 {
			t.Fatalf("move %d: packet %d has no flit at place %d", k/2, i, j)
		}
		at[i][j+1]++
	}
	n := rep.Relation.Network()
	for i, p := range rep.Configuration {
		for j, s := range p.Path {
			if n.IsLinkVC(s.VC) && at[i][j] != rep.Flits[i][j] {
				t.Fatalf("packet %d has %d flits at place %d, want %d", i, at[i][j], j, rep.Flits[i][j])
			}
		}
	}
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
		g := &gate.Setup{Packet: 2, Buffer: 4, Rule: gate.DefaultRule(x.place)}
		g.Rule.Unit, g.Rule.Hops, g.Rule.Level = gate.Packet, 1, x.level
		verdict, found, known := byStates(t, r, g, 100_000)
		if !known || found != x.found || found != (verdict == verify.Refuted) || verdict == verify.Undecided {
			t.Errorf("%s: %s, by states: %v, known: %v", g.Rule, verdict, found, known)
		}
	}
}

// placed returns the state of a refutation. Packets that are entirely on a VC stand in the order of
// the list, behind the one that leaves the VC and before the one that enters it.
func (x *states) placed(rep *verify.Report) *judgedState {
	s := &judgedState{queues: make([][]int, x.n.NumVCs())}
	var whole, entering [][2]int // VC and packet
	for p, y := range rep.Configuration {
		first := slices.IndexFunc(rep.Flits[p], func(k int) bool { return k > 0 })
		last := len(y.Path) - 1
		judged := judgedPacket{dest: y.Dest, class: y.Path[last].Class, flits: rep.Flits[p][first:]}
		for k := first; k <= last; k++ {
			v := x.place(y.Path[k].VC)
			judged.vcs = append(judged.vcs, v)
			switch {
			case k < last:
				s.queues[v] = append(s.queues[v], p)
			case k == first:
				whole = append(whole, [2]int{int(v), p})
			default:
				entering = append(entering, [2]int{int(v), p})
			}
		}
		s.packets = append(s.packets, judged)
	}
	for _, x := range append(whole, entering...) {
		s.queues[x[0]] = append(s.queues[x[0]], x[1])
	}
	return s
}

// TestGatedRunOrder refutes a ring in which packets to host 2 stand in front of one to host 3, and behind
// one to host 1. In another order they move.
func TestGatedRunOrder(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	next := map[[2]int][]model.VCID{ // by VC and destination
		{11, 1}: {5, 15}, {5, 1}: {4}, {4, 1}: {6}, {6, 1}: {7},
		{9, 3}: {2, 13}, {2, 3}: {3}, {3, 3}: {1}, {1, 3}: {7}, {7, 3}: {15},
		{8, 2}: {7}, {7, 2}: {5}, {5, 2}: {14},
	}
	r := &modeltest.Relation{Net: n, NumClasses: 1, Dests: []model.HostID{0, 1, 2, 3}}
	r.NextHops = func(s model.State) (hops []model.Hop) {
		for _, v := range next[[2]int{int(s.VC), int(s.Dest)}] {
			hops = append(hops, model.Hop{VC: v})
		}
		return hops
	}
	g := &gate.Setup{Packet: 1, Buffer: 2, Rule: gate.DefaultRule(gate.Injection)}
	g.Rule.Hops = 4
	rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{g}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := newStates(r, g)
	if err != nil {
		t.Fatal(err)
	}
	if s := x.placed(rep); rep.DeadlockFree.Verdict != verify.Refuted || x.frozen(s) != len(s.packets) {
		t.Errorf("%s: of %d packets %d can never move", rep.DeadlockFree.Verdict, len(s.packets), x.frozen(s))
	}
}

// TestPlacedPackets refutes dimension order with gated turns, where packets that have partly arrived keep endpoints. They
// arrive before those that close their gates.
func TestPlacedPackets(t *testing.T) {
	r := named(t, "torus:6x6,vcs=2", "dor", route.Options{})
	g := gating(t, "turn,hops=3,level=8,within=row")
	rep := gated(t, r, g)
	isRun := slices.ContainsFunc(rep.Certificate.Claims, func(c cert.Claim) bool { return c.Evidence == cert.EvidenceGatedRun })
	if !isRun || rep.Reached == nil || !*rep.Reached {
		t.Errorf("evidence by a run %t, reached %v; want both", isRun, rep.Reached)
	}
	if checkFlitMoves(t, rep, g.Packet); len(rep.FlitMoves) < 2*len(rep.Configuration) {
		t.Errorf("%d moves of flits of %d packets", len(rep.FlitMoves)/2, len(rep.Configuration))
	}
	x, err := newStates(r, g)
	if err != nil {
		t.Fatal(err)
	}
	if s := x.placed(rep); rep.DeadlockFree.Verdict != verify.Refuted || len(s.packets) == 0 || x.frozen(s) != len(s.packets) {
		t.Errorf("%s: of %d packets %d can never move", rep.DeadlockFree.Verdict, len(s.packets), x.frozen(s))
	}
}

// TestChosenPackets refutes routings on a small torus where many packets must come in the right order.
func TestChosenPackets(t *testing.T) {
	for _, c := range []struct{ name, rule string }{{"duato", "turn,hops=2,level=8"}, {"duato", "injection,hops=2,level=8"}, {"simple-adaptive", "injection,hops=2,level=8"}} {
		r := named(t, "torus:4x4,vcs=3", c.name, route.Options{StayOnEscape: c.name == "duato"})
		g := gating(t, c.rule)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		rep, err := verify.Check(ctx, r, verify.Options{Conditions: []model.Condition{g}})
		stop()
		if err != nil {
			t.Fatal(err)
		}
		x, err := newStates(r, g)
		if err != nil {
			t.Fatal(err)
		}
		if s := x.placed(rep); rep.DeadlockFree.Verdict != verify.Refuted || len(s.packets) == 0 || x.frozen(s) != len(s.packets) {
			t.Errorf("%s, %s: %s; of %d packets %d can never move", c.name, c.rule, rep.DeadlockFree.Verdict, len(s.packets), x.frozen(s))
		}
	}
}
