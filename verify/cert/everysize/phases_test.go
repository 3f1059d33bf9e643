package everysize_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// phasesText returns a random program of two phases, mostly nearly right.
func phasesText(w *rand.Rand) string {
	pick := func(list ...string) string { return list[w.IntN(len(list))] }
	often := func(usual string, list ...string) string {
		if w.IntN(3) > 0 {
			return usual
		}
		return pick(list...)
	}
	list := func(sign, test string) string {
		hop := often(sign+"(d)", "("+sign+"(d), 0)", "("+sign+"(d), 2)", "plus(d)", "minus(0)", "towards(cur, dst, d)")
		return "[" + hop + " for d in " + often("range(len(cur))", "range(len(cur) - 1)", "range(1)", "range(1, len(cur))") +
			" if " + often("dst[d] "+test+" cur[d]", "dst[d] != cur[d]", "dst[0] < cur[0]", "cur[d] "+test+" dst[d]") + "]"
	}
	down, up := list("minus", "<"), list("plus", ">")
	if w.IntN(2) == 0 {
		down, up = up, down
	}
	return "family = " + often("mesh(*n)", "hypercube(n)", "torus(*n)") + "\nvcs = 2\n\ndef route(cur, dst, inp):\n    first = " + down + "\n    " +
		often("if first", "if len(first) > 1", "if not first") + ":\n        return first\n    return " +
		often(up, "productive(cur, dst)", "[(a, 1) for a in productive(cur, dst)]", "[(a, inp.vc) for a in productive(cur, dst)]",
			"[-a for a in productive(cur, dst)]", "first + productive(cur, dst)", "[(a, 1 if cur[a.dim] == 0 else 0) for a in productive(cur, dst)]") + "\n"
}

// acyclicSound reports what is wrong with a program on a network: a lost packet, one that is forwarded for ever, or a cycle of dependencies.
func (n *small) acyclicSound() error { return n.escapeSound(func(int, int) bool { return true }) }

// TestPhases: a random program of two phases that is right on lines up to 6 is right in two and three dimensions.
func TestPhases(t *testing.T) {
	count := longtest.Cases(180, 30_000)
	rng := rand.New(rand.NewPCG(31, 3))
	accepted, needed := 0, 0
	tried := map[string]bool{}
	for range count {
		text := phasesText(rng)
		p, err := program.Parse("p.star", text)
		if err != nil || tried[text] {
			continue
		}
		tried[text] = true
		right := func(dims, most int) (wrong error) {
			eachSides(p, dims, most, func(sides []int) {
				if n, err := newSmall(p, sides, nil); wrong == nil {
					if wrong = err; err == nil {
						wrong = n.acyclicSound()
					}
					if wrong != nil {
						wrong = fmt.Errorf("%v: %w", sides, wrong)
					}
				}
			})
			return wrong
		}
		if right(1, 6) != nil {
			continue
		}
		_, err = everysize.EveryDimension(text, nil)
		wrong := right(2, 4)
		if wrong == nil && err == nil {
			wrong = right(3, 3)
		}
		switch {
		case err == nil && wrong != nil:
			t.Errorf("accepted, but %v\n%s", wrong, text)
		case err == nil:
			accepted++
		case wrong != nil:
			needed++
		}
	}
	t.Logf("%d programs accepted, %d refused that are wrong in two or three dimensions", accepted, needed)
	if accepted < 10 || needed < 5 {
		t.Errorf("%d programs accepted, %d refused that are wrong: the test shows nothing", accepted, needed)
	}
}

// TestPhasesVCs: a phase without the last dimension has no hop in one dimension. Its VC must be one of the program nevertheless.
func TestPhasesVCs(t *testing.T) {
	for _, family := range []string{"mesh(*n)", "hypercube(n)"} {
		for vc, want := range []bool{true, true, false, false} {
			text := fmt.Sprintf("family = %s\nvcs = 2\n\ndef route(cur, dst, inp):\n    first = [(minus(d), %d) for d in range(len(cur) - 1) if dst[d] < cur[d]]\n"+
				"    if first:\n        return first\n    return productive(cur, dst)\n", family, vc)
			p, err := program.Parse("p.star", text)
			if err != nil {
				t.Fatal(err)
			}
			n, err := newSmall(p, []int{2, 2}, nil)
			if err == nil {
				err = n.acyclicSound()
			}
			if _, accepted := everysize.EveryDimension(text, nil); (accepted == nil) != want || (err == nil) != want {
				t.Errorf("%s, VC %d of 2: %v; on two dimensions %v", family, vc, accepted, err)
			}
		}
	}
}
