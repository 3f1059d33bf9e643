package program_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

const wrapX = `family = torus(n, m, wrap = "x")
def route(cur, dst, inp):
    if dst.x != cur.x:
        ahead = (dst.x - cur.x) % n
        return [E] if 2 * ahead <= n else [W]
    return [N] if dst.y > cur.y else [S]
`

// TestWrap checks that a program with wraparound only in x accepts only such grids, and that
// its routing uses only rings in x.
func TestWrap(t *testing.T) {
	p, err := program.Parse("w.star", wrapX)
	if err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]string{
		"torus:4x3,wrap=x": "refuted", "torus:3x5,wrap=x": "proved", "torus:5x3,wrap=0": "refuted",
		"torus:4x3,wrap=y": `this network is a grid with wrap = "y"`, "torus:4x3": "a torus or ring", "mesh:4x3": "a mesh", "torus:4x3,wrap=none": "a mesh",
		"torus:4x3x2,wrap=x": "has 2 dimensions, not 3",
	} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := p.Relation(t.Context(), n)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", spec, err, want)
			}
			continue
		}
		rep, err := verify.Check(t.Context(), r, verify.Options{Switching: model.CutThrough})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(rep.DeadlockFree.Verdict); got != want || rep.Routes.Unreachable > 0 {
			t.Errorf("%s: %s, %d pairs without a path; want %s", spec, got, rep.Routes.Unreachable, want)
		}
		wrapped := 0
		for c := range model.ChannelID(n.NumLinkChannels()) {
			a, b := n.Grid().Coords(n.Tail(c), nil), n.Grid().Coords(n.Head(c), nil)
			if d := a[1] - b[1]; d > 1 || d < -1 {
				t.Errorf("%s: a channel from %v to %v", spec, a, b)
			}
			if d := a[0] - b[0]; d > 1 || d < -1 {
				wrapped++
			}
		}
		if sides := n.Grid().Sides; wrapped != 2*sides[1] {
			t.Errorf("%s: %d channels are wraparounds in x", spec, wrapped)
		}
	}
}

// TestWrapWords checks that invalid values of wrap are refused.
func TestWrapWords(t *testing.T) {
	for _, family := range []string{`torus(n, m, wrap = "z")`, `torus(n, m, wrap = "xx")`, `torus(n, m, wrap = 1)`, `mesh(n, m, wrap = "x")`, `torus(*n, wrap = "x")`, `torus(n, m, ring = "x")`, `torus(wrap = "x")`} {
		if _, err := program.Parse("w.star", fmt.Sprintf("family = %s\ndef route(cur, dst, inp):\n    return [E]\n", family)); err == nil {
			t.Errorf("%s is accepted", family)
		}
	}
	p, err := program.Parse("w.star", wrapX)
	if err != nil || p.Family.String() != `torus(n, m, wrap = "x")` {
		t.Errorf("%s, %v", &p.Family, err)
	}
}
