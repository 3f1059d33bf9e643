package layers_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/verify"
)

func shortest(t testing.TB, spec string) *model.Table {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	table, err := layers.Shortest(n)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// proved checks the layers of a relation with the provers and the checker.
func proved(t testing.TB, rel model.Relation, r *layers.Routes, found *layers.Result) {
	t.Helper()
	layered, err := layers.Layered(rel, r, found.Of)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(t.Context(), layered, verify.Options{Switching: model.CutThrough, NoPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Verdict() != verify.Proved {
		t.Errorf("%d layers: %s", found.Layers, rep.Verdict())
	}
	if k := layered.Network().VCs(); k != found.Layers {
		t.Errorf("%d layers, %d VCs", found.Layers, k)
	}
}

// TestKnown: layers that are known, and never more than LASH or DFSSSP take.
func TestKnown(t *testing.T) {
	for spec, want := range map[string]int{"line:2": 1, "complete:4": 1, "line:4": 1, "star:5": 1, "ring:4": 1, "ring:5": 2, "ring:8": 2,
		"mesh:4x4": 2, "torus:4x4": 2, "hypercube:4": 2, "random:switches=16,degree=4,seed=1": 2} {
		table := shortest(t, spec)
		r, err := layers.Collect(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		found, err := layers.Find(t.Context(), r, layers.Options{Time: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if spec == "ring:4" { // loads decide between two shortest paths
			want = found.Bound
		}
		if found.Layers != want || found.Bound != want || found.Layers > found.LASH || found.Layers > found.DFSSSP {
			t.Errorf("%s: %+v, %d layers were expected", spec, found, want)
		}
		proved(t, table, r, found)
	}
}

// TestShortest: every pair has a path as long as the distance, which is found here by powers of
// the matrix of links.
func TestShortest(t *testing.T) {
	for _, spec := range []string{"torus:4x5", "random:switches=20,degree=3,hosts=2,seed=3", "fattree:k=4,levels=3"} {
		table := shortest(t, spec)
		n := table.Network()
		k := n.NumSwitches()
		dist := make([][]int, k)
		for u := range dist {
			dist[u] = make([]int, k)
			for v := range dist[u] {
				if dist[u][v] = 1000; u == v {
					dist[u][v] = 0
				}
			}
		}
		for c := range model.ChannelID(n.NumLinkChannels()) {
			dist[n.Tail(c)][n.Head(c)] = 1
		}
		for m := range k {
			for u := range k {
				for v := range k {
					dist[u][v] = min(dist[u][v], dist[u][m]+dist[m][v])
				}
			}
		}
		for d := range model.DestID(table.Destinations()) {
			to := n.Host(table.DestinationHost(d)).Switch
			for u := range model.SwitchID(k) {
				hops, at := 0, u
				for at != to && hops <= k {
					at = n.Head(table.Row(d)[at])
					hops++
				}
				if hops != dist[u][to] {
					t.Fatalf("%s: %d hops from %d to %d, the distance is %d", spec, hops, u, to, dist[u][to])
				}
			}
		}
	}
}

// fewest tries all assignments: the fewest layers in which no union of paths has a cycle.
func fewest(paths [][]model.ChannelID) int {
	for k := 1; ; k++ {
		if fits(paths, nil, k) {
			return k
		}
	}
}

func fits(paths [][]model.ChannelID, of []int, k int) bool {
	for l := range k {
		next := map[model.ChannelID][]model.ChannelID{}
		for i, o := range of {
			if o == l {
				for j := range len(paths[i]) - 1 {
					next[paths[i][j]] = append(next[paths[i][j]], paths[i][j+1])
				}
			}
		}
		// Channels that none leads to are taken away until none is left.
		for again := true; again; {
			again = false
			into := map[model.ChannelID]bool{}
			for _, list := range next {
				for _, c := range list {
					into[c] = true
				}
			}
			for c := range next {
				if !into[c] {
					delete(next, c)
					again = true
				}
			}
		}
		if len(next) > 0 {
			return false
		}
	}
	if len(of) == len(paths) {
		return true
	}
	for l := range k {
		if fits(paths, append(of[:len(of):len(of)], l), k) {
			return true
		}
	}
	return false
}

// TestAgainstAllWays holds layers and bounds against all assignments, with paths drawn at random: few
// pairs, not always shortest paths.
func TestAgainstAllWays(t *testing.T) {
	count := map[int]int{}
	rapid.Check(t, func(rt *rapid.T) {
		n := modeltest.Network(rt, 6).WithVCs(1)
		var list []route.Path
		for range rapid.IntRange(1, 9).Draw(rt, "paths") {
			from := model.HostID(rapid.IntRange(0, n.NumHosts()-1).Draw(rt, "from"))
			p := route.Path{Source: from}
			at, seen := n.Host(from).Switch, map[model.ChannelID]bool{}
			for range rapid.IntRange(1, 6).Draw(rt, "hops") {
				var out []model.ChannelID
				for _, c := range n.Out(at) {
					if n.Kind(c) == model.SwitchToSwitch && !seen[c] {
						out = append(out, c)
					}
				}
				if len(out) == 0 {
					break
				}
				c := rapid.SampledFrom(out).Draw(rt, "hop")
				seen[c] = true
				p.VCs, at = append(p.VCs, model.VCID(c)), n.Head(c)
			}
			for h := range model.HostID(n.NumHosts()) {
				if n.Host(h).Switch == at && h != from {
					p.Dest = h
					list = append(list, p)
					break
				}
			}
		}
		r := &layers.Routes{Net: n}
		for _, p := range list {
			if len(p.VCs) > 1 {
				var channels []model.ChannelID
				for _, v := range p.VCs {
					channels = append(channels, model.ChannelID(v))
				}
				r.Paths = append(r.Paths, channels)
			}
		}
		found, err := layers.Find(t.Context(), r, layers.Options{Time: 5 * time.Second})
		if err != nil {
			rt.Fatal(err)
		}
		if len(r.Paths) == 0 {
			if found.Layers != 1 || found.Bound != 1 {
				rt.Fatalf("no dependency: %+v", found)
			}
			return
		}
		want := fewest(r.Paths)
		count[want]++
		of := make([]int, len(r.Paths))
		for i, l := range found.Of {
			of[i] = int(l)
		}
		if found.Layers != want || found.Bound != want || !fits(r.Paths, of, want) {
			rt.Fatalf("%+v, all assignments give %d: %v", found, want, r.Paths)
		}
	})
	if count[1] == 0 || count[2] == 0 {
		t.Errorf("%v: too similar", count)
	}
}

// TestCollect: what is no single path is refused.
func TestCollect(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	rel, err := route.New("west-first", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := layers.Collect(t.Context(), rel); err == nil {
		t.Error("several next hops: no error")
	}
	if rel, err = route.New("dor", n, route.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := layers.Collect(t.Context(), rel)
	if err != nil || r.Pairs != 72 {
		t.Fatalf("%+v, %v", r, err)
	}
	found, err := layers.Find(t.Context(), r, layers.Options{})
	if err != nil || found.Layers != 1 || found.Bound != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	proved(t, rel, r, found)
	if rel, err = route.New("dor", shortest(t, "torus:4x4").Network(), route.Options{}); err != nil {
		t.Fatal(err)
	}
	if r, err = layers.Collect(t.Context(), rel); err != nil {
		t.Fatal(err)
	}
	if found, err = layers.Find(t.Context(), r, layers.Options{}); err != nil || found.Layers != 2 || found.Bound != 2 {
		t.Errorf("dimension order on a torus: %+v, %v", found, err)
	}
	proved(t, rel, r, found)
}

func BenchmarkFind(b *testing.B) {
	r, err := layers.Collect(b.Context(), shortest(b, "random:switches=64,degree=4,seed=1"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		found, err := layers.Find(b.Context(), r, layers.Options{Time: time.Second})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(found.Layers), "layers")
		b.ReportMetric(float64(found.LASH), "LASH")
		b.ReportMetric(float64(found.DFSSSP), "DFSSSP")
	}
}

// TestWithin: any number of layers is kept to, each pair has a path, and paths stay where they fit.
func TestWithin(t *testing.T) {
	for _, spec := range []string{"torus:5x5", "random:switches=20,degree=3,hosts=2,seed=3"} {
		table := shortest(t, spec)
		r, err := layers.Collect(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		found, err := layers.Find(t.Context(), r, layers.Options{Time: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		made, err := synth.New(t.Context(), "updown", table.Network(), synth.Options{Release: true})
		if err != nil {
			t.Fatal(err)
		}
		links := int64(1 << 60)
		for k := 1; k <= found.Layers+1; k++ {
			kept, err := layers.Within(table, r, found, k, made.Allowed)
			if err != nil {
				t.Fatal(err)
			}
			if (kept.Rerouted > 0) != (k < found.Layers) || int64(len(kept.Paths)) != r.Pairs || kept.Links > links || kept.Links < kept.Before {
				t.Errorf("%s, %d of %d layers: %d rerouted, %d paths, %d links, %d before", spec, k, found.Layers, kept.Rerouted, len(kept.Paths), kept.Links, kept.Before)
			}
			links = kept.Links
			rel, err := route.Paths(table.Network().WithVCs(k), kept.Paths)
			if err != nil {
				t.Fatal(err)
			}
			rep, err := verify.Check(t.Context(), rel, verify.Options{Switching: model.CutThrough, NoPairs: true})
			if err != nil || rep.Verdict() != verify.Proved {
				t.Errorf("%s, %d layers: %v", spec, k, err)
			}
		}
	}
}
