package figure

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"turnproof/model"
)

var gallery = flag.String("gallery", "", "folder to write a picture of every test drawing to")

// drawing is a named figure of the tests.
type drawing struct {
	name string
	g    *Graph
}

// small returns the drawings that are quick to lay out; their DOT is golden.
func small() []drawing {
	r4, m3, i16, ls := ring(4, 2, 2), grid(3, 3, false), irregular(16, 4, 4, 2), leafSpine(8, 4, 4)
	r4steps := aroundSteps(r4, 1, 0, 1, 2, 3)
	walk := aroundSteps(i16, 1, shortestWalk(i16, 1)...)
	lswalk := aroundSteps(ls, 0, 0, 8, 1, 9)
	return []drawing{
		{"network-ring4", Network(r4, Options{Title: "Ring of 4"})},
		{"network-mesh3x3", Network(m3, Options{Title: "3×3 mesh"})},
		{"network-mesh3x3-pinned", Network(m3, Options{Title: "3×3 mesh, placed", Position: gridPosition(3)})},
		{"network-irregular16", Network(i16, Options{Title: "Irregular network"})},
		{"network-leafspine", Network(ls, Options{Title: "8 leaves, 4 spines"})},
		{"network-parallel", Network(parallel(), Options{Title: "Parallel cables"})},
		{"cycle-ring4", CycleOnNetwork(r4, r4steps, Options{Title: "Dependency cycle on a ring of 4"})},
		{"cycle-mesh3x3-pinned", CycleOnNetwork(m3, aroundSteps(m3, 0, 0, 1, 4, 3), Options{Title: "Cycle on a mesh", Position: gridPosition(3)})},
		{"cycle-irregular16", CycleOnNetwork(i16, walk, Options{Title: "Dependency cycle", VC: "VL"})},
		{"cycle-leafspine", CycleOnNetwork(ls, lswalk, Options{Title: "Dependency cycle in a tree"})},
		{"cdg-ring4", Dependencies(r4, allTurns(r4), vcsOf(r4steps), Options{Title: "Channel dependency graph, ring of 4"})},
		{"cdg-ring4-all", Dependencies(r4, allTurns(r4), nil, Options{Title: "Channel dependency graph without a cycle marked"})},
		{"cdg-irregular16", Dependencies(i16, allTurns(i16), vcsOf(walk), Options{Title: "Channel dependency graph, part"})},
		{"paths-mesh3x3", Paths(m3, 0, 8, meshPaths(m3), Options{Title: "Minimal paths", Position: gridPosition(3)})},
		{"paths-mesh3x3-free", Paths(m3, 0, 8, meshPaths(m3), Options{Title: "Minimal paths"})},
		{"paths-leafspine", Paths(ls, 0, 31, [][]model.VCID{route(ls, 0, 0, 8, 7), route(ls, 0, 0, 9, 7), route(ls, 0, 0, 10, 7), route(ls, 0, 0, 11, 7)},
			Options{Title: "Paths through each spine"})},
	}
}

// large returns drawings that take longer.
func large() []drawing {
	t8, ft, i64 := grid(8, 8, true), fatTree(8), irregular(64, 5, 2, 3)
	return []drawing{
		{"network-torus8x8", Network(t8, Options{Title: "8×8 torus"})},
		{"network-torus8x8-pinned", Network(t8, Options{Title: "8×8 torus, placed", Position: gridPosition(8)})},
		{"cycle-torus8x8", CycleOnNetwork(t8, aroundSteps(t8, 1, 0, 1, 2, 3, 4, 5, 6, 7), Options{Title: "Cycle around a row", Position: gridPosition(8)})},
		{"network-fattree8", Network(ft, Options{Title: "Fat tree, k=8"})},
		{"paths-fattree8", Paths(ft, 0, 127, [][]model.VCID{route(ft, 0, 0, 32, 64, 60, 31), route(ft, 0, 0, 33, 68, 61, 31)}, Options{Title: "Two paths"})},
		{"network-irregular64", Network(i64, Options{Title: "Irregular, 64 switches"})},
		{"cycle-irregular64", CycleOnNetwork(i64, aroundSteps(i64, 1, shortestWalk(i64, 5)...), Options{Title: "Cycle, 64 switches"})},
		{"cycle-irregular200", CycleOnNetwork(irregular(200, 5, 2, 3), aroundSteps(irregular(200, 5, 2, 3), 1, shortestWalk(irregular(200, 5, 2, 3), 5)...), Options{Title: "Cycle, 200 switches"})},
	}
}

func parallel() *model.Network {
	w := wire(3)
	for range 2 {
		w.link(0, 1)
	}
	for range 5 {
		w.link(1, 2)
	}
	w.link(0, 2)
	return w.build(1, 3, 1)
}

func meshPaths(n *model.Network) [][]model.VCID {
	return [][]model.VCID{route(n, 0, 0, 1, 2, 5, 8), route(n, 0, 0, 1, 4, 5, 8), route(n, 0, 0, 1, 4, 7, 8),
		route(n, 0, 0, 3, 4, 5, 8), route(n, 0, 0, 3, 4, 7, 8), route(n, 0, 0, 3, 6, 7, 8)}
}

// TestGallery writes every drawing as PNG and SVG, to be looked at:
//
//	go test ./model/figure -run Gallery -gallery /tmp/figures
func TestGallery(t *testing.T) {
	if *gallery == "" {
		t.Skip("no -gallery")
	}
	if err := os.MkdirAll(*gallery, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, d := range append(small(), large()...) {
		for _, format := range Formats {
			start := time.Now()
			out, err := Render(context.Background(), d.g, format)
			if err != nil {
				t.Errorf("%s: %v", d.name, err)
				continue
			}
			t.Logf("%s.%s %v", d.name, format, time.Since(start).Round(time.Millisecond))
			if err := os.WriteFile(filepath.Join(*gallery, d.name+"."+format), out, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
