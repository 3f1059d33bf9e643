package cdg_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// drawTable draws a table on a random network.
func drawTable(t *rapid.T) *model.Table {
	n := modeltest.Network(t, 6).WithVCs(rapid.IntRange(1, 2).Draw(t, "VCs"))
	tab := modeltest.Table(t, n, rapid.Bool().Draw(t, "classes"))
	return tab.WithManagement(model.Management(rapid.IntRange(0, 2).Draw(t, "management")))
}

// fatal is the common part of tests, benchmarks and properties.
type fatal interface{ Fatal(args ...any) }

func build(t fatal, r model.Relation) *cdg.Graph {
	g, err := cdg.Build(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func shortest(t fatal, g *cdg.Graph) []model.VCID {
	cycle, err := g.ShortestCycle(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return cycle
}

// hidden is a relation that cdg cannot recognise as a table.
type hidden struct{ model.Relation }

func (h hidden) SendsTo(e model.HostID, d model.DestID) bool { return model.Sends(h.Relation, e, d) }

func TestTableWalkEqualsExploration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := drawTable(t)
		fast, slow := build(t, tab), build(t, hidden{tab})
		if d := cmp.Diff(edges(slow), edges(fast)); d != "" {
			t.Fatalf("dependencies (-exploration +walk):\n%s", d)
		}
		for v := range model.VCID(fast.NumVCs()) {
			if fast.Used(v) != slow.Used(v) {
				t.Fatalf("VC %d used: walk %v, exploration %v", v, fast.Used(v), slow.Used(v))
			}
		}
		for _, err := range fast.Check() {
			t.Error(err)
		}
	})
}

func edges(g *cdg.Graph) map[model.Turn]bool {
	m := map[model.Turn]bool{}
	for e := range g.All() {
		m[e] = true
	}
	return m
}

// naiveDependencies follows the packets of each pair separately.
func naiveDependencies(r model.Relation) map[model.Turn]bool {
	n, deps := r.Network(), map[model.Turn]bool{}
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			if r.DestinationHost(d) == h || hostsOnly(r) && n.Host(h).Management && n.Host(r.DestinationHost(d)).Management {
				continue
			}
			seen := map[model.State]bool{}
			var follow func(s model.State)
			follow = func(s model.State) {
				if c, _ := n.Channel(s.VC); seen[s] || n.Kind(c) == model.Eject {
					return
				}
				seen[s] = true
				for _, hop := range r.Next(s, nil) {
					if n.IsLinkVC(s.VC) && n.IsLinkVC(hop.VC) {
						deps[model.Turn{In: s.VC, Out: hop.VC}] = true
					}
					follow(model.State{VC: hop.VC, Dest: d, Class: hop.Class})
				}
			}
			for _, k := range r.Inject(h, d, nil) {
				follow(model.InjectState(r, h, d, k))
			}
		}
	}
	return deps
}

// hostsOnly reports whether management endpoints of r do not send to each other.
func hostsOnly(r model.Relation) bool {
	t, ok := r.(*model.Table)
	return ok && t.Management() == model.HostManagement
}

func TestDependenciesAreThoseOfPackets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r model.Relation = drawTable(t)
		if rapid.Bool().Draw(t, "adaptive") {
			r = modeltest.Adaptive(t, modeltest.Network(t, 4).WithVCs(2), 2)
		}
		g := build(t, r)
		if d := cmp.Diff(naiveDependencies(r), edges(g)); d != "" {
			t.Fatalf("dependencies (-packet by packet +Build):\n%s", d)
		}
	})
}

// TestManyVCs: with 40 VCs, a row of the builder has several words.
func TestManyVCs(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) model.Relation {
		return modeltest.Adaptive(t, modeltest.Network(t, 3).WithVCs(40), 1)
	})
	for seed := range longtest.Share(20, 4) {
		r := draw.Example(seed)
		if d := cmp.Diff(naiveDependencies(r), edges(build(t, r))); d != "" {
			t.Fatalf("dependencies (-packet by packet +Build):\n%s", d)
		}
	}
}

// TestThreeWaysToBeAcyclic compares strong components, Numbering and a reachability matrix. It
// also checks that the shortest cycle is a cycle of minimal length.
func TestThreeWaysToBeAcyclic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := build(t, drawTable(t))
		naive := naiveShortest(g)
		components := g.CyclicComponents()
		rank, ok := g.Numbering()
		cycle := shortest(t, g)
		if (naive == 0) != (len(components) == 0) || (naive == 0) != ok || naive != len(cycle) {
			t.Fatalf("matrix: shortest cycle %d; %d cyclic components; numbering %v; cycle of %d", naive, len(components), ok, len(cycle))
		}
		seen := map[model.VCID]bool{}
		for _, dep := range cdg.Dependencies(cycle) {
			if !g.Has(dep.In, dep.Out) || seen[dep.In] {
				t.Fatalf("%v is no cycle", cycle)
			}
			seen[dep.In] = true
		}
		if ok {
			permutation := make([]bool, len(rank))
			for _, r := range rank {
				permutation[r] = true
			}
			for r, there := range permutation {
				if !there {
					t.Fatalf("rank %d is missing", r)
				}
			}
			for e := range g.All() {
				if rank[e.In] >= rank[e.Out] {
					t.Fatalf("%v does not rise", e)
				}
			}
		}
	})
}

// naiveShortest returns the length of a shortest cycle, or 0 if there is none, by powers of the
// adjacency matrix.
func naiveShortest(g *cdg.Graph) int {
	n := g.NumVCs()
	reach := make([][]bool, n)
	for v := range reach {
		reach[v] = make([]bool, n)
		for _, w := range g.Next(model.VCID(v)) {
			reach[v][w] = true
		}
	}
	at := reach
	for length := 1; length <= n; length++ {
		for v := range at {
			if at[v][v] {
				return length
			}
		}
		next := make([][]bool, n)
		for v := range next {
			next[v] = make([]bool, n)
			for u, ok := range at[v] {
				if ok {
					for _, w := range g.Next(model.VCID(u)) {
						next[v][w] = true
					}
				}
			}
		}
		at = next
	}
	return 0
}

func TestWitnessesUseTheirDependencies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := drawTable(t)
		n, g := tab.Network(), build(t, tab)
		var deps []model.Turn
		for e := range g.All() {
			deps = append(deps, e)
		}
		packets, err := cdg.Witnesses(tab, deps)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range packets {
			k := len(p.Path)
			if p.Path[k-2].VC != deps[i].In || p.Path[k-1].VC != deps[i].Out {
				t.Fatalf("path %v does not end with %v", p.Path, deps[i])
			}
			if p.Path[0].VC != n.VC(n.InjectChannel(p.Source), 0) {
				t.Fatalf("path %v does not begin at host %d", p.Path, p.Source)
			}
			for j := 1; j < k; j++ {
				if next := tab.Next(p.Path[j-1], nil); len(next) != 1 || next[0].VC != p.Path[j].VC {
					t.Fatalf("path %v takes a hop that is not permitted", p.Path)
				}
			}
		}
	})
}

// TestBadHops checks that a relation with an invalid hop gives an error instead of a graph.
func TestBadHops(t *testing.T) {
	n := modeltest.Torus(3, 1).Network()
	for why, hop := range map[string]model.Hop{
		"it does not leave the switch": {VC: n.VC(n.Out(4)[0], 0)},
		"VCs are 0 to":                 {VC: model.VCID(n.NumVCs())},
		"classes are 0 to 0":           {VC: n.VC(n.Out(0)[0], 0), Class: 1},
		"class -1":                     {VC: n.VC(n.Out(0)[0], 0), Class: -1},
		"hop to VC -2":                 {VC: -2},
	} {
		r := &modeltest.Relation{Net: n, Dests: []model.HostID{8}, NextHops: func(s model.State) []model.Hop {
			if c, _ := n.Channel(s.VC); n.Head(c) != 0 {
				return nil // elsewhere the hop would be invalid for another reason, too
			}
			return []model.Hop{hop}
		}}
		_, err := cdg.Build(context.Background(), r)
		var bad *cdg.BadHop
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), why) {
			t.Errorf("got %v, want %q", err, why)
		}
	}
}

// TestWhereHopsLead checks that only the ejection channel of the destination's endpoint
// delivers.
func TestWhereHopsLead(t *testing.T) {
	n := modeltest.Torus(3, 1).Network()
	at := n.Host(8).Switch
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{8}, NextHops: func(s model.State) (list []model.Hop) {
		c, _ := n.Channel(s.VC)
		for h := range model.HostID(n.NumHosts()) {
			if n.Host(h).Switch == n.Head(c) {
				list = append(list, model.Hop{VC: n.VC(n.EjectChannel(h), 0)})
			}
		}
		return list
	}}
	s, counts := cdg.NewExplorer(r).Explore(0), map[int32]int{}
	for i, state := range s.States {
		c, _ := n.Channel(state.VC)
		hops, next := s.HopsOf(i)
		for k, h := range hops {
			want := cdg.WrongHost
			if h.VC == n.VC(n.EjectChannel(8), 0) {
				want = cdg.Delivered
			}
			if counts[next[k]]++; next[k] != want || (want == cdg.Delivered) != (n.Head(c) == at) {
				t.Errorf("VC %d at switch %d leads to %d, want %d", h.VC, n.Head(c), next[k], want)
			}
		}
	}
	if counts[cdg.WrongHost] != 8 || counts[cdg.Delivered] != 0 { // the destination does not send to itself
		t.Errorf("%v", counts)
	}
}

// TestExploreAgain explores a destination more than once.
func TestExploreAgain(t *testing.T) {
	x := cdg.NewExplorer(modeltest.Torus(4, 1))
	for _, d := range []model.DestID{3, 3, 5, 3} {
		s := x.Explore(d)
		if want := 15 + 15; len(s.States) < want {
			t.Errorf("destination %d: %d states, at least %d wanted", d, len(s.States), want)
		}
		for i := range s.States {
			_, next := s.HopsOf(i)
			for _, j := range next {
				if int(j) >= len(s.States) {
					t.Fatalf("destination %d: a hop to state %d of %d", d, j, len(s.States))
				}
			}
		}
	}
}

func TestBuildIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, r := range []model.Relation{modeltest.Torus(4, 1), hidden{modeltest.Torus(4, 1)}} {
		if _, err := cdg.Build(ctx, r); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// TestRingsFallApart checks that one long cycle needs only one search.
func TestRingsFallApart(t *testing.T) {
	const k = 20000
	b := model.NewBuilder()
	for range k {
		b.AddSwitch(model.Switch{})
	}
	for u := range k {
		b.AddLink(model.SwitchID(u), 1, model.SwitchID((u+1)%k), 2)
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s := model.NewTurnSet(n)
	for l := range k {
		s.Add(model.Turn{In: model.VCID(2 * l), Out: model.VCID(2 * ((l + 1) % k))})
	}
	if got := len(shortest(t, cdg.FromTurns(s))); got != k {
		t.Fatalf("shortest cycle of a ring of %d: %d", k, got)
	}
}

func TestTorusCyclesPerRing(t *testing.T) {
	for _, c := range []struct{ k, cycle, components int }{{3, 0, 0}, {4, 4, 8}, {5, 5, 20}, {8, 8, 16 + 16}} {
		t.Run(fmt.Sprint(c.k), func(t *testing.T) {
			g := build(t, modeltest.Torus(c.k, 1))
			if got := len(shortest(t, g)); got != c.cycle {
				t.Errorf("shortest cycle %d, want %d", got, c.cycle)
			}
			if got := len(g.CyclicComponents()); got != c.components {
				t.Errorf("%d cyclic components, want %d", got, c.components)
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, k := range []int{8, 16, 32, 64} {
		benchBuild(b, fmt.Sprintf("torus/%dx%d", k, k), modeltest.Torus(k, 1))
	}
	for _, k := range []int{8, 24, 72, 216} {
		benchBuild(b, fmt.Sprintf("tree/%d", 3*k/2), modeltest.LevelTree(k, k/2, k/2))
	}
}

func benchBuild(b *testing.B, name string, t *model.Table) {
	b.Run(name, func(b *testing.B) {
		var g *cdg.Graph
		for b.Loop() {
			g = build(b, t)
		}
		b.ReportMetric(float64(t.Entries())*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		b.ReportMetric(float64(g.Bytes())/float64(max(g.NumDependencies(), 1)), "bytes/dependency")
	})
}

func BenchmarkAcyclic(b *testing.B) {
	for _, k := range []int{8, 24, 72, 216} {
		g := build(b, modeltest.LevelTree(k, k/2, k/2))
		b.Run(fmt.Sprintf("tree/%d", 3*k/2), func(b *testing.B) {
			for b.Loop() {
				if _, ok := g.Numbering(); !ok {
					b.Fatal("cyclic")
				}
			}
			b.ReportMetric(float64(g.NumDependencies())*float64(b.N)/b.Elapsed().Seconds(), "dependencies/s")
		})
	}
}

func BenchmarkShortestCycle(b *testing.B) {
	for _, k := range []int{8, 16, 32, 64} {
		g := build(b, modeltest.Torus(k, 1))
		b.Run(fmt.Sprintf("torus/%dx%d", k, k), func(b *testing.B) {
			for b.Loop() {
				if len(shortest(b, g)) != k {
					b.Fatal("wrong cycle")
				}
			}
			b.ReportMetric(float64(g.NumDependencies())*float64(b.N)/b.Elapsed().Seconds(), "dependencies/s")
		})
	}
}
