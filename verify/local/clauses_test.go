package local

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// randomFormula returns a formula about three variables between -2 and 2.
func randomFormula(rng *rand.Rand, depth int) *everysize.Formula {
	if depth == 0 || rng.IntN(4) == 0 {
		f := everysize.Form{rng.Int64N(5) - 2, 0, 0, 0}
		f[1+rng.IntN(3)] += 1 - 2*rng.Int64N(2)
		f[1+rng.IntN(3)] += 1 - 2*rng.Int64N(2)
		if rng.IntN(8) == 0 {
			f[1+rng.IntN(3)] += 2
		}
		return everysize.Positive(f)
	}
	var list []*everysize.Formula
	for range 2 + rng.IntN(3) {
		list = append(list, randomFormula(rng, depth-1))
	}
	if rng.IntN(2) == 0 {
		return everysize.EveryOf(list...)
	}
	return everysize.OneOf(list...)
}

// TestClauses compares the search by clauses with all values of three variables within bounds, and its contradictions with a search for a
// proof, which shares no code with it.
func TestClauses(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	possible, contradictory := 0, 0
	for range 2000 {
		var parts []*everysize.Formula
		for v := range 3 {
			low, high := everysize.Form{2, 0, 0, 0}, everysize.Form{2, 0, 0, 0}
			low[1+v], high[1+v] = 1, -1
			parts = append(parts, everysize.Positive(low), everysize.Positive(high))
		}
		for range 6 {
			parts = append(parts, randomFormula(rng, 2))
		}
		want := false
		for k := range int64(125) {
			want = want || everysize.EveryOf(parts...).Holds([]int64{k%5 - 2, k/5%5 - 2, k/25 - 2})
		}
		c := newClauses(mostCost)
		for i, f := range parts {
			c.give(1+i, f)
		}
		values, err := c.solve(t.Context())
		switch {
		case err != nil:
			continue
		case (values != nil) != want:
			t.Fatalf("%v: values %v, want %v", parts, values, want)
		case want:
			possible++
			if !everysize.EveryOf(parts...).Holds([]int64{values[0], values[1], values[2]}) {
				t.Fatalf("%v do not hold at %v", parts, values)
			}
		default:
			contradictory++
			var core []*everysize.Formula
			for _, kind := range c.core() {
				core = append(core, parts[kind-1])
			}
			left := mostCost
			point, proof, err := solve(t.Context(), &everysize.Obligation{Formula: everysize.EveryOf(core...), Variables: 3}, &left)
			if point != nil || err == nil && proof == nil {
				t.Fatalf("the formulas %v have the solution %v", core, point)
			}
		}
	}
	if possible < 200 || contradictory < 200 {
		t.Errorf("%d possible, %d contradictory", possible, contradictory)
	}
}
