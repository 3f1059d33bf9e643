package vlans_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/vlans"
	"github.com/turnproof/turnproof/verify"
)

func parse(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func find(t testing.TB, rel model.Relation, ways int, o vlans.Options) (*vlans.Paths, *vlans.Found) {
	t.Helper()
	p, err := vlans.Collect(t.Context(), rel, ways, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := vlans.Find(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return p, f
}

// set builds the set of VLANs and checks its routes: they are proved deadlock-free and connected,
// and rel permits every hop.
func set(t testing.TB, rel model.Relation, p *vlans.Paths, f *vlans.Found, plan vlans.Plan) *vlan.Set {
	t.Helper()
	plan.FirstID = 2
	s, err := vlans.Set(p, f, plan)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(t.Context(), s.Relation(), verify.Options{NoPairs: true})
	if err != nil || rep.Verdict() != verify.Proved || rep.Acyclic.Verdict != verify.Proved {
		t.Errorf("%d VLANs: %v %v", s.Len(), rep.Verdict(), err)
	}
	n := s.Network()
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.HostID(n.NumHosts()) {
			i := p.Demand(h, d)
			if i == vlans.None {
				continue
			}
			var links []model.LinkID
			for u := n.Host(h).Switch; u != n.Host(d).Switch; {
				c := s.Next(s.Use(h, d), u, d)
				links, u = append(links, model.LinkID(c/2)), n.Head(c)
			}
			slices.Sort(links)
			if !slices.ContainsFunc(p.Demands[i].Ways, func(way []model.LinkID) bool { return slices.Equal(way, links) }) {
				t.Fatalf("from %d to %d by links %v, ways are %v", h, d, links, p.Demands[i].Ways)
			}
		}
	}
	return s
}

func named(t testing.TB, name string, n *model.Network) model.Relation {
	t.Helper()
	rel, err := route.New(name, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

// findAtMost searches for at most as many VLANs as most. If the machine is busy, it takes more time.
func findAtMost(t testing.TB, rel model.Relation, ways, most int) (p *vlans.Paths, f *vlans.Found) {
	t.Helper()
	for limit := 200 * time.Millisecond; limit < time.Minute; limit *= 3 {
		if p, f = find(t, rel, ways, vlans.Options{Time: limit}); f.VLANs <= most {
			break
		}
	}
	return p, f
}

func ofMethod(t testing.TB, name string, n *model.Network) model.Relation {
	t.Helper()
	res, err := synth.New(t.Context(), name, n, synth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return route.FromTurns(res.Allowed, false)
}

// TestMeshes: the VLANs of definition 4 of VLAN Ethernet are the fewest possible on small square
// meshes and on 2x2x2. They are not on 3x3x3, where the definition has nine, and not if the first
// side is the shorter one.
func TestMeshes(t *testing.T) {
	for _, c := range []struct {
		spec         string
		vlans, bound int
	}{{"mesh:2x2", 2, 2}, {"mesh:3x3", 3, 3}, {"mesh:2x3", 2, 2}, {"mesh:3x2", 2, 2}, {"mesh:2x2x2", 4, 4}, {"line:5", 1, 1}} {
		rel := named(t, "dor", parse(t, c.spec))
		p, f := find(t, rel, 0, vlans.Options{Time: 2 * time.Second})
		if f.VLANs != c.vlans || f.Bound != c.bound {
			t.Errorf("%s: %d VLANs, at least %d (%s), want %d and %d", c.spec, f.VLANs, f.Bound, f.By, c.vlans, c.bound)
		}
		set(t, rel, p, f, vlans.Plan{})
	}
	rel := named(t, "dor", parse(t, "mesh:3x3x3"))
	p, f := findAtMost(t, rel, 0, 8)
	if f.VLANs > 8 {
		t.Errorf("3x3x3: %d VLANs, 8 were known", f.VLANs)
	}
	set(t, rel, p, f, vlans.Plan{})
}

// TestIrregular: Find solves the shortest paths of L-turn and up*/down* and of a torus, with and
// without pruning.
func TestIrregular(t *testing.T) {
	for _, c := range []struct {
		spec, method string
		ways, most   int
	}{
		{"random:switches=16,degree=4,seed=1", "lturn-alpha", 1, 6},
		{"random:switches=16,degree=4,seed=1", "lturn-alpha", 0, 6},
		{"random:switches=64,degree=4,seed=1", "updown", 0, 13},
		{"torus:4x4", "updown", 0, 5},
		{"fattree:k=4,levels=2", "updown", 0, 3},
	} {
		rel := ofMethod(t, c.method, parse(t, c.spec))
		p, f := findAtMost(t, rel, c.ways, c.most)
		if f.VLANs > c.most || f.Bound > f.VLANs || f.Bound < 1 {
			t.Errorf("%s %s: %d VLANs, at least %d", c.spec, c.method, f.VLANs, f.Bound)
		}
		spans := set(t, rel, p, f, vlans.Plan{})
		pruned := set(t, rel, p, f, vlans.Plan{Prune: true})
		for k := range spans.Len() {
			if got := len(spans.At(k).Links); got != spans.Network().NumSwitches()-1 || got < len(pruned.At(k).Links) {
				t.Errorf("%s: VLAN %d spans with %d links, %d are used", c.spec, k, got, len(pruned.At(k).Links))
			}
		}
	}
}

// TestSmall compares the result with an exhaustive search over all partitions of the demands, on
// small networks. No bound exceeds the optimum.
func TestSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6)
		p := &vlans.Paths{Net: n, Of: make([]int32, n.NumHosts()*n.NumHosts())}
		for range rapid.IntRange(1, 7).Draw(t, "demands") {
			var d vlans.Demand
			for range rapid.IntRange(1, 2).Draw(t, "ways") {
				if way := randomWay(t, n); len(way) > 0 && !slices.ContainsFunc(d.Ways, func(w []model.LinkID) bool { return slices.Equal(w, way) }) {
					d.Ways = append(d.Ways, way)
				}
			}
			if len(d.Ways) > 0 && !slices.ContainsFunc(p.Demands, func(e vlans.Demand) bool { return slices.EqualFunc(e.Ways, d.Ways, slices.Equal[[]model.LinkID]) }) {
				p.Demands = append(p.Demands, d)
			}
		}
		f, err := vlans.Find(context.Background(), p, vlans.Options{Time: 50 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		least := share(p, 0, nil, max(1, len(p.Demands)))
		if f.Bound > least || f.VLANs < least {
			t.Fatalf("%d VLANs, at least %d by %q; it is %d", f.VLANs, f.Bound, f.By, least)
		}
		if f.By == vlans.ByClash && (!p.Clashes(f.Clash) || len(f.Clash) != f.Bound) {
			t.Fatalf("demands %v do not clash", f.Clash)
		}
	})
}

// randomWay returns the links of a random walk that visits no switch twice.
func randomWay(t *rapid.T, n *model.Network) (way []model.LinkID) {
	u := model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "from"))
	seen := map[model.SwitchID]bool{u: true}
	for range rapid.IntRange(1, 4).Draw(t, "links") {
		var out []model.ChannelID
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch && !seen[n.Head(c)] {
				out = append(out, c)
			}
		}
		if len(out) == 0 {
			break
		}
		c := rapid.SampledFrom(out).Draw(t, "by")
		way, u = append(way, model.LinkID(c/2)), n.Head(c)
		seen[u] = true
	}
	slices.Sort(way)
	return way
}

// share tries every path and group for demand i and the demands after it, and returns the smallest
// number of groups.
func share(p *vlans.Paths, i int, groups [][]model.LinkID, best int) int {
	if i == len(p.Demands) {
		return max(1, min(best, len(groups)))
	}
	for _, way := range p.Demands[i].Ways {
		for k := range len(groups) + 1 {
			if k == best {
				break
			}
			next := slices.Clone(groups)
			if k == len(groups) {
				next = append(next, nil)
			}
			next[k] = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(next[k]), way...))))
			if _, err := vlan.New(p.Net, []vlan.VLAN{{ID: 1, Links: next[k]}}); err == nil {
				best = share(p, i+1, next, best)
			}
		}
	}
	return best
}

// TestLimits: if a limit is exceeded, the error says how many VLANs are needed.
func TestLimits(t *testing.T) {
	rel := named(t, "dor", parse(t, "mesh:3x3"))
	p, f := find(t, rel, 0, vlans.Options{Time: time.Second})
	for _, c := range []struct {
		plan vlans.Plan
		want string
	}{
		{vlans.Plan{FirstID: 2, Limit: 2}, "vlans: it takes 3 VLANs, the limit is 2"},
		{vlans.Plan{FirstID: 4093}, "vlan: it takes 3 VLANs; 802.1Q has identifiers up to 4094, from 4093 on these are 2"},
		{vlans.Plan{FirstID: 2, PerSwitch: 1}, "vlans: switch (0,0) takes part in 3 of the 3 VLANs, the limit is 1 a switch"},
	} {
		if _, err := vlans.Set(p, f, c.plan); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.plan, err, c.want)
		}
	}
}

// TestLayers: the shortest paths of a torus have a cycle of dependencies. Divided into two
// priorities, each a layer without cycles, they have none.
func TestLayers(t *testing.T) {
	rel := named(t, "dor", parse(t, "torus:4x4"))
	p, err := vlans.Collect(t.Context(), rel, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := rel.Network()
	crosses := func(h, d model.HostID) int { // 1 if the path uses a wraparound link of x or y, else 0
		a, b := n.Grid().Coords(n.Host(h).Switch, nil), n.Grid().Coords(n.Host(d).Switch, nil)
		for i := range a {
			if (b[i]-a[i]+4)%4 <= 2 != (b[i] >= a[i]) {
				return 1
			}
		}
		return 0
	}
	q := p.InLayers(crosses)
	f, err := vlans.Find(t.Context(), q, vlans.Options{Time: 200 * time.Millisecond})
	if err != nil || f.Layers != 2 {
		t.Fatalf("%d layers, %v", f.Layers, err)
	}
	s, err := vlans.Set(q, f, vlans.Plan{FirstID: 2, Priorities: []int{3, 4}})
	if err != nil || !slices.Equal(s.Priorities(), []int{3, 4}) || s.Network().VCs() != 2 {
		t.Fatalf("%v", err)
	}
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.HostID(n.NumHosts()) {
			if h != d && s.VC(s.Use(h, d)) != crosses(h, d) {
				t.Errorf("from %d to %d on VC %d", h, d, s.VC(s.Use(h, d)))
			}
		}
	}
}
