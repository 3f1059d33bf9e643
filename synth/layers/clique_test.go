package layers_test

import (
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/layers"
)

// TestClique checks the bound by clique on paths whose fewest layers are known.
//
// On a ring of six switches, each path takes five channels clockwise. Paths that start at 0, 2
// and 4 close a cycle in pairs, so three layers are needed. Paths that start at adjacent
// switches close none, so three layers are enough for all six.
func TestClique(t *testing.T) {
	r := ringPaths(t, 6)
	found, err := layers.Find(t.Context(), r, layers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found.Layers != 3 || found.Bound != 3 || found.By != layers.ByClique || len(found.Clique) != 3 {
		t.Fatalf("%+v; want 3 layers, and a clique of 3 paths as the bound", found)
	}
	if want := fewest(r.Paths); want != found.Layers {
		t.Errorf("%d layers; exhaustive search finds %d", found.Layers, want)
	}
	for i, p := range found.Clique {
		for _, q := range found.Clique[:i] {
			if fits([][]model.ChannelID{r.Paths[p], r.Paths[q]}, nil, 1) {
				t.Errorf("paths %d and %d of the clique fit into one layer", p, q)
			}
		}
	}
}

// ringPaths returns a path from each switch of a ring clockwise to the last switch before it.
func ringPaths(t *testing.T, switches int) *layers.Routes {
	t.Helper()
	n, err := topo.Parse(fmt.Sprintf("ring:%d", switches))
	if err != nil {
		t.Fatal(err)
	}
	r := &layers.Routes{Net: n}
	for start := range switches {
		var path []model.ChannelID
		for hop := range switches - 1 {
			from, to := model.SwitchID((start+hop)%switches), model.SwitchID((start+hop+1)%switches)
			for _, c := range n.Out(from) {
				if n.Kind(c) == model.SwitchToSwitch && n.Head(c) == to {
					path = append(path, c)
				}
			}
		}
		r.Paths = append(r.Paths, path)
	}
	return r
}
