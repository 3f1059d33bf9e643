package parametric

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model/program"
)

// TestImpossible: choices that a place, a destination and sizes satisfy are never called impossible. The search looks at all
// of them up to size 9.
func TestImpossible(t *testing.T) {
	p, err := program.Parse("p.star", "family = mesh(n)\ndef route(cur, dst, inp):\n    return [E]\n")
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFamily(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	found := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		var list []atom
		for range rapid.IntRange(1, 4).Draw(t, "atoms") {
			a := atom{form: f.number(int64(rapid.IntRange(-4, 4).Draw(t, "constant"))), mod: int64(rapid.SampledFrom([]int{0, 0, 2, 3}).Draw(t, "mod"))}
			for _, v := range []int{0, 1, 3} { // place, destination, size
				a.form[v] = int64(rapid.IntRange(-2, 2).Draw(t, "coefficient"))
			}
			list = append(list, a)
			if rapid.Bool().Draw(t, "again") { // the same form with another constant
				list = append(list, atom{form: a.form.add(int64(rapid.IntRange(-3, 3).Draw(t, "shift"))), mod: a.mod})
			}
		}
		possible := false
		for n := int64(2); n <= 9; n++ {
			for x := range n {
				for d := range n {
					possible = possible || x != d && allHold(list, []int64{x, d, 0, n})
				}
			}
		}
		impossible := (&run{family: f}).impossible(list)
		if possible && impossible {
			t.Fatalf("%v is possible", list)
		}
		found[impossible]++
	})
	if found[true] == 0 || found[false] == 0 {
		t.Errorf("%d impossible and %d possible choices", found[true], found[false])
	}
}
