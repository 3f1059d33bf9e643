package turnmodel

import (
	"context"
	"math"
	"testing"

	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// TestTableThreeTree: the tree in table-3.tree gives the counts of table 3.
func TestTableThreeTree(t *testing.T) {
	n, err := topo.Parse("torus:8x8,hosts=4")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method   string
		pt, sdpt float64 // the paper truncates 2.6406 for L-turn/alpha, and rounds it for R-turn/alpha
		ppt      int
	}{{"lturn-alpha", 2.641, 1.789, 17}, {"lturn-beta", 2.625, 2.012, 20}, {"rturn-alpha", 2.641, 1.789, 17}, {"rturn-beta", 2.625, 2.012, 20}} {
		made, err := synth.New(context.Background(), c.method, n, synth.Options{TreeFile: "files/table-3.tree"})
		if err != nil {
			t.Fatal(err)
		}
		p := synth.Count(made.Allowed)
		if math.Abs(p.PT-c.pt) > 0.0005 || math.Abs(p.SDPT-c.sdpt) > 0.0005 || p.PPT != c.ppt {
			t.Errorf("%s: %.4f (%.4f) %d; want %.3f (%.3f) %d", c.method, p.PT, p.SDPT, p.PPT, c.pt, c.sdpt, c.ppt)
		}
	}
}
