package layers_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// drawSet draws a relation with a few paths, and returns these. Only their pairs send.
func drawSet(rt *rapid.T, hosts int) (model.Flowing, []route.Path) {
	spec := rapid.SampledFrom([]string{"ring:4", "ring:5", "ring:6", "torus:3x3", "complete:4"}).Draw(rt, "network")
	n, err := topo.Parse(fmt.Sprintf("%s,hosts=%d", spec, hosts))
	if err != nil {
		rt.Fatal(err)
	}
	var list []route.Path
	for _, walk := range drawWalks(rt, n, 8, 4) {
		from, to := n.Tail(walk[0]), n.Head(walk[len(walk)-1])
		if from == to {
			continue
		}
		p := route.Path{Source: model.HostID(int(from) * hosts), Dest: model.HostID(int(to)*hosts + hosts - 1)}
		for _, c := range walk {
			p.VCs = append(p.VCs, model.VCID(c))
		}
		list = append(list, p)
	}
	rel, err := route.Paths(n, list)
	if err != nil {
		rt.Fatal(err)
	}
	var flows []model.Flow
	for _, p := range list {
		if f := (model.Flow{Source: p.Source, Dest: p.Dest}); !slices.Contains(flows, f) {
			flows = append(flows, f)
		}
	}
	return model.WithFlows(rel, flows), list
}

// fewestPairs tries all assignments of pairs to layers, and returns the fewest layers, or 0 if a pair closes a cycle alone.
func fewestPairs(list []route.Path) int {
	of := map[[2]model.HostID]int{}
	for _, p := range list {
		pair := [2]model.HostID{p.Source, p.Dest}
		if _, ok := of[pair]; !ok {
			of[pair] = len(of)
		}
	}
	for k := 1; k <= len(of); k++ {
		layer := make([]int, len(of))
		for {
			var made [][]vertex
			for _, p := range list {
				var path []vertex
				for _, v := range p.VCs {
					path = append(path, vertex{model.ChannelID(v), layer[of[[2]model.HostID{p.Source, p.Dest}]]})
				}
				made = append(made, path)
			}
			if !cyclicVertices(made) {
				return k
			}
			i := 0
			for ; i < len(layer); i++ {
				if layer[i]++; layer[i] < k {
					break
				}
				layer[i] = 0
			}
			if i == len(layer) {
				break
			}
		}
	}
	return 0
}

// TestEvidence compares results and bounds of all modes with all assignments, and lets the checker judge the evidence. The
// checker rejects evidence for a greater bound, and evidence from which a step is missing.
func TestEvidence(t *testing.T) {
	count := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		rel, list := drawSet(rt, rapid.IntRange(1, 2).Draw(rt, "hosts"))
		if len(list) == 0 {
			return
		}
		o := layers.Options{Time: 20 * time.Second}
		r, choices, err := layers.CollectPaths(t.Context(), rel, 100)
		if err != nil {
			rt.Fatal(err)
		}
		var core layers.Core
		var made model.Relation
		want := 0
		switch core.Mode = rapid.SampledFrom([]layers.Mode{layers.PerPath, layers.PerPair, layers.PerRise, layers.PerHop}).Draw(rt, "mode"); core.Mode {
		case layers.PerPair:
			if r, err = layers.CollectPairs(t.Context(), rel); err != nil {
				rt.Fatal(err)
			}
			want = fewestPairs(list)
			found, err := layers.Find(t.Context(), r, o)
			if want == 0 || err != nil {
				if _, ok := err.(*layers.CycleError); !ok || want != 0 {
					rt.Fatalf("%v, all assignments give %d: %v", err, want, list)
				}
				count["none"]++
				return
			}
			core.Bound, core.Paths, choices = found.Bound, found.Core, nil
			if made, err = layers.Layered(rel, r, found.Of); err != nil || found.Layers != want {
				rt.Fatalf("%d layers, all assignments give %d: %v; %v", found.Layers, want, list, err)
			}
		case layers.PerPath:
			want = max(1, fewest(r.Paths))
			found, err := layers.Find(t.Context(), r, o)
			if err != nil || found.Layers != want {
				rt.Fatalf("%+v, %v, all assignments give %d: %v", found, err, want, list)
			}
			core.Bound, core.Paths = found.Bound, found.Core
			made = spread(rt, r, choices, found.Layers, func(p int32) []int32 { return found.Of[p : p+1] })
		default:
			want = fewestHops(r.Paths, core.Mode == layers.PerRise)
			found, err := layers.FindHops(t.Context(), r, core.Mode, make([]int32, r.Net.NumLinkChannels()), o)
			if err != nil || found.VCs != want {
				rt.Fatalf("%+v, %v, all assignments give %d: %v", found, err, want, list)
			}
			core.Bound, core.Paths = found.Bound, found.Core
			made = spread(rt, r, choices, found.VCs, func(p int32) []int32 { return found.Of[p] })
		}
		count[fmt.Sprint(core.Mode, want)]++
		if core.Bound != want {
			rt.Fatalf("mode %d: a bound of %d, all assignments give %d: %v", core.Mode, core.Bound, want, list)
		}
		checkEvidence(t, rt, model.WithFlows(made, rel.Flows()), r, choices, core)
	})
	if count["0 2"]+count["1 2"]+count["2 2"]+count["3 2"] == 0 {
		t.Errorf("%v: too similar", count)
	}
	t.Log(count)
}

func spread(t rapid.TB, r *layers.Routes, choices []layers.Choice, k int, vcs func(int32) []int32) model.Relation {
	n := r.Net.WithVCs(k)
	rel, err := route.Paths(n, layers.Spread(n, choices, vcs))
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

func checkEvidence(t *testing.T, rt *rapid.T, rel model.Relation, r *layers.Routes, choices []layers.Choice, core layers.Core) {
	rep, err := verify.Check(t.Context(), rel, verify.Options{Switching: model.CutThrough})
	if err != nil || rep.Verdict() != verify.Proved {
		rt.Fatalf("%v, %v", rep, err)
	}
	if core.Bound < 2 {
		return
	}
	claim, err := layers.Evidence(t.Context(), rel, r, choices, core)
	if err != nil || claim == nil {
		rt.Fatalf("no evidence for %+v: %v", core, err)
	}
	judge := func(claim cert.Claim) error {
		c := *rep.Certificate
		c.Claims = append(slices.Clone(c.Claims), claim)
		return cert.Check(&c)
	}
	if err := judge(*claim); err != nil {
		rt.Fatalf("%+v: %v", core, err)
	}
	more, cut := *claim, *claim
	bound, steps := *claim.Bound+1, (*claim.Steps)[2+(*claim.Steps)[1]:]
	more.Bound, cut.Steps = &bound, &steps
	if judge(more) == nil {
		rt.Fatalf("%+v: a greater bound is accepted", core)
	}
	if judge(cut) == nil {
		rt.Fatalf("%+v: evidence without its first step is accepted", core)
	}
}
