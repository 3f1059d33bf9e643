package synth

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

func TestParseObjective(t *testing.T) {
	for _, text := range []string{"turns", "turns,load", "turns+0.5*pairs,path", "2*most+sdpt+traffic"} {
		o, err := ParseObjective(text)
		if err != nil || o.String() != text {
			t.Errorf("%q: %v, %v", text, o, err)
		}
	}
	for _, text := range []string{"", "turn", "turns,", "0*turns", "-1*turns", "x*turns", "Inf*load", "NaN*load", "turns+"} {
		if o, err := ParseObjective(text); err == nil {
			t.Errorf("%q: %v", text, o)
		}
	}
}

// TestObjective holds what is found on small networks against all sets, with turns that are kept
// and prohibited.
func TestObjective(t *testing.T) {
	looked := 0
	rapid.Check(t, func(rt *rapid.T) {
		n := modeltest.Network(rt, 4).WithVCs(1)
		var turns []model.Turn
		for x := range model.Turns(n, false) {
			turns = append(turns, x)
		}
		if len(turns) > 10 || len(turns) == 0 {
			return // too many for all sets, or none
		}
		w := newWork(t.Context(), n, Options{})
		if _, err := New(t.Context(), "updown", n, Options{}); err != nil {
			return // not connected
		}
		o := Options{Seconds: 0.06, Objective: rapid.SampledFrom([]string{"turns", "most,turns", "pairs,turns", "traffic", "turns,path", "load", "turns+3*load", "sdpt", "stretch,turns"}).Draw(rt, "objective")}
		keep, prohibit := model.NewTurnSet(n), model.NewTurnSet(n)
		for _, x := range turns {
			switch rapid.IntRange(0, 9).Draw(rt, "fixed") {
			case 0:
				keep.Add(x)
			case 1:
				prohibit.Add(x)
			}
		}
		o.Keep, o.Prohibit = keep, prohibit
		objective, err := ParseObjective(o.Objective)
		if err != nil {
			rt.Fatal(err)
		}
		loads, err := w.traffic()
		if err != nil {
			rt.Fatal(err)
		}
		j := &judge{ctx: t.Context(), o: objective, d: w.demand, loads: loads}
		var best []float64
		for mask := range uint32(1) << len(turns) {
			set := model.NewTurnSet(n)
			fits := true
			for i, x := range turns {
				if mask>>i&1 == 1 {
					set.Add(x)
				}
				fits = fits && (mask>>i&1 == 1 || !keep.Has(x)) && (mask>>i&1 == 0 || !prohibit.Has(x))
			}
			if !fits {
				continue
			}
			rep, err := verify.CheckTurns(t.Context(), set, verify.TurnOptions{})
			if err != nil {
				rt.Fatal(err)
			}
			if rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
				continue
			}
			values, err := j.values(set, nil)
			if err != nil || values == nil {
				rt.Fatalf("a connected set has no values: %v", err)
			}
			if best == nil || less(values, best) {
				best = values
			}
		}
		r, err := New(t.Context(), "minimum", n, o)
		if best == nil {
			if err == nil {
				rt.Fatal("a set was found where there is none")
			}
			return
		}
		if err != nil {
			rt.Fatalf("%s: %v; there is one of %v", o.Objective, err, best)
		}
		looked++
		for _, x := range turns {
			if keep.Has(x) && !r.Allowed.Has(x) || prohibit.Has(x) && r.Allowed.Has(x) {
				rt.Fatal("what was to be kept or prohibited is not")
			}
		}
		if less(r.Values, best) {
			rt.Fatalf("%s: %v is better than the best, %v", o.Objective, r.Values, best)
		}
		if less(best, r.Values) {
			rt.Fatalf("%s: %v, the best is %v", o.Objective, r.Values, best)
		}
	})
	if looked == 0 {
		t.Error("no network was looked at")
	}
}

func less(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 {
			return a[i] < b[i]
		}
	}
	return false
}

// TestPareto checks the Pareto front. No set is as good as another in both goals. The stated
// values are true. The ends have the best value of each goal.
func TestPareto(t *testing.T) {
	n, err := topo.Parse("random:switches=10,degree=3,seed=1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(t.Context(), "minimum", n, Options{Seconds: 0.5, Pareto: "turns,load"})
	if err != nil || len(r.Front) < 2 {
		t.Fatalf("%d sets, %v", len(r.Front), err)
	}
	for i, f := range r.Front {
		if i > 0 && (f.Values[0] <= r.Front[i-1].Values[0] || f.Values[1] >= r.Front[i-1].Values[1]) {
			t.Errorf("%v after %v", f.Values, r.Front[i-1].Values)
		}
		rep, err := verify.CheckTurns(t.Context(), f.Allowed, verify.TurnOptions{})
		if err != nil || rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
			t.Errorf("%v: %v, %v", f.Values, rep, err)
		}
		if k := f.Allowed.Complement().Len(); float64(k) != f.Values[0] {
			t.Errorf("%v: %d prohibited", f.Values, k)
		}
	}
	if int(r.Front[0].Values[0]) != r.Bound.Least {
		t.Errorf("the front begins with %v, the fewest are %d", r.Front[0].Values, r.Bound.Least)
	}
}

// TestKeepTree checks that the turns of the tree are allowed.
func TestKeepTree(t *testing.T) {
	n, err := topo.Parse("torus:4x4")
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(t.Context(), "minimum", n, Options{Seconds: 0.3, KeepTree: true})
	if err != nil {
		t.Fatal(err)
	}
	made, err := New(t.Context(), "updown", n, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := map[model.VCID]bool{}
	for _, c := range made.Tree.Up {
		if c != model.NoChannel {
			in[model.VCID(c)], in[model.VCID(n.Reverse(c))] = true, true
		}
	}
	k := 0
	for x := range model.Turns(n, false) {
		if in[x.In] && in[x.Out] {
			k++
			if !r.Allowed.Has(x) {
				t.Errorf("the turn from %d to %d is prohibited", x.In, x.Out)
			}
		}
	}
	if k == 0 {
		t.Error("no turn of the tree was looked at")
	}
}

// TestStretch: the legal paths of a set are within the bound. Separate searches count them.
func TestStretch(t *testing.T) {
	for spec, bounds := range map[string][]float64{"mesh:4x4": {1}, "torus:4x4": {1, 1.5}, "random:switches=12,degree=3,seed=2": {2}} {
		for _, bound := range bounds {
			n, err := topo.Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			r, err := New(t.Context(), "minimum", n, Options{Seconds: 0.2, Stretch: bound})
			if err != nil {
				t.Errorf("%s: %v", spec, err)
				continue
			}
			free, legal := hopsOf(n, allTurns(n)), hopsOf(n, r.Allowed)
			for u := range free {
				for v := range free {
					if u != v && float64(legal[u][v]) > bound*float64(free[u][v]) {
						t.Errorf("%s: %d links from %d to %d, %d are enough", spec, legal[u][v], u, v, free[u][v])
					}
				}
			}
		}
	}
	n, err := topo.Parse("ring:5")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), "minimum", n, Options{Seconds: 0.2, Stretch: 1}); err == nil {
		t.Error("a ring of five with shortest paths only: a set was found")
	}
}

// hopsOf counts links on the shortest paths of a set, by source and destination.
func hopsOf(n *model.Network, set *model.TurnSet) [][]int {
	list := make([][]int, n.NumSwitches())
	for s := range list {
		list[s] = make([]int, n.NumSwitches())
		on := map[model.VCID]bool{}
		for c := range model.VCID(n.NumLinkChannels()) {
			if int(n.Tail(model.ChannelID(c))) == s {
				on[c] = true
			}
		}
		for hops := 1; hops <= n.NumLinkChannels(); hops++ {
			next := map[model.VCID]bool{}
			for c := range on {
				if v := n.Head(model.ChannelID(c)); list[s][v] == 0 {
					list[s][v] = hops
				}
			}
			for x := range set.All() {
				if on[x.In] {
					next[x.Out] = true
				}
			}
			on = next
		}
	}
	return list
}

// TestNoTurns uses networks without turns, on which there is nothing to search.
func TestNoTurns(t *testing.T) {
	n, err := topo.Parse("line:2")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Objective: "load", Seconds: 0.1}, {Pareto: "turns,path", Seconds: 0.1}, {Stretch: 1, Seconds: 0.1}} {
		if r, err := New(t.Context(), "minimum", n, o); err != nil || r.Allowed.Complement().Len() != 0 {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
