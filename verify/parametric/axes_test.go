package parametric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// nearest takes short paths on lines with express links: also backwards to the end of a link, and beyond the destination.
const nearest = `
def route(cur, dst, inp):
    for d in range(2):
        x, y = cur[d], dst[d]
        if x != y:
            on = x % 4 == 0
            if y - x > 2 and on and x + 4 < side(d):
                return [plus(2 + d)]
            if x - y > 2 and on:
                return [minus(2 + d)]
            if y - x > 4 and x % 4 == 1 and x + 3 < side(d):
                return [minus(d)]
            return [towards(cur, dst, d)]
    return []
`

// anyShortest permits every shortest path of a hexagonal grid.
const anyShortest = `
def route(cur, dst, inp):
    x, y = dst.x - cur.x, dst.y - cur.y
    out = []
    if x < 0 and (y <= 0 or -x > y):
        out.append(W)
    if y < 0 and (x <= 0 or -y > x):
        out.append(S)
    if x > 0 and y < 0:
        out.append(D)
    if x > 0 and (y >= 0 or x > -y):
        out.append(E)
    if y > 0 and (x >= 0 or y > -x):
        out.append(N)
    if x < 0 and y > 0:
        out.append(U)
    return out
`

// TestAxes: the published programs for hexagonal grids, brick walls and express meshes are proved, with certificates that the checker
// accepts. Wrong variants are refuted by the smallest network.
func TestAxes(t *testing.T) {
	for name, c := range map[string]struct {
		path     string   // of a published program, or the family of a text
		change   []string // old, new
		text     string
		want     string // the sizes of the theorem, or the sides of the smallest network that fails
		deadlock bool   // it fails by a deadlock
	}{
		"express":                   {path: "dor.express.star", want: "n, m >= 2"},
		"express, where":            {path: "dor.express.star", change: []string{"= 4)", "= 3)\nwhere = [n % 2 == 1, m >= 1]", "% 4", "% 3", ">= 4", ">= 3"}, want: "n >= 2, m >= 1, n % 2 == 1"},
		"express, beyond the end":   {path: "dor.express.star", change: []string{"dst[d] - cur[d] >= 4", "dst[d] - cur[d] >= 3"}, want: "[4 2]"},
		"express, short paths":      {path: "express(n, m, interval = 4)", text: nearest, want: "[7 2]", deadlock: true},
		"express, other interval":   {path: "dor.express.star", change: []string{"interval = 4", "interval = 8"}, want: "[5 2]"},
		"hexagonal":                 {path: "dor.hexgrid.star", want: "n, m >= 2"},
		"hexagonal, adaptive":       {path: "negative-first.hexgrid.star", want: "n, m >= 2"},
		"hexagonal, all paths":      {path: "hexgrid(n, m)", text: anyShortest, want: "[3 3]", deadlock: true},
		"hexagonal, U without room": {path: "dor.hexgrid.star", change: []string{"if dst.x < cur.x and dst.y > cur.y", "if dst.y > cur.y"}, want: "[2 2]"},
		"brick wall":                {path: "zigzag.brickwall.star", want: "n, m >= 2"},
		"brick wall, one VC":        {path: "zigzag.brickwall.star", change: []string{"vcs = 2", "vcs = 1", ", 1)", ", 0)"}, want: "[3 2]", deadlock: true},
		"brick wall, odd rows":      {path: "zigzag.brickwall.star", change: []string{"% 2 == 0", "% 2 == 1"}, want: "[2 2]"},
		"brick wall, narrow":        {path: "zigzag.brickwall.star", change: []string{"vcs = 2", "vcs = 2\nwhere = [n >= 1]"}, want: "[1 3]"},
	} {
		t.Run(name, func(t *testing.T) {
			if slices.Contains([]string{"express", "express, where", "express, short paths", "hexagonal, adaptive"}, name) {
				longtest.Only(t, "a hexagonal grid is proved, other express meshes are refuted, and kept certificates of express meshes judged")
			}
			t.Parallel()
			file, text := "p.star", c.text
			if strings.HasSuffix(c.path, ".star") {
				file, text = c.path, strings.NewReplacer(c.change...).Replace(bundled(t, c.path).Text)
			} else {
				text = "family = " + c.path + "\n" + text
			}
			p := parsed(t, file, text)
			if !strings.HasPrefix(c.want, "n") {
				r, err := Prove(t.Context(), p, Options{})
				if err != nil || r.Verdict != verify.Refuted || fmt.Sprint(r.Witness.Sides) != c.want {
					t.Fatalf("%v %s %+v", err, r.Verdict, r.Witness)
				}
				if c.deadlock != (r.Witness.Report.DeadlockFree.Verdict == verify.Refuted) {
					t.Errorf("a deadlock is %v", r.Witness.Report.DeadlockFree.Verdict)
				}
				return
			}
			needZ3(t)
			if strings.HasPrefix(name, "brick") && !long() {
				t.Skip("TURNPROOF_LONG is not set; a kept certificate has this proof")
			}
			r := proved(t, p, Options{})
			if r.Sizes != c.want {
				t.Errorf("for %s; want %s", r.Sizes, c.want)
			}
			certified(t, r)
			confirm(t, name, p, r, model.Wormhole, 9)
		})
	}
}

// TestAxesAtRandom is TestSizesAtRandom for families with axes.
func TestAxesAtRandom(t *testing.T) {
	needZ3(t)
	count := longtest.Cases(3, 400)
	var texts []string
	for _, f := range published.All() {
		if parsed(t, f.Path, f.Text).Family.HasAxes() {
			texts = append(texts, f.Text)
		}
	}
	random := rand.New(rand.NewPCG(6, 31))
	verdicts := map[string]int{}
	for range count {
		text := texts[random.IntN(len(texts))]
		for range 1 + random.IntN(2) {
			list := mutants(text)
			text = list[random.IntN(len(list))]
		}
		judgeProgram(t, random, verdicts, text, 6)
	}
	t.Log(verdicts)
}
