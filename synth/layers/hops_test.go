package layers_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/layers"
)

// vertex is a VC of a channel.
type vertex struct {
	channel model.ChannelID
	vc      int
}

// cyclicVertices reports whether paths over VCs close a cycle: vertices without predecessors are removed until none is left
// or all have one.
func cyclicVertices(paths [][]vertex) bool {
	into := map[vertex]map[vertex]bool{}
	for _, p := range paths {
		for i, v := range p {
			if into[v] == nil {
				into[v] = map[vertex]bool{}
			}
			if i > 0 {
				into[v][p[i-1]] = true
			}
		}
	}
	for again := true; again; {
		again = false
		for v, from := range into {
			if len(from) == 0 {
				delete(into, v)
				for _, other := range into {
					delete(other, v)
				}
				again = true
			}
		}
	}
	return len(into) > 0
}

// hopsFit tries all VCs of all hops, path by path.
func hopsFit(paths [][]model.ChannelID, made [][]vertex, k int, rising bool) bool {
	if len(made) == len(paths) {
		return true
	}
	path := paths[len(made)]
	var extend func(p []vertex) bool
	extend = func(p []vertex) bool {
		if len(p) == len(path) {
			return hopsFit(paths, append(made[:len(made):len(made)], p), k, rising)
		}
		for v := range k {
			if rising && len(p) > 0 && v < p[len(p)-1].vc {
				continue
			}
			longer := append(p[:len(p):len(p)], vertex{path[len(p)], v})
			if !cyclicVertices(append(made[:len(made):len(made)], longer)) && extend(longer) {
				return true
			}
		}
		return false
	}
	return extend(nil)
}

// fewestHops tries 1, 2, ... VCs.
func fewestHops(paths [][]model.ChannelID, rising bool) int {
	for k := 1; ; k++ {
		if hopsFit(paths, nil, k, rising) {
			return k
		}
	}
}

// drawWalks draws walks of at least two channels that pass no channel twice.
func drawWalks(rt *rapid.T, n *model.Network, most, longest int) (paths [][]model.ChannelID) {
	for range rapid.IntRange(1, most).Draw(rt, "paths") {
		at := model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(rt, "from"))
		var path []model.ChannelID
		for range rapid.IntRange(2, longest).Draw(rt, "hops") {
			var out []model.ChannelID
			for _, c := range n.Out(at) {
				if n.Kind(c) != model.SwitchToSwitch {
					continue
				}
				seen := false
				for _, p := range path {
					seen = seen || p == c
				}
				if !seen {
					out = append(out, c)
				}
			}
			if len(out) == 0 {
				break
			}
			c := rapid.SampledFrom(out).Draw(rt, "hop")
			path, at = append(path, c), n.Head(c)
		}
		if len(path) > 1 {
			paths = append(paths, path)
		}
	}
	return paths
}

// TestHopsAgainstAllWays compares VCs and bounds, for VCs that rise and VCs that change, with all assignments on rings and
// small tori.
func TestHopsAgainstAllWays(t *testing.T) {
	count := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		spec := rapid.SampledFrom([]string{"complete:3", "complete:3", "ring:4", "ring:5", "ring:6", "torus:3x3", "complete:4"}).Draw(rt, "network")
		n, err := topo.Parse(spec)
		if err != nil {
			rt.Fatal(err)
		}
		longest := 4
		if n.NumSwitches() < 4 {
			longest = 6
		}
		r := &layers.Routes{Net: n, Paths: drawWalks(rt, n, 8, longest)}
		order := make([]int32, n.NumLinkChannels())
		for i, v := range rapid.Permutation(make([]int, len(order))).Draw(rt, "order") {
			order[i] = int32(v + i)
		}
		for _, mode := range []layers.Mode{layers.PerRise, layers.PerHop} {
			found, err := layers.FindHops(t.Context(), r, mode, order, layers.Options{Time: 20 * time.Second})
			if err != nil {
				rt.Fatal(err)
			}
			want := fewestHops(r.Paths, mode == layers.PerRise)
			count[fmt.Sprint(mode, want)]++
			if found.VCs != want || found.Bound != want || found.Hops < want || found.Segments < want {
				rt.Fatalf("mode %d: %+v, all assignments give %d: %v", mode, found, want, r.Paths)
			}
			checkHops(rt, r, found, mode)
		}
	})
	for _, name := range []string{"2 1", "2 2", "3 1", "3 2"} {
		if count[name] == 0 {
			t.Errorf("%v: too similar", count)
		}
	}
	t.Log(count)
}

// checkHops checks that the VCs of a result close no cycle and obey the mode.
func checkHops(t rapid.TB, r *layers.Routes, found *layers.HopResult, mode layers.Mode) {
	var made [][]vertex
	for i, path := range r.Paths {
		var p []vertex
		for k, c := range path {
			v := int(found.Of[i][k])
			if v < 0 || v >= found.VCs || mode == layers.PerRise && k > 0 && v < p[k-1].vc {
				t.Fatalf("path %d has VCs %v", i, found.Of[i])
			}
			p = append(p, vertex{c, v})
		}
		made = append(made, p)
	}
	if cyclicVertices(made) {
		t.Fatalf("the VCs close a cycle: %v, %v", r.Paths, found.Of)
	}
}

// TestThreeVCs compares the answer for two VCs with all assignments, on long walks around small networks, some of which need
// three VCs. Some need three VCs that rise, but two that change. For VCs that change it tries all of them on the smaller
// network only.
func TestThreeVCs(t *testing.T) {
	count := map[[2]int]int{}
	for _, seed := range []uint64{0, 1, 7, 22} {
		rng := rand.New(rand.NewPCG(seed, 1))
		spec := []string{"complete:3", "complete:4"}[seed%2]
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		r := &layers.Routes{Net: n}
		for range 6 + seed%2*2 {
			at := model.SwitchID(rng.IntN(n.NumSwitches()))
			var path []model.ChannelID
			for range 5 + seed%2 {
				out := slices.DeleteFunc(slices.Clone(n.Out(at)), func(c model.ChannelID) bool {
					return n.Kind(c) != model.SwitchToSwitch || slices.Contains(path, c)
				})
				if len(out) > 0 {
					c := out[rng.IntN(len(out))]
					path, at = append(path, c), n.Head(c)
				}
			}
			r.Paths = append(r.Paths, path)
		}
		var vcs [2]int
		for i, mode := range []layers.Mode{layers.PerRise, layers.PerHop} {
			found, err := layers.FindHops(t.Context(), r, mode, make([]int32, n.NumLinkChannels()), layers.Options{Time: 20 * time.Second})
			if err != nil || found.VCs != found.Bound {
				t.Fatalf("seed %d, mode %d: %+v, %v", seed, mode, found, err)
			}
			if vcs[i] = found.VCs; (mode == layers.PerRise || spec == "complete:3") && hopsFit(r.Paths, nil, 2, mode == layers.PerRise) != (found.VCs <= 2) {
				t.Errorf("seed %d, mode %d: %d VCs, all assignments say otherwise", seed, mode, found.VCs)
			}
			checkHops(t, r, found, mode)
		}
		count[vcs]++
	}
	if count[[2]int{2, 2}] == 0 || count[[2]int{3, 2}] == 0 || count[[2]int{3, 3}] == 0 {
		t.Errorf("%v: too similar", count)
	}
	t.Log(count)
}
