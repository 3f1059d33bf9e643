package route_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// TestSegmentsAndNueAreProved checks any connected network with any root and number of VCs.
func TestSegmentsAndNueAreProved(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		n := connected(d, 9)
		n = n.WithVCs(rapid.IntRange(1, 3).Draw(d, "vcs"))
		o := route.Options{}
		if rapid.Bool().Draw(d, "given") {
			root := model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(d, "root"))
			o.Root = &root
		}
		for _, name := range []string{"segments", "nue", "escape"} {
			if name == "escape" {
				n = n.WithVCs(n.VCs() + 1)
			}
			rep := check(t, build(t, name, n, o))
			if rep.Verdict() != verify.Proved || name != "escape" && rep.Acyclic.Verdict != verify.Proved {
				d.Fatalf("%s: %s, acyclic %s", name, rep.Verdict(), rep.Acyclic.Verdict)
			}
		}
	})
}

// TestSegmentsProhibit counts prohibited turns: two for each segment of several links. A ring is one segment. A mesh of x by y
// switches has (x-1)(y-1) segments if none is a
// single link: as many as independent cycles.
func TestSegmentsProhibit(t *testing.T) {
	for spec, want := range map[string]int{"ring:5": 2, "ring:4,vcs=2": 2 * 4, "line:5": 0, "star:6": 0, "mesh:2x2": 2, "mesh:4x3": 2 * 6} {
		n := parsed(t, spec)
		r := build(t, "segments", n, route.Options{})
		modeltest.Conformance(t, r)
		all := 0
		for range model.Turns(n, false) {
			all++
		}
		if got := all - r.(model.Restricted).Turns().Len(); got != want {
			t.Errorf("%s: %d prohibited turns, want %d", spec, got, want)
		}
	}
}

// TestNueIsBalanced: on a full fat tree Nue takes shortest paths, and the busiest link has at most a fifth more paths than the mean.
func TestNueIsBalanced(t *testing.T) {
	n := parsed(t, "fattree:k=8,levels=2")
	r := build(t, "nue", n, route.Options{})
	modeltest.Conformance(t, r)
	load, total, most := map[model.VCID]int{}, 0, 0
	paths, err := route.AllPaths(r, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if u, v := n.Host(p.Source).Switch, n.Host(p.Dest).Switch; len(p.VCs) != modeltest.Distances(n, u)[v] {
			t.Errorf("a path of %d links from switch %d to %d", len(p.VCs), u, v)
		}
		for _, c := range p.VCs {
			load[c]++
			total++
			most = max(most, load[c])
		}
	}
	if float64(most) > 1.2*float64(total)/float64(n.NumLinkVCs()) {
		t.Errorf("%d paths on the busiest of %d channels, %d in all", most, n.NumLinkVCs(), total)
	}
}

// TestNueUsesItsVCs: with several VCs no path is longer on average, and each VC is acyclic alone.
func TestNueUsesItsVCs(t *testing.T) {
	mean := map[int]float64{}
	for _, vcs := range []int{1, 2, 4, 8} {
		n := parsed(t, fmt.Sprintf("torus:6x6,vcs=%d", vcs))
		r := build(t, "nue", n, route.Options{})
		rep := check(t, r)
		if rep.Verdict() != verify.Proved || rep.Acyclic.Verdict != verify.Proved {
			t.Errorf("%d VCs: %s", vcs, rep.Verdict())
		}
		paths, err := route.AllPaths(r, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			mean[vcs] += float64(len(p.VCs)) / float64(len(paths))
		}
	}
	if mean[1] < mean[2] || mean[2] < mean[4] || mean[4] < mean[8] || mean[8] > 3.2 {
		t.Errorf("mean lengths of paths by VCs: %v; the shortest have 3.09", mean)
	}
}
