package cdg_test

import (
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestNumberEscape compares the numbering of an escape with its definition: dependencies found
// packet by packet, and a reachability matrix for cycles.
func TestNumberEscape(t *testing.T) {
	ring, err := topo.Ring(3, topo.Options{VCs: 2})
	if err != nil {
		t.Fatal(err)
	}
	first := func(_ model.State, h model.Hop) bool {
		_, i := ring.Channel(h.VC)
		return ring.IsLinkVC(h.VC) && i == 0
	}
	numberEscape(t, "ring", rapid.Custom(func(t *rapid.T) *drawnEscape { return &drawnEscape{shorterWay(t, ring), first} }))
	mesh, err := topo.Parse("mesh:3x2,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	numberEscape(t, "mesh", rapid.Custom(func(t *rapid.T) *drawnEscape { return nearerWay(t, mesh) }))
}

// TestNumberEscapeTiles compares the numbering of Duato's routing on one processor, where tiles have several groups, and on
// more with its definition.
func TestNumberEscapeTiles(t *testing.T) {
	n, err := topo.Parse("torus:5x5,vcs=3")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("duato", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	is := r.(model.Escaper).EscapeVC
	escape := func(_ model.State, h model.Hop) bool { return n.IsLinkVC(h.VC) && is(h.VC) }
	after, _ := extendedByDefinition(r, escape)
	var want []int32
	for _, processors := range []int{1, 2, 9} {
		old := runtime.GOMAXPROCS(processors)
		e, err := cdg.NumberEscape(t.Context(), r, escape, true)
		runtime.GOMAXPROCS(old)
		if err != nil || e.Ranks == nil {
			t.Fatalf("%+v, %v", e, err)
		}
		for a, list := range after {
			for b := range list {
				if e.Ranks[a] < 0 || e.Ranks[a] >= e.Ranks[b] {
					t.Fatalf("%d processors: rank %d of VC %d, %d of VC %d, which depends on it", processors, e.Ranks[a], a, e.Ranks[b], b)
				}
			}
		}
		if want == nil {
			want = e.Ranks
		}
		if !slices.Equal(e.Ranks, want) {
			t.Errorf("%d processors: ranks %v, on one %v", processors, e.Ranks, want)
		}
	}
}

type drawnEscape struct {
	*modeltest.Relation
	escape cdg.Escape
}

func numberEscape(t *testing.T, name string, draw *rapid.Generator[*drawnEscape]) {
	var numbered, cyclic, stuck int
	for seed := range 800 {
		x := draw.Example(seed)
		after, without := extendedByDefinition(x, x.escape)
		e, err := cdg.NumberEscape(t.Context(), x, x.escape, false)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case without != (e.Stuck != nil):
			t.Fatalf("%s, seed %d: a state without escape: %v, by definition %v", name, seed, e.Stuck, without)
		case without:
			stuck++
		case hasLoop(after) != (e.Ranks == nil):
			t.Fatalf("%s, seed %d: ranks %v, a cycle by definition: %v", name, seed, e.Ranks, hasLoop(after))
		case e.Ranks == nil:
			cyclic++
		default:
			numbered++
			for a, list := range after {
				for b := range list {
					if e.Ranks[a] >= e.Ranks[b] {
						t.Fatalf("%s, seed %d: rank %d of VC %d, %d of VC %d, which depends on it", name, seed, e.Ranks[a], a, e.Ranks[b], b)
					}
				}
			}
		}
	}
	if numbered < 40 || cyclic < 40 || stuck < 40 {
		t.Errorf("%s: the cases do not tell: %d numbered, %d cyclic, %d without escape", name, numbered, cyclic, stuck)
	}
}

// nearerWay draws a relation whose hops all decrease the distance, with a part of the hops as
// escape. Escape hops may lead elsewhere than other hops, so that indirect dependencies differ
// from direct ones.
func nearerWay(t *rapid.T, n *model.Network) *drawnEscape {
	r := &modeltest.Relation{Net: n}
	for h := range model.HostID(n.NumHosts()) {
		r.Dests = append(r.Dests, h)
	}
	far := func(u, v model.SwitchID) int {
		a, b, sum := n.Grid().Coords(u, nil), n.Grid().Coords(v, nil), 0
		for i := range a {
			sum += max(a[i]-b[i], b[i]-a[i])
		}
		return sum
	}
	chosen, escapes := map[model.State][]model.Hop{}, map[model.State]map[model.Hop]bool{}
	always := rapid.IntRange(0, 2).Draw(t, "an escape everywhere") > 0
	order := rapid.IntRange(0, 1).Draw(t, "escapes in dimension order, of VCs of their own") > 0
	last := rapid.IntRange(0, 3).Draw(t, "except one switch")
	for d := range model.DestID(len(r.Dests)) {
		to := n.Host(r.Dests[d]).Switch
		for v := range model.VCID(n.NumVCs()) {
			c, _ := n.Channel(v)
			u := n.Head(c)
			if u == model.NoSwitch {
				continue
			}
			s := model.State{VC: v, Dest: d}
			if u == to {
				chosen[s] = []model.Hop{{VC: n.VC(n.EjectChannel(r.Dests[d]), 0)}}
				continue
			}
			escapes[s] = map[model.Hop]bool{}
			for _, out := range n.Out(u) {
				if n.Kind(out) != model.SwitchToSwitch || far(n.Head(out), to) >= far(u, to) {
					continue
				}
				some := len(escapes[s]) > 0
				for i := range 2 {
					h := model.Hop{VC: n.VC(out, i)}
					is := i == 0 && !(order && some && u != model.SwitchID(last)) && (always && !some || rapid.IntRange(0, 9).Draw(t, "escape") < 7)
					if is {
						escapes[s][h] = true
					}
					if is || (i == 1 || !order) && rapid.IntRange(0, 9).Draw(t, "take") < 5 {
						chosen[s] = append(chosen[s], h)
					}
				}
			}
		}
	}
	r.NextHops = func(s model.State) []model.Hop { return chosen[s] }
	return &drawnEscape{r, func(s model.State, h model.Hop) bool { return escapes[s][h] }}
}

// shorterWay draws a relation whose packets keep their initial direction, so that hops other
// than escape hops never form a loop.
func shorterWay(t *rapid.T, n *model.Network) *modeltest.Relation {
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1, 2}}
	chosen := map[model.State][]model.Hop{}
	always := rapid.IntRange(0, 2).Draw(t, "an escape everywhere") > 0
	for d := range model.DestID(3) {
		for v := range model.VCID(n.NumVCs()) {
			c, _ := n.Channel(v)
			u := n.Head(c)
			if u == model.NoSwitch {
				continue
			}
			s := model.State{VC: v, Dest: d}
			if u == n.Host(r.Dests[d]).Switch {
				chosen[s] = []model.Hop{{VC: n.VC(n.EjectChannel(r.Dests[d]), 0)}}
				continue
			}
			ports := rapid.SampledFrom([][]model.Port{{1}, {2}, {1, 2}}).Draw(t, "ways")
			if n.Kind(c) == model.SwitchToSwitch {
				ports = []model.Port{n.TailPort(c)}
			}
			for _, p := range ports {
				for i, often := range []int{9, 5} {
					if i == 0 && always || rapid.IntRange(0, 9).Draw(t, "take") < often {
						chosen[s] = append(chosen[s], model.Hop{VC: n.VC(n.OutAt(u, p), i)})
					}
				}
			}
		}
	}
	r.NextHops = func(s model.State) []model.Hop { return chosen[s] }
	return r
}

// extendedByDefinition follows each packet from each escape VC along hops that are not escape
// hops. It reports whether some state has neither an escape hop nor ejection.
func extendedByDefinition(r model.Relation, escape cdg.Escape) (after map[model.VCID]map[model.VCID]bool, stuck bool) {
	n := r.Network()
	after = map[model.VCID]map[model.VCID]bool{}
	var states []model.State
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		states = append(states, x.Explore(d).States...)
	}
	for _, s := range states {
		out := false
		for _, h := range r.Next(s, nil) {
			if escape(s, h) && after[h.VC] == nil {
				after[h.VC] = map[model.VCID]bool{}
			}
			out = out || escape(s, h) || !n.IsLinkVC(h.VC)
		}
		stuck = stuck || !out
	}
	for _, s := range states {
		if after[s.VC] == nil {
			continue
		}
		seen := map[model.State]bool{}
		var follow func(at model.State)
		follow = func(at model.State) {
			if seen[at] {
				return
			}
			seen[at] = true
			for _, h := range r.Next(at, nil) {
				if escape(at, h) {
					after[s.VC][h.VC] = true
				} else if n.IsLinkVC(h.VC) {
					follow(model.State{VC: h.VC, Dest: at.Dest, Class: h.Class})
				}
			}
		}
		follow(s)
	}
	return after, stuck
}

func hasLoop(after map[model.VCID]map[model.VCID]bool) bool {
	for a := range after {
		seen := map[model.VCID]bool{}
		var follow func(v model.VCID) bool
		follow = func(v model.VCID) bool {
			for w := range after[v] {
				if w == a {
					return true
				}
				if !seen[w] {
					seen[w] = true
					if follow(w) {
						return true
					}
				}
			}
			return false
		}
		if follow(a) {
			return true
		}
	}
	return false
}

// TestReversed checks that a turn set and the set of all reversed turns have shortest cycles of
// equal length.
func TestReversed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5)
		s, back := model.NewTurnSet(n), model.NewTurnSet(n)
		reverse := func(v model.VCID) model.VCID { c, i := n.Channel(v); return n.VC(n.Reverse(c), i) }
		for turn := range model.Turns(n, false) {
			if rapid.Bool().Draw(t, "allowed") {
				s.Add(turn)
				back.Add(model.Turn{In: reverse(turn.Out), Out: reverse(turn.In)})
			}
		}
		if a, b := len(shortest(t, cdg.FromTurns(s))), len(shortest(t, cdg.FromTurns(back))); a != b {
			t.Fatalf("shortest cycle %d, backwards %d", a, b)
		}
	})
}
