package worms

import (
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestAnyEscape checks that the elimination finds an escape where sets of VCs are one, and none where packets need
// a VC that leads to itself.
func TestAnyEscape(t *testing.T) {
	for spec, want := range map[string]bool{"mesh:3x3,vcs=2": true, "mesh:2x4,vcs=3": true, "torus:3x3,vcs=3": true, "hypercube:3,vcs=2": true,
		"torus:4x4,vcs=2": false} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		o := route.Options{}
		if !want {
			o.EscapeVCs = 1 // closes a cycle around the torus
		}
		r, err := route.New("duato", n, o)
		if err != nil {
			t.Fatal(err)
		}
		for name, commits := range map[string]func(model.State) bool{"any": nil, "one": func(model.State) bool { return true }} {
			g, err := New(t.Context(), r, commits)
			if err != nil {
				t.Fatal(err)
			}
			if got := hasEscape(g); got != (want && commits == nil) {
				t.Errorf("%s, waiting %s: an escape: %v", spec, name, got)
			}
		}
	}
	for away := 1; away <= 2; away++ {
		g, err := New(t.Context(), modeltest.Shuttle(away), nil)
		if err != nil {
			t.Fatal(err)
		}
		if hasEscape(g) {
			t.Errorf("%d hops away: an escape", away)
		}
	}
}

func hasEscape(g *Graph) bool {
	ranks, _ := g.Escape()
	return ranks != nil
}
