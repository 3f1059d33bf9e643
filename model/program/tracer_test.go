package program

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model/topo"
)

// The answers of a tracer equal those of the interpreter for packets in any order. The tracer
// learns, and sets useless if it cannot.
func TestTracer(t *testing.T) {
	texts := map[string]string{
		"index.star":    "family = mesh(n, m)\ndef route(cur, dst, inp):\n    return [[E, W, N, S, E, W, N][cur.x]]\n", // indexed by a coordinate
		"product.star":  "family = mesh(n, m)\ndef route(cur, dst, inp):\n    return [E] if cur.x * dst.y > 6 else [N]\n",
		"key.star":      "family = mesh(n, m)\nways = {0: E, 1: W, 2: N, 3: S, 4: E, 5: E, 6: E}\ndef route(cur, dst, inp):\n    return [ways[dst.y]]\n",
		"range.star":    "family = mesh(n, m)\ndef route(cur, dst, inp):\n    k = 0\n    for i in range(cur.x):\n        k += i\n    return [E] if k % 2 == 0 else [S]\n",
		"division.star": "family = mesh(n, m)\ndef route(cur, dst, inp):\n    k = (3 * cur.x - 2 * dst.y - 7) // 5 + (cur.y - 9) % 3 + (dst.x // 2) % 2 + -(cur.y // 7) + cur.x % n\n    return [E] if k > 2 else [W] if k == 2 else [N] if k <= -2 else [S]\n",
		"works.star":    "family = mesh(n, m)\ndef route(cur, dst, inp):\n    return [a for a in (E, W, N, S) if works(cur, a)]\n",
		"truth.star":    "family = mesh(n, m)\ndef route(cur, dst, inp):\n    return [E] if cur.x - dst.y else [N] if not (cur.y // 2) else [S]\n",
	}
	useless := map[string]bool{"index.star": true, "product.star": true, "key.star": true, "range.star": true}
	for _, f := range published.All() {
		if f.Family != HyperX { // these are interpreted
			texts[f.Path] = f.Text
		}
	}
	for name, text := range texts {
		p, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		sides := []int{5, 7}
		switch {
		case p.Family.Kind == "hypercube":
			sides = []int{2, 2, 2}
		case len(p.Family.Sides) == 2 && p.Family.Sides[0] == p.Family.Sides[1]:
			sides = []int{6, 6}
		}
		i, err := p.OnNumbers(sides)
		if err != nil {
			t.Fatal(err)
		}
		n, err := topo.Mesh(sides, topo.Options{})
		if p.Family.Wrap() {
			n, err = topo.Torus(sides, topo.Options{})
		}
		if err != nil {
			t.Fatal(err)
		}
		tr, random, runs := newTracer(i, n, p.States), rand.New(rand.NewPCG(7, 8)), 0
		for range 4000 {
			at, to := make([]int, len(sides)), make([]int, len(sides))
			for d, side := range sides {
				at[d], to[d] = random.IntN(side), random.IntN(side)
			}
			if slices.Equal(at, to) {
				continue
			}
			a := arrival{dir: Dir(random.IntN(2*len(sides)+1)) - 1, state: random.IntN(p.States)}
			wrap := p.Family.Wrap() && a.dir != NoDir && random.IntN(3) == 0
			if a.dir != NoDir {
				a.vc = random.IntN(p.VCs)
			}
			from, goal := Numbers(at), Numbers(to)
			got, err := tr.route(a, wrap, from, goal)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if want, err := tr.interpreted(from, goal); err != nil || !slices.Equal(got.outputs, want.outputs) || !got.reads && want.reads && !tr.useless {
				t.Fatalf("%s at %v to %v: %v, the interpreter gives %v, %v", name, at, to, got.outputs, want.outputs, err)
			}
			if got.list == noList {
				got.list, runs = 0, runs+1
			}
		}
		if tr.useless != useless[name] || !tr.useless && runs > 600 {
			t.Errorf("%s: useless %t, %d runs", name, tr.useless, runs)
		}
	}
}
