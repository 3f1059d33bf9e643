package everysize_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// uniformPrograms are the published programs that correct one dimension after another, phasePrograms those of two phases, and
// spreadPrograms those that have an escape that corrects one dimension after another.
var (
	uniformPrograms = []string{"dor-position.torus.star", "dor.hyperx.star", "dor.mesh.star", "dor.torus.star", "dimwar.hyperx.star", "e-cube.hypercube.star",
		"valiant.hyperx.star"}
	phasePrograms  = []string{"all-but-one-negative-first.mesh.star", "negative-first.mesh.star", "p-cube.hypercube.star"}
	spreadPrograms = []string{"duato.hypercube.star", "duato.hyperx.star", "duato.mesh.star", "duato.torus.star"}
)

// TestEveryDimension: exactly these published programs have the forms.
func TestEveryDimension(t *testing.T) {
	escapes := [][][2]int{nil, {{0, 1}, {1, 1}}, {{0, 1}, {0, 2}, {1, 1}, {1, 2}}}
	for _, f := range published.All() {
		for i, escape := range escapes {
			lists := [][]string{slices.Concat(uniformPrograms, phasePrograms), spreadPrograms, spreadPrograms}
			if why, err := everysize.EveryDimension(f.Text, escape); (err == nil) != slices.Contains(lists[i], f.Path) {
				t.Errorf("%s, escape %v: %s, %v", f.Path, escape, why, err)
			}
		}
		if _, err := everysize.EveryDimension(f.Text, [][2]int{{0, 0}}); err == nil {
			t.Errorf("%s: VC 0, which has hops in all dimensions, is accepted as an escape", f.Path)
		}
	}
}

// TestOutsideOfFunctions: a statement outside of functions that fails for some numbers of dimensions is refused, and literals are not.
func TestOutsideOfFunctions(t *testing.T) {
	for statement, want := range map[string]bool{
		"": true, "escape = [0, -1]": true, "name = (\"a\", 1)": true, "where = [n >= 3]": true,
		"a = [0, 0][len(n)]": false, "a = [0][len(n) - 1]": false, "a = n[0]": false, "a = [n]": false, "a = 1 // len(n)": false, "fail()": false,
	} {
		for _, f := range published.All() {
			if !slices.Contains(slices.Concat(uniformPrograms, phasePrograms), f.Path) || strings.Contains(f.Text, "hypercube") {
				continue
			}
			if _, err := everysize.EveryDimension(f.Text+"\n"+statement+"\n", nil); (err == nil) != want {
				t.Errorf("%s with %s: %v", f.Path, statement, err)
			}
		}
	}
}

// TestNumberOfDimensions: a program that gives the name of the number of dimensions another value is refused.
func TestNumberOfDimensions(t *testing.T) {
	for _, f := range published.All() {
		if f.Path != "e-cube.hypercube.star" && f.Path != "p-cube.hypercube.star" {
			continue
		}
		for _, statement := range []string{"d = 1\n", "d = 2\n", "def d():\n    return 1\n"} {
			if _, err := everysize.EveryDimension(f.Text+"\n"+statement, nil); err == nil {
				t.Errorf("%s with %s", f.Path, statement)
			}
		}
	}
}

// inOrder reports whether a program corrects one dimension after another.
func inOrder(text string) bool {
	why, err := everysize.EveryDimension(text, nil)
	return err == nil && strings.Contains(why, "one after another")
}

// TestOtherForms: programs whose dimensions differ, or depend on each other, are refused.
func TestOtherForms(t *testing.T) {
	const guard = "        if cur[d] != dst[d]:\n            "
	for _, body := range []string{
		guard + "return [towards(cur, dst, d)]\n", // the only right one
		guard + "return [towards(cur, dst, 0)]\n",
		guard + "return [(towards(cur, dst, d), 1 if d == 0 else 0)]\n",
		guard + "return [(towards(cur, dst, d), len(cur) % 2)]\n",
		guard + "return [(towards(cur, dst, d), inp.vc)]\n",
		guard + "return [(towards(cur, dst, d), 1 if inp.dir == E else 0)]\n",
		guard + "return [(towards(cur, dst, d), 1 if inp.dim == None else 0)]\n",
		guard + "return [(towards(cur, dst, d), 1 if inp.dim == d or inp.vc == 1 else 0)]\n",
		guard + "return [(towards(cur, dst, d), inp.vc if inp.dim != d else 0)]\n",
		guard + "return [(towards(cur, dst, d), inp.vc if inp.dim == d or cur[d] == 0 else 0)]\n",
		guard + "return [(towards(cur, dst, d), 1 if cur[0] == 0 else 0)]\n",
		guard + "return [(towards(cur, dst, d), 1 if cur.x == 0 else 0)]\n",
		guard + "return [(towards(cur, dst, d), 1 if distance(cur, dst) > 1 else 0)]\n",
		guard + "return productive(cur, dst)\n",
		guard + "return [(towards(cur, dst, d), 1 if n[0] == 3 else 0)]\n",
		guard + "return [(towards(cur, dst, d), 1 if towards(cur, dst, d).dim == 0 else 0)]\n",
		guard + "return [E]\n",
		guard + "return [x for x in [plus(d)]]\n",
		"        if d == 0:\n            k = 1\n" + guard + "return [towards(cur, dst, d)]\n",
		"        if cur[d] == dst[d]:\n            k = 1\n" + guard + "return [(towards(cur, dst, d), k)]\n",
		"        dst = cur\n" + guard + "return [towards(cur, dst, d)]\n",
		"        d = 0\n" + guard + "return [towards(cur, dst, d)]\n",
		"        side = 3\n" + guard + "return [towards(cur, dst, d)]\n",
		"        if cur[d] == dst[d]:\n            return []\n        return [towards(cur, dst, d)]\n",
		"        if cur[d] == 0:\n            return [plus(d)]\n" + guard + "return [towards(cur, dst, d)]\n",
		"        if inp.dim == d:\n            return [plus(d)]\n" + guard + "return [towards(cur, dst, d)]\n",
		"        if cur[d] == dst[d]:\n            break\n        return [towards(cur, dst, d)]\n",
		"        if cur[d] == dst[d]:\n            fail()\n        return [towards(cur, dst, d)]\n",
	} {
		text := "family = mesh(*n)\nvcs = 2\n\ndef route(cur, dst, inp):\n    for d in range(len(cur)):\n" + body + "    return []\n"
		if _, err := program.Parse("p.star", text); err != nil {
			t.Fatal(err)
		}
		right := strings.HasSuffix(body, "return [towards(cur, dst, d)]\n") && strings.HasPrefix(body, guard)
		if _, err := everysize.EveryDimension(text, nil); (err == nil) != right {
			t.Errorf("%v:\n%s", err, text)
		}
		for _, change := range [][2]string{{"range(len(cur))", "reversed(range(len(cur)))"}, {"range(len(cur))", "range(2)"}, {"range(len(cur))", "range(len(cur) - 1)"},
			{"    return []\n", "    return [plus(0)]\n"}, {"mesh(*n)", "mesh(n)"}, {"mesh(*n)", "mesh(*towards)"}, {"(cur, dst, inp)", "(cur, dst, side)"},
			{"(cur, dst, inp):", "(cur, dst, inp, state):"}, {"vcs = 2", "def towards(a, b, c):\n    return E"}, {"vcs = 2", "def inject(src, dst):\n    return [0]"}} {
			if _, err := everysize.EveryDimension(strings.Replace(text, change[0], change[1], 1), nil); err == nil && right {
				t.Errorf("accepted with %q", change[1])
			}
		}
	}
}

// TestOneDimensionAfterAnother: for random changes of such programs, the outputs in two and three dimensions are those of one dimension. This is
// what the theorem rests on. The interpreter runs all of them.
func TestOneDimensionAfterAnother(t *testing.T) {
	count, accepted := longtest.Cases(100, 20_000), 0
	rng := rand.New(rand.NewPCG(4, 31))
	var texts []string
	for _, f := range published.All() {
		if slices.Contains(uniformPrograms, f.Path) {
			texts = append(texts, f.Text)
		}
	}
	tried := map[string]bool{}
	for range count {
		text := texts[rng.IntN(len(texts))]
		for range 1 + rng.IntN(3) {
			if changed := mutant(text, rng); changed != "" {
				text = changed
			}
		}
		p, err := program.Parse("p.star", text)
		if err != nil || tried[text] || !inOrder(text) {
			continue
		}
		tried[text] = true
		accepted++
		for _, sides := range [][]int{{3, 4}, {2, 3, 3}} {
			if p.Family.Wrap() {
				sides[0]++
			}
			if p.Family.Kind == "hypercube" {
				sides = []int{2, 2, 2}
			}
			if err := decomposes(p, sides); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		}
	}
	t.Logf("%d programs", accepted)
	if accepted < 8 {
		t.Errorf("%d programs: the test shows nothing", accepted)
	}
}

// decomposes compares a program with itself in one dimension, in every state that can be a state of one dimension.
func decomposes(p *program.Program, sides []int) error {
	n, err := newSmall(p, sides, nil)
	if err != nil {
		return err
	}
	lines := make([]*small, len(sides))
	for d, side := range sides {
		if lines[d], err = newSmall(p, []int{side}, nil); err != nil {
			return err
		}
	}
	for _, at := range n.places() {
		for _, to := range n.places() {
			if at == to {
				continue
			}
			for dir := -1; dir < 2*len(sides); dir++ {
				for vc := range p.VCs {
					if dir < 0 && vc > 0 || dir%2 > 0 && p.Family.Kind == program.HyperX {
						continue
					}
					if err := n.decomposesAt(lines, packetState{at: at, to: to, dir: dir, vc: vc}); err != nil {
						return fmt.Errorf("on %v: %w", sides, err)
					}
				}
			}
		}
	}
	return nil
}

func (n *small) decomposesAt(lines []*small, s packetState) error {
	d := 0
	for s.at[d] == s.to[d] {
		d++
	}
	if s.dir >= 0 && n.p.Family.Kind != program.HyperX {
		if _, _, ok := n.hop(s.at, s.dir^1); !ok {
			return nil // no channel of this direction enters the place
		}
	}
	one := packetState{at: [3]int{s.at[d]}, to: [3]int{s.to[d]}, dir: -1}
	if s.dir >= 0 && s.dir/2 == d {
		one.dir, one.vc = s.dir%2, s.vc
	}
	want, errOne := lines[d].route(one)
	got, err := n.route(s)
	if (err == nil) != (errOne == nil) {
		return fmt.Errorf("%+v: %v; in one dimension %v", s, err, errOne)
	}
	for i := range want {
		if n.p.Family.Kind != program.HyperX {
			want[i].Dir += program.Dir(2 * d)
		} else if want[i].Dir >= 0 {
			for _, side := range n.sides[:d] {
				want[i].Dir += program.Dir(side - 1)
			}
		}
	}
	if err == nil && len(want) == 0 {
		return nil // the packet is lost in one dimension, so nothing is claimed
	}
	if err == nil && !slices.Equal(got, want) {
		return fmt.Errorf("%+v: %v; in one dimension %v", s, got, want)
	}
	return nil
}

// TestEveryDimensionNeedsOne: a certificate for every number of dimensions is rejected if its evidence is for two dimensions, or the program has another
// form.
func TestEveryDimensionNeedsOne(t *testing.T) {
	for _, name := range keptNames(t) {
		c := kept(t, name)
		was := c.Subject.Program.Every
		c.Subject.Program.Every = true
		if err := cert.Check(c); (err == nil) != was {
			t.Errorf("%s: %v", name, err)
		}
	}
}
