package bubble

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func bind(t testing.TB, spec, routing, rule string) (*Rings, *model.Network) {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	g, err := x.On(r)
	if err != nil {
		t.Fatal(err)
	}
	return g, n
}

// TestRings counts the rings of tori by hand. A line with wraparound has two rings. With four switches it has one, because
// packets go two hops in the plus direction only. With three it has none.
func TestRings(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		rings, length int
		other         int
	}{
		{"torus:4x4", "dor", 8, 4, 0}, {"torus:5x3", "dor", 2 * 3, 5, 0}, {"torus:8x4,wrap=x", "dor", 2 * 4, 8, 0}, {"torus:4x4x4", "dor", 3 * 16, 4, 0},
		{"torus:3x3", "dor", 0, 0, 0}, {"mesh:4x4", "dor", 0, 0, 0}, {"torus:4x4,vcs=2", "dor", 0, 0, 0}, {"ring:6", "dor", 2, 6, 0},
		{"mesh:3x3", "minimal", 0, 0, 24},
	} {
		g, n := bind(t, c.spec, c.routing, "bubble")
		if len(g.List) != c.rings || g.Other != c.other {
			t.Errorf("%s, %s: %d rings, %d other VCs; want %d, %d", c.spec, c.routing, len(g.List), g.Other, c.rings, c.other)
		}
		for r, ring := range g.List {
			if len(ring) != c.length || ring[0] != slices.Min(ring) {
				t.Errorf("%s: a ring %v", c.spec, ring)
			}
			for i, v := range ring {
				w := ring[(i+1)%len(ring)]
				a, _ := n.Channel(v)
				b, _ := n.Channel(w)
				if n.Head(a) != n.Tail(b) || n.TailPort(a) != n.TailPort(b) || g.Of(v) != int32(r) || g.IsEntry(v, w) {
					t.Errorf("%s: VC %d, then %d", c.spec, v, w)
				}
			}
		}
	}
}

// TestOff checks which entries of a 4x4 torus each text turns off.
func TestOff(t *testing.T) {
	for _, c := range []struct {
		rule                  string
		host, turn, elsewhere bool // entries of switch 5: from its host and a turn, onto the channel to switch 9; one of switch 6
	}{
		{"bubble", true, true, true}, {"bubble,off=5", false, false, true}, {"bubble,off=all", false, false, false}, {"bubble,off=1.1", false, false, true}, {"bubble,off=(1,1)", false, false, true},
		{"bubble,off=(1,1)>(1,2)", false, false, true}, {"bubble,off=(1,1),from=hosts", false, true, true},
		{"bubble,off=5>9", false, false, true}, {"bubble,off=5>6", true, true, true}, {"bubble,off=5,from=hosts", false, true, true},
		{"critical-bubble,off=6+5,from=rings", true, false, true},
	} {
		g, n := bind(t, "torus:4x4", "dor", c.rule)
		north := n.VC(n.OutAt(5, model.PlusPort(1)), 0)
		host, turn := n.VC(n.InjectChannel(5), 0), n.VC(n.Reverse(n.OutAt(5, model.MinusPort(0))), 0)
		if got := g.IsGuarded(host, north); got != c.host {
			t.Errorf("%s: from the host %v", c.rule, got)
		}
		if got := g.IsGuarded(turn, north); got != c.turn {
			t.Errorf("%s: at the turn %v", c.rule, got)
		}
		if got := g.IsGuarded(n.VC(n.InjectChannel(6), 0), n.VC(n.OutAt(6, model.PlusPort(1)), 0)); got != c.elsewhere {
			t.Errorf("%s: elsewhere %v", c.rule, got)
		}
	}
}

// TestLimits computes the conditions of the rules by hand.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		rule          string
		flits, buffer int
		room, most    int
	}{
		{"bubble", 4, 8, 8, 1<<31 - 1}, {"bubble,packet=2", 4, 8, 4, 1<<31 - 1}, {"bubble,packet=3", 4, 8, 6, 1<<31 - 1},
		{"critical-bubble", 4, 4, 4, 2}, {"critical-bubble", 4, 11, 4, 6}, {"critical-bubble,packet=9", 4, 8, 4, -1},
		{"worm-bubble", 4, 4, 4, 2}, {"worm-bubble", 5, 4, 5, 0}, {"worm-bubble", 13, 4, 13, -1}, {"worm-bubble,packet=1", 5, 4, 5, 2},
	} {
		g, _ := bind(t, "ring:4", "dor", c.rule)
		if l := g.Limits(c.flits, func(model.VCID) int { return c.buffer }); l.Room != c.room || l.Most[0] != c.most {
			t.Errorf("%s, %d and %d flits: room %d, most %d; want %d, %d", c.rule, c.flits, c.buffer, l.Room, l.Most[0], c.room, c.most)
		}
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"bubble", "critical-bubble,packet=4", "worm-bubble,off=3+7>6,from=rings", "bubble,packet=2,off=all"} {
		if r, err := Parse(text); err != nil || r.String() != text {
			t.Errorf("%s: %s, %v", text, r, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"bubbles", `flow: no flow control "bubbles"; want one of bubble, critical-bubble, worm-bubble`}, {"bubble,of=3", `flow: no key "of" (did you mean off?)`},
		{"bubble,packet=0", "want a number from 1 to 16384"}, {"bubble,off=3+", "want places joined by +"}, {"bubble,off=1,off=2", "off is given twice"},
		{"bubble,from=hosts", "so off is needed"}, {"bubble,off=1,from=x", "want any, hosts or rings"},
	} {
		if _, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	n, err := topo.Parse("torus:4x4")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"bubble,off=16": "no switch 16 in the network", "bubble,off=0>5": "no channel leads from (0,0) to (1,1)",
		"bubble,off=0>x": "no switch"} {
		if _, err := (func() (*Rings, error) { x, _ := Parse(text); return x.On(r) })(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzRule checks that a rule is refused, or does not change when it is written and read again.
func FuzzRule(f *testing.F) {
	for _, text := range []string{"bubble", "worm-bubble,packet=3,off=1+2>3,from=hosts", "critical-bubble,off=all", "bubble,off=+", "bubble,vc=0+2",
		"bubble,packet=99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(r.String())
		if err != nil || again.String() != r.String() {
			t.Fatalf("%q is %s, then %s (%v)", text, r, again, err)
		}
	})
}

// TestComponents compares the components of random graphs with those by paths between all pairs.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "vertices")
		next, reach := make([][]model.VCID, n), make([][]bool, n)
		for v := range next {
			reach[v] = make([]bool, n)
			for w := range n {
				if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
					next[v], reach[v][w] = append(next[v], model.VCID(w)), true
				}
			}
		}
		for k := range n {
			for v := range n {
				for w := range n {
					reach[v][w] = reach[v][w] || reach[v][k] && reach[k][w]
				}
			}
		}
		var want [][]model.VCID
		for v := range n {
			var part []model.VCID
			for w := range n {
				if reach[v][w] && reach[w][v] {
					part = append(part, model.VCID(w))
				}
			}
			if len(part) > 0 && part[0] == model.VCID(v) {
				want = append(want, part)
			}
		}
		if got := components(next); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%v: %v, want %v", next, got, want)
		}
	})
}

// TestEscapeRings checks that only dependencies between escape VCs count if the routing has escape VCs.
func TestEscapeRings(t *testing.T) {
	n, err := topo.Parse("ring:5,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1, 2, 3, 4}}
	r.Injects = func(model.HostID, model.DestID) []model.Class { return []model.Class{0} }
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		if h := model.HostID(s.Dest); n.Host(h).Switch == n.Head(c) {
			return []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
		}
		out := n.OutAt(n.Head(c), model.PlusPort(0))
		return []model.Hop{{VC: n.VC(out, 0)}, {VC: n.VC(out, 1)}}
	}
	rule := Rule{Kind: Local}
	all, err := rule.On(r)
	if err != nil || len(all.List) != 0 || all.Other != 10 {
		t.Fatalf("%+v, %v", all, err)
	}
	some, err := rule.On(escaping{r})
	if err != nil || len(some.List) != 1 || some.Other != 0 || len(some.List[0]) != 5 {
		t.Fatalf("%+v, %v", some, err)
	}
}

// escaping makes VC 0 of each channel an escape VC.
type escaping struct{ *modeltest.Relation }

func (e escaping) EscapeVC(v model.VCID) bool { return v%2 == 0 }
