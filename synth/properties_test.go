package synth

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/verify"
)

// This file holds every method, with any options that promise it, to: no cycle, a
// way for each pair, and nothing left to release after Release.

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// sound draws options of a method that promise a proof.
func sound(r *rand.Rand, m Method, n *model.Network) Options {
	o := Options{Seed: r.Uint64(), Traffic: randomTraffic(r, n), Release: r.IntN(3) == 0}
	o.BothDirections = o.Release && r.IntN(2) == 0
	if m.Reads("root") {
		switch r.IntN(3) {
		case 0:
			o.Root = strconv.Itoa(r.IntN(n.NumSwitches()))
		case 1:
			o.Root = pick(r, rootRules).Name
		}
	}
	if m.Reads("children") {
		o.Tree = hv.Options{Neighbours: pick(r, hv.NeighbourOrders()), Parent: pick(r, hv.ParentRules()), Children: pick(r, hv.ChildOrders()), Seed: r.Uint64()}
		if m.Name == "updown" && r.IntN(3) == 0 {
			o.Tree.Search, o.Tree.Parent = hv.DFS, ""
		}
	}
	if m.Reads("ties") {
		o.Ties = pick(r, hv.TieRules())
	}
	if m.Reads("marks") {
		o.DA = DAOptions{Starts: pick(r, StartOrders()), Off: r.IntN(4) == 0}
	}
	if m.Reads("select") {
		o.Select, o.Totals = pick(r, []string{SelectTraffic, SelectDegree}), pick(r, TotalRules())
	}
	if m.Reads("turn-traffic") {
		o.TurnTraffic = pick(r, TurnTrafficRules())
	}
	if m.Reads("form") {
		o.Form, o.Equal = pick(r, []string{FormSafe, FormTree}), pick(r, EqualRules())
	}
	return o
}

// TestEverySetIsProved draws networks and options, and has each set proved.
func TestEverySetIsProved(t *testing.T) {
	networks := longtest.Cases(400, 100_000) // times the methods
	r := rand.New(rand.NewPCG(7, 0))
	sets, released := 0, 0
	for i := range networks {
		n := randomNetwork(r, 10)
		for _, m := range publishedMethods() {
			o := sound(r, m, n)
			res, err := New(context.Background(), m.Name, n, o)
			if err != nil {
				t.Fatalf("network %d, %s %+v: %v", i, m.Name, o, err)
			}
			var tree []model.ChannelID // a hint that the checker may refuse
			if res.Tree != nil {
				tree = res.Tree.Up
			}
			rep, err := verify.CheckTurns(context.Background(), res.Allowed, verify.TurnOptions{Tree: tree})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
				t.Fatalf("network %d (%d switches, %d links), %s %+v: acyclic %s, connected %s", i, n.NumSwitches(), n.NumLinks(), m.Name, o, rep.Acyclic.Verdict, rep.Connected.Verdict)
			}
			sets++
			if o.Release {
				released++
				if more, found := releasable(res.Allowed, o.BothDirections); found {
					t.Fatalf("network %d, %s %+v: %v can still be released", i, m.Name, o, more)
				}
			}
			if i%50 == 0 {
				again, err := New(context.Background(), m.Name, n, o)
				if err != nil || !same(res.Allowed, again.Allowed) {
					t.Fatalf("network %d, %s %+v: another set the second time, %v", i, m.Name, o, err)
				}
			}
		}
	}
	t.Logf("%d sets proved, %d of them after release", sets, released)
}

// releasable looks for a prohibited turn that closes no cycle.
func releasable(allowed *model.TurnSet, both bool) (model.Turn, bool) {
	for t := range model.Turns(allowed.Network(), false) {
		if allowed.Has(t) {
			continue
		}
		more := allowed.Clone()
		more.Add(t)
		if both {
			more.Add(reverse(allowed.Network(), t))
		}
		if len(cdg.FromTurns(more).CyclicComponents()) == 0 {
			return t, true
		}
	}
	return model.Turn{}, false
}

func same(a, b *model.TurnSet) bool {
	return slices.Equal(slices.Collect(a.All()), slices.Collect(b.All()))
}

// TestReleaseOnlyAdds checks that Release keeps all allowed turns, and does not change cyclic
// sets.
func TestReleaseOnlyAdds(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 0))
	for range 100 {
		n := randomNetwork(r, 8)
		for _, m := range publishedMethods() {
			o := sound(r, m, n)
			o.Release, o.BothDirections = false, false
			before, err := New(context.Background(), m.Name, n, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, o.BothDirections = range []bool{false, true} {
				o.Release = true
				after, err := New(context.Background(), m.Name, n, o)
				if err != nil {
					t.Fatal(err)
				}
				for turn := range before.Allowed.All() {
					if !after.Allowed.Has(turn) {
						t.Fatalf("%s: release took %v away", m.Name, turn)
					}
				}
				if k := after.Allowed.Len() - before.Allowed.Len(); !slices.Contains(after.Notes, fmt.Sprintf("%d turns released", k)) {
					t.Fatalf("%s: %d turns released, notes %v", m.Name, k, after.Notes)
				}
			}
		}
	}
	c := counterexamples[0]
	res, err := New(context.Background(), c.method, parseLinks(c.links), Options{Root: "0", DA: c.readings()[0].o, Release: true})
	if err != nil || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "cyclic") {
		t.Errorf("release of a cyclic set: %v, %v", res, err)
	}
}

// TestTurnModels checks that DA prohibits conditional turns only, beside the turns that are always
// prohibited. Without DA, L-turn and R-turn are the reverse of each other.
func TestTurnModels(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 0))
	for range 300 {
		n := randomNetwork(r, 9)
		root := strconv.Itoa(r.IntN(n.NumSwitches()))
		off := map[string]*model.TurnSet{}
		for _, m := range turnModels {
			res, err := New(context.Background(), m, n, Options{Root: root})
			if err != nil {
				t.Fatal(err)
			}
			all, err := New(context.Background(), m, n, Options{Root: root, DA: DAOptions{Off: true}})
			if err != nil {
				t.Fatal(err)
			}
			off[m] = all.Allowed
			always, conditional, _ := ClassPolicy(m)
			for turn := range model.Turns(n, false) {
				class, turns := res.Graph.ClassTurn(model.ChannelID(turn.In), model.ChannelID(turn.Out))
				must := turns && always.Has(class)
				may := turns && conditional.Has(class)
				if !may && res.Allowed.Has(turn) == must {
					t.Fatalf("%s: turn %v of class %s allowed %v", m, turn, class, res.Allowed.Has(turn))
				}
				if all.Allowed.Has(turn) != (!must && !may) {
					t.Fatalf("%s without DA: turn %v of class %s allowed %v", m, turn, class, all.Allowed.Has(turn))
				}
			}
		}
		if !same(reverseAll(off["lturn-alpha"]), off["rturn-alpha"]) || !same(reverseAll(off["lturn-beta"]), off["rturn-beta"]) {
			t.Fatal("R-turn is not the reverse of L-turn")
		}
	}
}

// TestUpDownIsUpDown: no turn from down to up is allowed, all others are.
func TestUpDownIsUpDown(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 0))
	m := methods[0]
	for range 200 {
		n := randomNetwork(r, 9)
		o := sound(r, m, n)
		o.Release = false
		res, err := New(context.Background(), m.Name, n, o)
		if err != nil {
			t.Fatal(err)
		}
		up, err := res.Tree.UpChannels(o.Ties)
		if err != nil {
			t.Fatal(err)
		}
		for turn := range model.Turns(n, false) {
			if res.Allowed.Has(turn) == (!up[turn.In] && up[turn.Out]) {
				t.Fatalf("turn %v: allowed %v", turn, res.Allowed.Has(turn))
			}
		}
		if (res.Graph == nil) != (o.Tree.Search == hv.DFS) {
			t.Fatal("graph")
		}
	}
}

// TestProhibitionForms compares TP with a second implementation.
func TestProhibitionForms(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 0))
	for i := range 500 {
		n := randomNetwork(r, 8)
		o := Options{Select: pick(r, Selections()), Totals: pick(r, TotalRules()), Traffic: randomTraffic(r, n)}
		res, err := New(context.Background(), "tp", n, o)
		if err != nil {
			t.Fatal(err)
		}
		w := newWork(context.Background(), n, o)
		weight, err := w.traffic()
		if err != nil {
			t.Fatal(err)
		}
		if want := prohibitionByHand(n, weight, o); !same(res.Allowed, want) {
			t.Fatalf("network %d, %+v: not the set that the paper's course gives", i, o)
		}
		if !isAcyclic(res.Allowed) {
			t.Fatalf("network %d, %+v: a cycle", i, o)
		}
	}
}

// prohibitionByHand takes switches as prohibition.go says: of those without which
// the terminals that are left stay in one part the least, of equally small ones
// rather one whose neighbours stay in one part.
func prohibitionByHand(n *model.Network, weight *TurnTraffic, o Options) *model.TurnSet {
	k := n.NumSwitches()
	gone, terminal, allowed := make([]bool, k), make([]bool, k), allTurns(n)
	for h := range model.HostID(n.NumHosts()) {
		terminal[n.Host(h).Switch] = true
	}
	left := func(t model.Turn) bool {
		return !gone[n.Tail(model.ChannelID(t.In))] && !gone[n.Head(model.ChannelID(t.In))] && !gone[n.Head(model.ChannelID(t.Out))]
	}
	first := make([]float64, k)
	for t := range model.Turns(n, false) {
		first[n.Head(model.ChannelID(t.In))] += weight.Of(t)
	}
	unit := slices.Max(first) * 1e-7
	for range k {
		total, links := make([]float64, k), make([]int, k)
		for t := range model.Turns(n, false) {
			if u := n.Head(model.ChannelID(t.In)); left(t) {
				total[u] += weight.Of(t)
			}
		}
		for c := range model.ChannelID(n.NumLinkChannels()) {
			if !gone[n.Tail(c)] && !gone[n.Head(c)] {
				links[n.Tail(c)]++
			}
		}
		if o.Totals == TotalsFirst {
			copy(total, first)
		}
		less := func(u, v int) bool { return total[u] < total[v]-unit }
		if o.Select == SelectDegree {
			less = func(u, v int) bool { return links[u] < links[v] }
		}
		best, bestHeir, bestWhole := -1, -1, false
		for u := range k {
			if gone[u] {
				continue
			}
			heir, spare, whole := withoutIt(n, gone, terminal, u)
			if o.Select == SelectAnywhere {
				spare, whole = true, true
			}
			if !spare {
				continue
			}
			better := best < 0 || less(u, best)
			if !better && !less(best, u) {
				better = whole && !bestWhole || whole == bestWhole && links[u] < links[best]
			}
			if better {
				best, bestHeir, bestWhole = u, heir, whole
			}
		}
		for t := range model.Turns(n, false) {
			if int(n.Head(model.ChannelID(t.In))) == best && left(t) {
				allowed.Remove(t)
			}
		}
		gone[best], terminal[best] = true, false
		if bestHeir >= 0 {
			terminal[bestHeir] = true
		}
	}
	return allowed
}

// withoutIt says whether the terminals left stay in one part without u, with one
// of its neighbours there if u is a terminal itself, and which takes its part;
// and whether its neighbours stay in one part.
func withoutIt(n *model.Network, gone, terminal []bool, u int) (heir int, spare, whole bool) {
	part := make([]int, len(gone)) // 0: not there
	parts := 0
	for v := range gone {
		if gone[v] || v == u || part[v] > 0 {
			continue
		}
		parts++
		for stack := []int{v}; len(stack) > 0; {
			w := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if gone[w] || w == u || part[w] > 0 {
				continue
			}
			part[w] = parts
			for c := range model.ChannelID(n.NumLinkChannels()) {
				if int(n.Tail(c)) == w {
					stack = append(stack, int(n.Head(c)))
				}
			}
		}
	}
	at := 0 // the part of the terminals
	for v := range gone {
		if v != u && terminal[v] && !gone[v] {
			if at > 0 && part[v] != at {
				return -1, false, false
			}
			at = part[v]
		}
	}
	heir, whole = -1, true
	other := 0
	for _, c := range n.Out(model.SwitchID(u)) {
		v := int(n.Head(c))
		if n.Kind(c) != model.SwitchToSwitch || gone[v] {
			continue
		}
		if other > 0 && part[v] != other {
			whole = false
		}
		other = part[v]
		if terminal[u] && at > 0 && part[v] == at && (heir < 0 || terminal[v] && !terminal[heir]) {
			heir = v
		}
	}
	return heir, at == 0 || !terminal[u] || heir >= 0, whole
}

// TestProhibitionAnywhere keeps smallest networks on which TP without regard to
// connectivity parts the network: 4 switches where totals are those of the
// beginning (5 with uniform traffic), 7 where they are those of the turns left.
func TestProhibitionAnywhere(t *testing.T) {
	for _, c := range []struct {
		name, links, totals string
		pairs               [][2]model.HostID // traffic both ways; nil: uniform
		lost                int64
	}{
		{"ring of four, two opposite switches talk", "0-1 1-2 2-3 3-0", TotalsFirst, [][2]model.HostID{{0, 2}}, 2},
		{"K2,3, uniform traffic", "0-2 0-3 0-4 1-2 1-3 1-4", TotalsFirst, nil, 2},
		{"two triangles over a switch that nothing passes", "0-1 0-2 1-3 1-4 3-4 2-5 2-6 5-6", TotalsLeft, [][2]model.HostID{{1, 3}, {2, 5}}, 18},
		{"two double links over a switch that nothing passes", "0-1 0-2 1-3 1-3 2-4 2-4", TotalsLeft, [][2]model.HostID{{1, 3}, {2, 4}}, 8},
	} {
		n := parseLinks(c.links)
		var traffic *model.Traffic
		if c.pairs != nil {
			var err error
			if traffic, err = model.HalvesTraffic(n, 0, 0); err != nil {
				t.Fatal(err)
			}
			for _, p := range c.pairs {
				if traffic.Set(p[0], p[1], 1) != nil || traffic.Set(p[1], p[0], 1) != nil {
					t.Fatal("set")
				}
			}
		}
		for _, sel := range Selections() {
			res, err := New(context.Background(), "tp", n, Options{Select: sel, Totals: c.totals, Traffic: traffic})
			if err != nil {
				t.Fatal(err)
			}
			rep, err := verify.CheckTurns(context.Background(), res.Allowed, verify.TurnOptions{})
			if err != nil {
				t.Fatal(err)
			}
			want := int64(0)
			if sel == SelectAnywhere {
				want = c.lost
			}
			if rep.Acyclic.Verdict != verify.Proved || rep.Unreachable != want {
				t.Errorf("%s, %s: acyclic %s, %d pairs lost, want %d", c.name, sel, rep.Acyclic.Verdict, rep.Unreachable, want)
			}
		}
	}
}

// TestProhibitionAnywhereUniform checks small networks with uniform traffic, in all numberings.
// Totals of the remaining turns disconnect no network. Totals of all turns disconnect none that is
// smaller than the network above.
func TestProhibitionAnywhereUniform(t *testing.T) {
	most := 5
	if long() {
		most = 6
	}
	runs := 0
	for _, c := range []struct {
		totals             string
		switches, parallel int
	}{
		{TotalsLeft, most, 1}, {TotalsLeft, 4, 2}, {TotalsFirst, 5, 1}, {TotalsFirst, 4, 2},
	} {
		parted := ""
		for k := 2; k <= c.switches; k++ {
			connectedGraphs(k, c.parallel, func(links [][2]int) {
				if parted != "" {
					return
				}
				n := fromLinks(k, links)
				res, err := New(context.Background(), "tp", n, Options{Select: SelectAnywhere, Totals: c.totals})
				if err != nil {
					t.Fatal(err)
				}
				runs++
				if unreachedPairs(model.NewDemand(n, model.UniformTraffic(n)), res.Allowed) > 0 {
					parted = formatLinks(links)
				}
			})
		}
		want := ""
		if c.totals == TotalsFirst && c.switches == 5 {
			want = "0-2 0-3 0-4 1-2 1-3 1-4"
		}
		if parted != want {
			t.Errorf("%+v: parts %q, want %q", c, parted, want)
		}
	}
	t.Logf("%d runs", runs)
}

func TestLift(t *testing.T) {
	n := parse(t, "torus:4x4,vcs=3")
	for _, m := range Published() {
		res, err := New(context.Background(), m, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if res.Allowed.Network().VCs() != 1 {
			t.Errorf("%s: a set of %d VCs", m, res.Allowed.Network().VCs())
		}
		set := Lift(res.Allowed, n)
		if set.Len() != 9*res.Allowed.Len() || Lift(res.Allowed, res.Allowed.Network()) != res.Allowed {
			t.Errorf("%s: %d turns of %d", m, set.Len(), res.Allowed.Len())
		}
		rep, err := verify.CheckTurns(context.Background(), set, verify.TurnOptions{})
		if err != nil || rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
			t.Errorf("%s: %+v, %v", m, rep, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	n := parseLinks("0-1 1-2 2-0")
	parted := fromLinks(4, [][2]int{{0, 1}, {2, 3}})
	for _, c := range []struct {
		method string
		n      *model.Network
		o      Options
		want   string
	}{
		{"lturn", n, Options{}, `no method "lturn" (did you mean lturn-alpha?), known are updown, lturn-alpha, `},
		{"updown", n, Options{Root: "3"}, "no switch 3 in the network; want a name, or a number from 0 to 2"},
		{"updown", n, Options{Root: "-1"}, `no switch "-1" in the network`},
		{"updown", n, Options{Root: "middle"}, `no switch "middle" in the network`},
		{"updown", n, Options{Ties: "port"}, `no tie rule "port"`},
		{"updown", n, Options{Tree: hv.Options{Parent: "x"}}, `no parent rule "x"`},
		{"updown", n, Options{DA: DAOptions{Off: true}}, "method updown has no option all-conditional"},
		{"updown", n, Options{Form: FormTree}, "method updown has no option form"},
		{"lturn-alpha", n, Options{Ties: hv.TieRules()[1]}, "method lturn-alpha has no option ties"},
		{"lturn-alpha", n, Options{Tree: hv.Options{Search: hv.DFS}}, "method lturn-alpha has no option tree"},
		{"lturn-alpha", n, Options{DA: DAOptions{Marks: "always"}}, `no mark rule "always", known are channel, procedure, switch, never`},
		{"rturn-beta", n, Options{DA: DAOptions{Starts: "port"}}, `no order of start switches "port"`},
		{"tp", n, Options{Root: "0"}, "method tp has no option root"},
		{"tp", n, Options{Tree: hv.Options{Children: hv.ByID}}, "method tp has no option children"},
		{"tp", n, Options{Select: "x"}, `no selection "x", known are traffic, degree, anywhere`},
		{"tp", n, Options{Totals: "x"}, `no rule for totals "x"`},
		{"turn-addition", n, Options{Form: "x"}, `no form "x", known are safe, paper, both, tree`},
		{"turn-addition", n, Options{Equal: "x"}, `no order of equal turns "x"`},
		{"turn-addition", n, Options{Select: SelectDegree}, "method turn-addition has no option select"},
	} {
		if res, err := New(context.Background(), c.method, c.n, c.o); res != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want %q", c.method, c.o, err, c.want)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, m := range publishedMethods() {
		for _, root := range []string{"0", "best-path", ""} {
			var d *hv.DisconnectedError
			if !m.Tree {
				root = ""
			}
			if _, err := New(context.Background(), m.Name, parted, Options{Root: root}); !errors.As(err, &d) || d.Missing != 2 {
				t.Errorf("%s, root %q, on a network in two parts: %v", m.Name, root, err)
			}
		}
		if _, err := New(done, m.Name, n, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, called off: %v", m.Name, err)
		}
	}
	if _, err := New(context.Background(), "tp", n, Options{Root: RootAuto, Tree: hv.Options{Seed: 3}, Seed: 4}); err != nil {
		t.Errorf("defaults named: %v", err)
	}
}
