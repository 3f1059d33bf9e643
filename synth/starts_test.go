package synth

import (
	"math"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// TestLoadNoWorseThanPublished: the set for the objective load has no larger load than any published
// method, with or without released turns, and than any deadlock-free routing by name on one VC, each
// measured by its own packets.
func TestLoadNoWorseThanPublished(t *testing.T) {
	for _, spec := range []string{"mesh:8x8", "mesh:3x5", "mesh:3x3x3", "hypercube:3", "torus:4x4", "ring:6,hosts=2", "random:switches=12,degree=3,seed=4"} {
		n := network(t, spec)
		traffic := model.UniformTraffic(n)
		made, err := New(t.Context(), "minimum", n, Options{Objective: "load", Seconds: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		best := linkLoad(t, route.FromTurns(made.Allowed, false), traffic)
		if math.Abs(best-made.Values[0]) > 1e-9 {
			t.Errorf("%s: load %v, the result says %v", spec, best, made.Values[0])
		}
		for _, name := range Published() {
			for _, release := range []bool{false, true} {
				other, err := New(t.Context(), name, n, Options{Release: release})
				if err != nil {
					t.Fatal(err)
				}
				if load := linkLoad(t, route.FromTurns(other.Allowed, false), traffic); load < best-1e-9 {
					t.Errorf("%s: load %v, method %s has %v", spec, best, name, load)
				}
			}
		}
		for _, name := range []string{"dor", "west-first", "north-last", "negative-first", "odd-even", "e-cube"} {
			if r, err := route.New(name, n, route.Options{}); err == nil && n.Grid() != nil && !slices.Contains(n.Grid().Wrap, true) {
				if load := linkLoad(t, r, traffic); load < best-1e-9 {
					t.Errorf("%s: load %v, %s has %v", spec, best, name, load)
				}
			}
		}
	}
}

// linkLoad returns the load of the most loaded link.
func linkLoad(t *testing.T, r model.Relation, traffic *model.Traffic) float64 {
	t.Helper()
	flow, err := MeasureFlow(t.Context(), r, traffic)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Max(flow.Load[:r.Network().NumLinkChannels()])
}

// TestStartsAreExact checks that the numbering of dimension order on a mesh increases along its
// turns only.
func TestStartsAreExact(t *testing.T) {
	n := network(t, "mesh:4x3")
	w := newWork(t.Context(), n, Options{})
	sets, err := w.namedSets()
	if err != nil || len(sets) < 5 {
		t.Fatal(len(sets), err)
	}
	for i, set := range sets {
		s, ok := startOf(set)
		if !ok {
			continue // minimal is cyclic
		}
		tr := newTrader(nil, n, func(model.Turn) int { return 0 }, 1)
		tr.place(s.rank)
		if more := tr.set(); i < 3 && i > 0 && !more.Equal(set) {
			t.Errorf("set %d of %d turns became one of %d", i, set.Len(), more.Len())
		}
		for turn := range set.All() {
			if s.rank[turn.In] >= s.rank[turn.Out] {
				t.Fatalf("set %d: turn %v falls", i, turn)
			}
		}
	}
}

// TestKeptAndProhibitedStarts: starts from published sets obey turns that are kept and prohibited.
func TestKeptAndProhibitedStarts(t *testing.T) {
	n := network(t, "mesh:3x3").WithVCs(1)
	var north, west model.Turn // (1,1): from the south to the west, and from the east to the north
	for turn := range model.Turns(n, false) {
		a, b := model.ChannelID(turn.In), model.ChannelID(turn.Out)
		if n.Head(a) == 4 && n.Tail(a) == 1 && n.Head(b) == 3 {
			west = turn
		}
		if n.Head(a) == 4 && n.Tail(a) == 3 && n.Head(b) == 7 {
			north = turn
		}
	}
	keep, prohibit := model.NewTurnSet(n), model.NewTurnSet(n)
	keep.Add(west)
	prohibit.Add(north)
	made, err := New(t.Context(), "minimum", n, Options{Objective: "load", Keep: keep, Prohibit: prohibit, Seconds: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	if !made.Allowed.Has(west) || made.Allowed.Has(north) {
		t.Error("a turn that is kept is prohibited, or the other way")
	}
}
