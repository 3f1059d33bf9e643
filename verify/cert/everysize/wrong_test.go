package everysize_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

func row(numbers ...int64) *everysize.Formula {
	return &everysize.Formula{Op: everysize.AtLeast, Form: numbers}
}

func all(list ...*everysize.Formula) *everysize.Formula {
	return &everysize.Formula{Op: everysize.And, Args: list}
}

func some(list ...*everysize.Formula) *everysize.Formula {
	return &everysize.Formula{Op: everysize.Or, Args: list}
}

// TestProofs checks proofs made by hand. Those of formulas with a solution must be rejected.
func TestProofs(t *testing.T) {
	apart := all(row(-2, 1), row(1, -1))                     // x >= 2 and x <= 1
	equal := all(row(-1, 1), row(1, -1))                     // x = 1
	between := all(row(-1, 2), row(1, -2))                   // 2x = 1
	either := all(row(0, 1), some(row(-1, -1), row(-2, -1))) // x >= 0, and x <= -1 or x <= -2
	half := all(row(0, 1), some(row(-1, -1), row(5, -1)))    // x >= 0, and x <= -1 or x <= 5
	for _, c := range []struct {
		name    string
		f       *everysize.Formula
		numbers []int32
		right   bool
	}{
		{"a contradiction", apart, []int32{0, 2, 0, 1, 1, 1}, true},
		{"the constant 0", equal, []int32{0, 2, 0, 1, 1, 1}, false},
		{"an empty sum", equal, []int32{0, 0}, false},
		{"a variable is left", apart, []int32{0, 2, 0, 1, 1, 2}, false},
		{"a negative multiplier", equal, []int32{0, 3, 0, -1, 0, -1, 1, 1}, false},
		{"a row that is not there", apart, []int32{0, 2, 0, 1, 2, 1}, false},
		{"a negative row", apart, []int32{0, 2, 0, 1, -1, 1}, false},
		{"the end is missing", apart, []int32{0, 2, 0, 1, 1}, false},
		{"more after the end", apart, []int32{0, 2, 0, 1, 1, 1, 0}, false},
		{"a cut", between, []int32{1, 1, 0, 1, 0, 2, 2, 2, 1, 1}, true},
		{"a cut by 1", apart, []int32{1, 1, 0, 1, 0, 2, 0, 1, 1, 1}, false},
		{"rounding up", all(row(1, 2), row(-1, -2)), []int32{1, 1, 0, 1, 0, 2, 1, 1, 2, 2}, true}, // 2x = -1
		{"rounding an even constant", all(row(2, 2), row(-2, -2)), []int32{1, 1, 0, 1, 0, 2, 1, 1, 2, 2}, false},
		{"both cases", either, []int32{2, 0, 0, 2, 0, 1, 1, 1, 0, 2, 0, 1, 1, 1}, true},
		{"one case", either, []int32{2, 0, 0, 2, 0, 1, 1, 1}, false},
		{"a case that holds", half, []int32{2, 0, 0, 2, 0, 1, 1, 1, 0, 2, 0, 1, 1, 1}, false},
		{"a row of another case", half, []int32{2, 0, 0, 2, 0, 1, 1, 1, 0, 2, 0, 1, 2, 1}, false},
		{"a split", between, []int32{3, 1, -1, 0, 1, 0, 2, 1, 1, 2, 2, 0, 2, 0, 1, 2, 2}, true},
		{"a split without its middle", equal, []int32{3, 1, -2, 0, 1, 0, 2, 1, 1, 2, 1, 0, 2, 0, 1, 2, 1}, false},
		{"a split of an unknown variable", between, []int32{3, 1, -1, 1, 1, 0, 2, 1, 1, 2, 2, 0, 2, 0, 1, 2, 2}, false},
	} {
		if err := everysize.CheckProof(c.f, 1, c.numbers); (err == nil) != c.right {
			t.Errorf("%s: %v, right is %v", c.name, err, c.right)
		}
	}
}

// TestWrongEvidence changes certificates in ways that leave no proof: ranks that are all equal, ranks that fall, a class that
// is not listed, a condition that no packet satisfies.
func TestWrongEvidence(t *testing.T) {
	proves := func(c *cert.Certificate) bool {
		_, err := everysize.Prove(c, &arithmetic.Search{Limit: 1000})
		return err == nil
	}
	changes := map[string]func(e *cert.EverySize){
		"equal ranks": func(e *cert.EverySize) {
			for i := range e.Ranks {
				clear(e.Ranks[i].Rank[2:])
			}
		},
		"falling ranks": func(e *cert.EverySize) {
			for i := range e.Ranks {
				for k := range e.Ranks[i].Rank[2:] {
					e.Ranks[i].Rank[2+k] *= -1
				}
			}
		},
		"no ranks":            func(e *cert.EverySize) { e.Ranks = nil },
		"no class":            func(e *cert.EverySize) { e.Classes = nil },
		"no first class":      func(e *cert.EverySize) { e.Classes = e.Classes[1:] },
		"no last class":       func(e *cert.EverySize) { e.Classes = slices.Clip(e.Classes[:len(e.Classes)-1]) },
		"an empty class":      func(e *cert.EverySize) { e.Classes[0].Kept = falseCondition(e) },
		"an empty last class": func(e *cert.EverySize) { e.Classes[len(e.Classes)-1].Kept = falseCondition(e) },
	}
	for _, name := range keptNames(t) {
		if !proves(kept(t, name)) {
			t.Errorf("%s: no proof was found again", name)
		}
		for what, change := range changes {
			if strings.Contains(name, "hyperx") && what == "an empty last class" {
				continue // minimal hops in the last dimension deliver, so the class has no packets
			}
			c := kept(t, name)
			change(c.Claims[0].Sizes)
			if proves(c) {
				t.Errorf("%s: proved with %s", name, what)
			}
		}
	}
	c := kept(t, "duato.mesh-vct") // its escape without detours is no proof for wormhole switching
	c.Subject.Switching = "wormhole"
	if cert.Check(c) == nil {
		t.Error("an escape without detours is accepted for wormhole switching")
	}
}

// falseCondition returns a condition that never holds: -1 >= 0.
func falseCondition(e *cert.EverySize) cert.Ints {
	rank := e.Ranks[0].Rank
	list := make(cert.Ints, 2+(len(rank)-2)/int(rank[1]))
	list[0], list[2] = 1, -1
	return list
}
