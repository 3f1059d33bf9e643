package route_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestAllPaths counts the paths on a mesh: binomial coefficients for minimal, one each for dor.
func TestAllPaths(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"dor": 72, "minimal": 0} {
		r := build(t, name, n, route.Options{})
		list, err := route.AllPaths(r, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if name == "minimal" {
			choose := [][]int{{1, 1, 1}, {1, 2, 3}, {1, 3, 6}}
			for a := range 9 {
				for b := range 9 {
					if a != b {
						want += choose[max(a%3-b%3, b%3-a%3)][max(a/3-b/3, b/3-a/3)]
					}
				}
			}
		}
		if len(list) != want {
			t.Errorf("%s: %d paths, want %d", name, len(list), want)
		}
		back, err := route.Paths(n, list)
		if err != nil {
			t.Fatal(err)
		}
		again, err := route.AllPaths(back, 1000)
		if err != nil || len(again) != want {
			t.Errorf("%s: %d paths of the path set, error %v; want %d", name, len(again), err, want)
		}
	}
	if _, err := route.AllPaths(build(t, "minimal", n, route.Options{}), 100); err == nil || !strings.Contains(err.Error(), "more than 100 paths") {
		t.Errorf("got error %v", err)
	}
	around := model.NewTurnSet(n)
	for turn := range model.Turns(n, false) {
		around.Add(turn)
	}
	if _, err := route.AllPaths(route.AnyPath(around), 1<<20); err == nil {
		t.Error("paths that return to a channel: no error")
	}
}
