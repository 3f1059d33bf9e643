package synth

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// turnModelMethods are the methods of the 2-D turn model.
var turnModelMethods = []string{"lturn-alpha", "lturn-beta", "rturn-alpha", "rturn-beta"}

// bestRules returns the rules for the root that search trees, with the cost that each makes small.
func bestRules(t *testing.T, set *model.TurnSet) map[string]float64 {
	t.Helper()
	n, c := set.Network(), Count(set)
	m, err := MeasurePaths(t.Context(), set, model.NewDemand(n, model.UniformTraffic(n)))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]float64{"best-pt": c.PT, "best-sdpt": c.SDPT, "best-ppt": float64(c.PPT), "best-path": m.MeanPath, "best-throughput": -m.Throughput()}
}

// TestTreesNoWorse checks that the search over trees returns a tree of shortest paths whose set costs no more than that of the best
// root, and that options for trees restrict it to roots.
func TestTreesNoWorse(t *testing.T) {
	better := 0
	for _, spec := range []string{"line:5", "star:4", "torus:4x4", "fattree:k=4", "random:switches=16,degree=3,seed=1", "random:switches=24,degree=4,seed=2"} {
		n := network(t, spec)
		for _, rule := range RootRules() {
			if !rule.trees {
				continue
			}
			for _, method := range turnModelMethods[:2] {
				roots, err := New(t.Context(), method, n, Options{Root: rule.Name, Tree: hv.Options{Parent: hv.FirstSeen}})
				if err != nil {
					t.Fatal(err)
				}
				trees, err := New(t.Context(), method, n, Options{Root: rule.Name})
				if err != nil {
					t.Fatal(err)
				}
				old, now := bestRules(t, roots.Allowed)[rule.Name], bestRules(t, trees.Allowed)[rule.Name]
				if now > old+1e-9 {
					t.Errorf("%s, %s, %s: cost %v, the best root has %v", spec, method, rule.Name, now, old)
				}
				if now < old-1e-9 {
					better++
				}
				for u, dist := range hv.Hops(n, trees.Tree.Root) {
					if uint32(trees.Tree.Depth[u]) != dist {
						t.Errorf("%s, %s, %s: switch %d has depth %d and distance %d", spec, method, rule.Name, u, trees.Tree.Depth[u], dist)
					}
				}
				if canonical, err := hv.NewTree(n, roots.Tree.Root, hv.Options{Parent: hv.FirstSeen}); err != nil || !sameTree(canonical, roots.Tree) {
					t.Errorf("%s, %s, %s: parents are chosen although an option chooses them: %v", spec, method, rule.Name, err)
				}
			}
		}
	}
	if better < 10 {
		t.Errorf("trees are better than roots in %d cases, want 10 or more", better)
	}
}

func sameTree(a, b *hv.Tree) bool {
	return fmt.Sprint(a.Up, a.Preorder) == fmt.Sprint(b.Up, b.Preorder)
}

// TestFatTreesOptimal checks that the search finds trees on which L-turn and R-turn carry all traffic, as up*/down*.
func TestFatTreesOptimal(t *testing.T) {
	for _, spec := range []string{"fattree:k=4", "fattree:k=6", "fattree:k=8"} {
		n := network(t, spec)
		for _, method := range turnModelMethods {
			made, err := New(t.Context(), method, n, Options{Root: "best-throughput"})
			if err != nil {
				t.Fatal(err)
			}
			if x := -bestRules(t, made.Allowed)["best-throughput"]; x < 1-1e-9 {
				t.Errorf("%s, %s: throughput %v, want 1", spec, method, x)
			}
		}
	}
}

// TestLastParentsAsUpDown checks that on bipartite networks with the last possible parents all methods of the 2-D turn model prohibit the
// turns of up*/down*, from every root.
func TestLastParentsAsUpDown(t *testing.T) {
	for _, spec := range []string{"fattree:k=4", "torus:4x6", "mesh:4x3", "hypercube:4"} {
		n := network(t, spec)
		for u := range n.NumSwitches() {
			up, err := New(t.Context(), "updown", n, Options{Root: fmt.Sprint("#", u)})
			if err != nil {
				t.Fatal(err)
			}
			for _, method := range turnModelMethods {
				made, err := New(t.Context(), method, n, Options{Root: fmt.Sprint("#", u), Tree: hv.Options{Parent: hv.LastSeen}})
				if err != nil {
					t.Fatal(err)
				}
				if !made.Allowed.Equal(up.Allowed) {
					t.Errorf("%s, root %d: %s prohibits %d turns, up*/down* %d", spec, u, method, Count(made.Allowed).Prohibited, Count(up.Allowed).Prohibited)
				}
			}
		}
	}
}

// TestChangedTree checks that a change keeps the root and shortest paths, and changes the tree.
func TestChangedTree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, spec := range []string{"torus:4x4", "fattree:k=4", "random:switches=24,degree=4,seed=2", "star:4"} {
		n := network(t, spec)
		tree, err := hv.NewTree(n, 0, hv.Options{})
		for range 200 {
			if err != nil {
				t.Fatal(err)
			}
			given := changedTree(tree, random)
			if given == nil {
				t.Fatalf("%s: no change", spec)
			}
			old := tree
			if tree, err = hv.NewTree(n, 0, hv.Options{Given: given}); err == nil && (sameTree(old, tree) || tree.Root != 0) {
				t.Fatalf("%s: the tree is the same", spec)
			}
		}
	}
	line, err := hv.NewTree(network(t, "line:4"), 0, hv.Options{})
	if err != nil || changedTree(line, random) != nil {
		t.Errorf("a line has only one tree: %v", err)
	}
}

// BenchmarkBest compares the search over roots with the one over trees.
func BenchmarkBest(b *testing.B) {
	for _, spec := range []string{"fattree:k=8", "torus:8x8", "random:switches=64,degree=4,seed=1", "random:switches=128,degree=4,seed=1"} {
		for _, parent := range []string{hv.FirstSeen, ""} {
			b.Run(spec+"/parent="+parent, func(b *testing.B) {
				bench(b, "lturn-alpha", spec, Options{Root: "best-throughput", Tree: hv.Options{Parent: parent}})
			})
		}
	}
}
