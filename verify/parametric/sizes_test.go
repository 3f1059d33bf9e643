package parametric

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// dateline is dimension order with a VC before and one after the wraparound channel.
const dateline = `
vcs = 2

def route(cur, dst, inp):
    for d in range(len(cur)):
        a = towards(cur, dst, d)
        if a != None:
            return [(a, 0 if ring(d) and crosses_dateline(cur, dst, a) else 1)]
    return []
`

// noTie loses packets that are half around a ring away.
const noTie = `
vcs = 2

def route(cur, dst, inp):
    a = towards(cur, dst, 0)
    if 2 * abs(delta(cur, dst, 0)) == n:
        return []
    return [(a, 0 if crosses_dateline(cur, dst, a) else 1)]
`

// untilSeven has one VC on rings of 7 and more.
const untilSeven = `
vcs = 2

def route(cur, dst, inp):
    a = towards(cur, dst, 0)
    return [(a, 0 if n >= 7 or crosses_dateline(cur, dst, a) else 1)]
`

// square deadlocks on meshes whose sides differ.
const square = `
def route(cur, dst, inp):
    if n == m:
        return [[a for a in productive(cur, dst)][0]]
    return productive(cur, dst)
`

// proper is dimension order with a wrong exit where the sides of a network are related.
const proper = `
def route(cur, dst, inp):
    if m == 2 * n and dst.x < cur.x and dst.y > cur.y:
        return [N, W]
    if m == 2 * n and dst.x > cur.x and dst.y < cur.y:
        return [S, E]
    if m == 2 * n:
        return productive(cur, dst)
    return [productive(cur, dst)[0]]
`

// TestSizes: families with wraparound in some dimensions and conditions on their sizes are proved, with certificates
// that the checker accepts. Without the condition, the smallest network that fails refutes the program.
func TestSizes(t *testing.T) {
	for name, c := range map[string]struct {
		family, text string
		sizes        string // of the theorem, or the sides of the smallest network that fails
	}{
		"wraparound in x":         {`family = torus(n, m, wrap = "x")`, dateline, "n >= 3, m >= 2"},
		"wraparound in y":         {`family = torus(n, m, wrap = "y")`, dateline, "n >= 2, m >= 3"},
		"rings of two":            {"family = torus(n, m)\nwhere = [n >= 2, m > 1]", dateline, "n, m >= 2"},
		"rings of any dimensions": {"family = torus(*n)\nwhere = [n >= 2]", dateline, "n0, n1 >= 2"},
		"a ring and one switch":   {"family = torus(n, m, wrap = \"x\")\nwhere = [m >= 1]", dateline, "n >= 3, m >= 1"},
		"odd":                     {"family = ring(n)\nwhere = [n % 2 == 1]", noTie, "n >= 3, n % 2 == 1"},
		"even and odd":            {"family = ring(n)", noTie, "[4]"},
		"up to six":               {"family = ring(n)\nwhere = [n <= 6]", untilSeven, "n >= 3, n <= 6"},
		"from seven":              {"family = ring(n)", untilSeven, "[7]"},
		"only six":                {"family = ring(n)\nwhere = [n == 6]", untilSeven, "n >= 3, n == 6"},
		"equal sides":             {"family = mesh(n, m)\nwhere = [n == m]", square, "n, m >= 2, n == m"},
		"sides that differ":       {"family = mesh(n, m)\nwhere = [n > m]", square, "[3 2]"},
		"large equal sides":       {"family = mesh(n, m)\nwhere = [n >= 8, m >= n, m <= n]", square, "n >= 8, m >= 2, m >= n, m <= n"},
		"one is twice another":    {"family = mesh(n, m)", proper, "[2 4]"},
		"never twice another":     {"family = mesh(n, m)\nwhere = [m <= 2 * n - 1]", proper, "n, m >= 2, m <= 2 * n - 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needZ3(t)
			if slices.Contains([]string{"rings of any dimensions", "only six", "a ring and one switch", "large equal sides",
				"wraparound in y", "rings of two"}, name) && !long() {
				t.Skip("TURNPROOF_LONG is not set; other cases have these conditions")
			}
			p := parsed(t, "p.star", c.family+"\n"+c.text)
			if strings.HasPrefix(c.sizes, "[") {
				r, err := Prove(t.Context(), p, Options{})
				if err != nil || r.Verdict != verify.Refuted || fmt.Sprint(r.Witness.Sides) != c.sizes {
					t.Fatalf("%v %+v", err, r)
				}
				return
			}
			r := proved(t, p, Options{})
			if r.Sizes != c.sizes {
				t.Errorf("for %s; want %s", r.Sizes, c.sizes)
			}
			certified(t, r)
			confirm(t, name, p, r, model.CutThrough, 6)
		})
	}
}

// certified writes a certificate of a proof. The checker accepts it.
func certified(t *testing.T, r *Report) *cert.Certificate {
	t.Helper()
	c, _, err := r.Certificate(context.Background(), []cert.Input{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := cert.Check(c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNoSizes: conditions without a network, wrong conditions, and networks that violate the conditions are errors.
func TestNoSizes(t *testing.T) {
	for text, want := range map[string]string{
		"[n >= 4, n <= 3]":      "no network",
		"[n >= 1]":              "p.star:2:7: n is at least 2",
		"n >= 4":                "a list",
		"[n != 4]":              "p.star:2:10: a condition",
		"[n * n >= 4]":          "a condition",
		"[k >= 4]":              "sizes are n",
		"[n >= 999999999]":      "a condition",
		"[n % 1 == 0]":          "a condition",
		"[n % n == 0]":          "a condition",
		"[n]":                   "a condition",
		"[n >= 4]\nwhere = [n]": "twice",
	} {
		p, err := program.Parse("p.star", "family = ring(n)\nwhere = "+text+noTie)
		if err == nil && want == "no network" {
			needZ3(t)
			_, err = Prove(t.Context(), p, Options{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
	p := parsed(t, "p.star", "family = ring(n)\nwhere = [n % 2 == 1]"+noTie)
	f, err := newFamily(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	for side := 3; side < 7; side++ {
		n, err := f.network([]int{side})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.SidesOn(n); (err == nil) != (side%2 == 1) {
			t.Errorf("side %d: %v", side, err)
		}
	}
	if list := f.sizesUpTo(10, 10); !slices.EqualFunc(list, [][]int{{3}, {5}, {7}, {9}}, slices.Equal) {
		t.Error(list)
	}
}

// TestSizesAtRandom changes a word of programs for random families. A program that is proved is right on small networks of its
// family, and the checker accepts its certificate.
func TestSizesAtRandom(t *testing.T) {
	needZ3(t)
	count := longtest.Cases(8, 600)
	families := []string{
		`torus(n, m, wrap = "x")`, `torus(n, m, wrap = "y")`, "torus(n, n)", "torus(n, m)", "mesh(n, m)", "torus(n, 4, wrap = \"x\")", "torus(*n)",
	}
	conditions := []string{"n >= 2", "n % 2 == 1", "n % 2 == 0", "n <= 5", "n >= 5", "2 * n >= 7"}
	var texts []string
	for _, f := range published.All() {
		if f.Family != "hypercube" && f.Name != "nf+1-as-printed" && f.Name != "o1turn" {
			_, rest, _ := strings.Cut(f.Text[strings.Index(f.Text, "\nfamily"):], "\n")
			_, rest, _ = strings.Cut(rest, "\n")
			texts = append(texts, rest, rest)
		}
	}
	texts = append(texts, dateline, dateline, dateline)
	random := rand.New(rand.NewPCG(5, 31))
	verdicts := map[string]int{}
	for range count {
		text := "family = " + families[random.IntN(len(families))] + "\n"
		if random.IntN(2) == 0 {
			text += "where = [" + conditions[random.IntN(len(conditions))] + "]\n"
		}
		text += texts[random.IntN(len(texts))]
		if list := mutants("\n" + text); random.IntN(3) > 0 {
			text = list[random.IntN(len(list))]
		}
		judgeProgram(t, random, verdicts, text, 6)
	}
	t.Log(verdicts)
}

// judgeProgram proves a program for a random discipline and counts the verdict. What is proved must hold on all networks with
// sides up to most, and must have a certificate.
func judgeProgram(t *testing.T, random *rand.Rand, verdicts map[string]int, text string, most int) {
	t.Helper()
	p, err := program.Parse("p.star", text)
	if err != nil {
		verdicts["error"]++
		return
	}
	switching := []model.Switching{model.CutThrough, model.Wormhole}[random.IntN(2)]
	r, err := Prove(t.Context(), p, Options{Dims: 2, Limit: time.Second, Switching: switching})
	if err != nil {
		if verdicts["error"]++; strings.Contains(err.Error(), "internal") {
			t.Errorf("%v\n%s", err, text)
		}
		return
	}
	verdicts[string(r.Verdict)]++
	if r.Verdict != verify.Proved {
		return
	}
	confirm(t, text, p, r, switching, most)
	if _, _, err := r.Certificate(t.Context(), []cert.Input{}, nil); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
