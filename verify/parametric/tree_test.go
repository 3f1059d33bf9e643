package parametric_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/parametric"
)

// arrived is the input of a packet.
type arrived struct {
	dir program.Dir
	vc  int
}

func (a arrived) Dir() program.Dir { return a.dir }
func (a arrived) VC() int          { return a.vc }
func (a arrived) Wrap() bool       { return false }

// randomProgram draws a program of nested conditions on a mesh of two dimensions.
func randomProgram(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("family = mesh(n, m)\nvcs = 2\nstates = 2\ndef route(cur, dst, inp, state):\n")
	number := func(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, "number") }
	term := func() string {
		return fmt.Sprintf("%d * %s", number(-2, 3), rapid.SampledFrom([]string{"cur.x", "cur.y", "dst.x", "dst.y", "side(0)", "side(1)"}).Draw(t, "term"))
	}
	condition := func() string {
		switch sum := term() + " + " + term(); number(0, 6) {
		case 0:
			return fmt.Sprintf("inp.dir == %s", rapid.SampledFrom([]string{"E", "W", "N", "S", "None"}).Draw(t, "dir"))
		case 1:
			return fmt.Sprintf("inp.vc == %d", number(0, 1))
		case 2:
			return fmt.Sprintf("state == %d", number(0, 1))
		case 3:
			return fmt.Sprintf("(%s) %% %d == %d", sum, number(2, 4), number(0, 2))
		case 4:
			return fmt.Sprintf("(%s) // %d < %s", sum, number(1, 3), term())
		default:
			return sum + rapid.SampledFrom([]string{" < ", " <= ", " == ", " != ", " > "}).Draw(t, "operator") + term() + fmt.Sprintf(" + %d", number(-12, 12))
		}
	}
	var statement func(depth int, indent string)
	statement = func(depth int, indent string) {
		if depth == 0 || number(0, 4) == 0 {
			fmt.Fprintf(&b, "%sreturn [(%s, %d, %d), %s]\n", indent, rapid.SampledFrom([]string{"E", "W", "N", "S"}).Draw(t, "output"), number(0, 1), number(0, 1),
				rapid.SampledFrom([]string{"E", "W"}).Draw(t, "second"))
			return
		}
		fmt.Fprintf(&b, "%sif %s:\n", indent, condition())
		statement(depth-1, indent+"    ")
		fmt.Fprintf(&b, "%selse:\n", indent)
		statement(depth-1, indent+"    ")
	}
	statement(3, "    ")
	return b.String()
}

// TestDecisions compares the tree of random programs with the interpreter, at every place, destination and input of two
// meshes and at some of a third one. Of each decision exactly one answer applies.
func TestDecisions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if !longtest.On() && rapid.IntRange(0, 3).Draw(t, "omitted") > 0 {
			return
		}
		text := randomProgram(t)
		p, err := program.Parse("p.star", text)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parametric.Decisions(t.Context(), p, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.FirstError(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, sides := range [][]int{{3, 2}, {2, 4}, {12, 2}} { // the third one is larger than all samples of the search
			i, err := p.OnNumbers(sides)
			if err != nil {
				t.Fatal(err)
			}
			for k := range sides[0] * sides[1] * sides[0] * sides[1] {
				at := []int{k % sides[0], k / sides[0] % sides[1], k / sides[0] / sides[1] % sides[0], k / sides[0] / sides[1] / sides[0]}
				if at[0] == at[2] && at[1] == at[3] || sides[0] == 12 && k%5 != 0 {
					continue
				}
				compareAt(t, tree, i, at, sides)
			}
		}
	})
}

// compareAt compares all inputs of packets at one place with one destination.
func compareAt(t *rapid.T, tree *parametric.Tree, i *program.Instance, at, sides []int) {
	point := []int64{int64(at[0]), int64(at[1]), int64(at[2]), int64(at[3]), 0, 0, int64(sides[0]), int64(sides[1])}
	for dir := program.NoDir; dir < 4; dir++ {
		from := slices.Clone(at[:2]) // where the packet comes from
		if dir != program.NoDir {
			if from[dir.Dim()]--; dir.Minus() {
				from[dir.Dim()] += 2
			}
		}
		if from[0] < 0 || from[1] < 0 || from[0] >= sides[0] || from[1] >= sides[1] {
			continue
		}
		for in := range 4 {
			vc, state := in%2, in/2
			if dir == program.NoDir && vc > 0 {
				continue
			}
			want, err := i.Route(program.Numbers(at[:2]), program.Numbers(at[2:]), arrived{dir, vc}, state)
			if err != nil {
				t.Fatal(err)
			}
			if got := outcome(t, tree.Root, point, map[parametric.Question]int{parametric.AskDir: int(dir), parametric.AskVC: vc,
				parametric.AskState: state}); !slices.Equal(got, want) {
				t.Fatalf("at %v of %v, from %s on VC %d in state %d: %v, want %v", at, sides, dir, vc, state, got, want)
			}
		}
	}
}

// outcome follows the answers of a tree.
func outcome(t *rapid.T, d *parametric.Decision, point []int64, in map[parametric.Question]int) []program.Output {
	for d.Answers != nil {
		var next *parametric.Decision
		for _, a := range d.Answers {
			if d.Asks == parametric.AskCondition && holds(a.All, point) || d.Asks != parametric.AskCondition && a.Value == in[d.Asks] {
				if next != nil {
					t.Fatalf("two answers at %v", point)
				}
				next = a.Then
			}
		}
		if next == nil {
			t.Fatalf("no answer at %v", point)
		}
		d = next
	}
	return d.Outputs
}

// holds reports whether all conditions hold at a point.
func holds(all []parametric.Condition, point []int64) bool {
	for _, c := range all {
		sum := c.Form[len(c.Form)-1]
		for v, x := range point {
			sum += c.Form[v] * x
		}
		if c.Mod == 0 && sum < 0 || c.Mod != 0 && sum%c.Mod != 0 {
			return false
		}
	}
	return true
}
