package everysize_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// writer writes random programs.
type writer struct{ *rand.Rand }

// families are those of random programs, with the largest side of the networks that are compared.
var families = []struct {
	text string
	most int
}{
	{"mesh(n, 3)", 3}, {"torus(n, n)", 3}, {"torus(n, 3, wrap = \"x\")", 4}, {"torus(n, 3, wrap = \"y\")", 3}, {"torus(n, n)\nwhere = [n >= 2]", 3},
	{"hexgrid(n, 3)", 3}, {"brickwall(n, m)\nwhere = [n >= 1]", 3}, {"express(n, 2, interval = 2)", 5},
	{"torus(n, 4, wrap = \"x\")\nwhere = [2 * n - 1 >= 4, n % 2 == 1, n < 5]", 5},
}

func (w writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w writer) number(depth int) string {
	if depth == 0 || w.IntN(3) == 0 {
		return w.pick("cur.x", "dst.x", "cur.y", "dst.y", "side(0)", "n", "0", "1", "2", "inp.vc", "len(cur)", "-1")
	}
	a, b := w.number(depth-1), w.number(depth-1)
	return w.pick(a+" + "+b, a+" - ("+b+")", "2 * "+a, "("+a+") % 2", "("+a+") // 2", "abs("+a+")", "min("+a+", "+b+")", "delta(cur, dst, 0)",
		"("+a+" if "+w.test(0)+" else "+b+")", "distance(cur, dst)", "(-7) // 2", "(-7) % 3")
}

func (w writer) test(depth int) string {
	a, b := w.number(max(depth-1, 0)), w.number(max(depth-1, 0))
	return w.pick(a+" < "+b, a+" <= "+b, a+" == "+b, a+" != "+b, a+" >= "+b, a+" > "+b, "not "+a, "inp.dir == E", "inp.dir in [N, S]", "inp.wrap",
		"inp.dim == 1", a+" and "+b+" > 0", a+" in (1, "+b+")", "cur != dst", "any([c == 1 for c in cur])", "towards(cur, dst, 1) == None",
		"cur == (1, "+b+")")
}

func (w writer) block(indent string, depth int) string {
	if depth == 0 {
		return indent + w.pick("out.append(E)", "out.append((W, 1))", "out += productive(cur, dst)", "out = out + [N]", "return out", "return [S]",
			"pass", "out = [(a, 0) for a in out if a != E]", "k += 1", "out.append(plus(k % 2))", "return []") + "\n"
	}
	switch w.IntN(4) {
	case 0:
		return indent + "if " + w.test(1) + ":\n" + w.block(indent+"    ", depth-1) + indent + "else:\n" + w.block(indent+"    ", depth-1)
	case 1:
		return indent + "for d in range(2):\n" + indent + "    if cur[d] < dst[d]:\n" + w.block(indent+"        ", depth-1) + indent + "    " +
			w.pick("continue", "break", "pass") + "\n"
	}
	return w.block(indent, depth-1) + w.block(indent, depth-1)
}

// TestRandomPrograms compares the paths of random programs with the interpreter.
func TestRandomPrograms(t *testing.T) {
	count, compared := longtest.Cases(60, 3000), 0
	rng := rand.New(rand.NewPCG(3, 31))
	for range count {
		w := writer{rng}
		family := families[rng.IntN(len(families))]
		text := "family = " + family.text + "\nvcs = 2\n\ndef route(cur, dst, inp):\n    out = []\n    k = 0\n" + w.block("    ", 3) + "    return out\n"
		if strings.Contains(family.text, "hexgrid") || strings.Contains(family.text, "brickwall") || strings.Contains(family.text, "express") {
			text = strings.NewReplacer("productive(cur, dst)", "[plus(1), "+w.pick("plus(0)", "U", "plus(2)")+"]", "distance(cur, dst)", "abs(dst.x - cur.x)").
				Replace(text)
		}
		p, err := program.Parse("random.star", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		e, err := everysize.Evaluate(text, 2, &arithmetic.Search{Limit: 100, Context: ctx})
		if stop(); err != nil {
			if !strings.Contains(err.Error(), "deadline") && !strings.Contains(err.Error(), "more than") {
				t.Errorf("%v\n%s", err, text)
			}
			continue
		}
		compared++
		if err := statesAgree(p, e, family.most); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	if compared < count/2 {
		t.Errorf("%d of %d programs are compared", compared, count)
	}
}

// statesAgree is pathsAgree, except that a run may fail in the paths only: with a product of two unknown numbers, for example.
func statesAgree(p *program.Program, e *everysize.Evaluation, most int) (failed error) {
	eachSides(p, 2, most, func(sides []int) {
		n, err := newSmall(p, sides, nil)
		if err != nil {
			failed = err
			return
		}
		for _, at := range n.places() {
			for _, to := range n.places() {
				for dir := -1; dir < n.numDirs() && failed == nil && at != to; dir++ {
					s := packetState{at: at, to: to, dir: dir, vc: max(0, dir%2)}
					if _, _, ok := n.hop(at, max(dir, 0)^1); dir >= 0 && !ok {
						continue
					}
					outputs, err := n.route(s)
					want := everysize.Outcome{}
					for _, o := range outputs {
						want.Outputs = append(want.Outputs, [3]int{int(o.Dir), o.VC, o.State})
					}
					got := e.At(n.point(at, to, [3]int{}), dir, s.vc, 0)
					if len(got) != 1 || !got[0].Failed && (err != nil || fmt.Sprint(got[0]) != fmt.Sprint(want)) {
						failed = fmt.Errorf("on %v at %+v: %+v; the interpreter says %+v (%v)", sides, s, got, want, err)
					}
				}
			}
		}
	})
	return failed
}

// FuzzEvaluate reads any text as a program. It must not panic.
func FuzzEvaluate(f *testing.F) {
	f.Add("family = mesh(n)\ndef route(cur, dst, inp):\n    return [E if cur.x < dst.x else W]\n")
	f.Add("family = torus(*n)\nvcs = 2\ndef route(cur, dst, inp):\n    return [(a, 0) for a in productive(cur, dst)]\n")
	f.Add("family = torus(n, wrap = \"x\")\nwhere = [n >= 2, n % 2 == 1, 2 * n <= n + 9]\ndef route(cur, dst, inp):\n    return [E]\n")
	f.Fuzz(func(_ *testing.T, text string) {
		ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer stop()
		_, _ = everysize.Evaluate(text, 1, &arithmetic.Search{Limit: 20, Context: ctx})
	})
}
