package minimum

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWatch holds the conclusions from clauses against looking at all of them after each
// decision: none is left to draw while no clause is false, and the clause that is named false is.
func TestWatch(t *testing.T) {
	const variables = 10
	conflicts, quiet := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		x := newInstance(network(t, "complete:4"))
		d := x.newDecider(len(x.turns), &Packing{}, false, func(int32) bool { return true })
		var clauses [][]literal
		for i := range int32(25 + rng.IntN(20)) {
			var lits []literal
			for _, v := range rng.Perm(variables)[:2+rng.IntN(3)] {
				lits = append(lits, literal(2*v+rng.IntN(2)))
			}
			clauses = append(clauses, slices.Clone(lits))
			d.add(lits, i, 3)
		}
		open := func(l literal) bool { return d.value[l] == 0 }
		for _, v := range rng.Perm(variables) {
			l := literal(2*v + rng.IntN(2))
			if !open(l) {
				continue
			}
			d.starts = append(d.starts, len(d.trail))
			d.assign(l, byDecision)
			ok := true
			for ok && d.seenAt < len(d.trail) {
				if ok = d.watch(d.trail[d.seenAt]); ok {
					d.seenAt++
				}
				if len(d.trail) > variables {
					t.Fatalf("seed %d: %d conclusions of %d variables", seed, len(d.trail), variables)
				}
			}
			if !ok {
				conflicts++
				if slices.ContainsFunc(d.confl, func(l literal) bool { return d.value[l] >= 0 }) {
					t.Fatalf("seed %d: %v is not false", seed, d.confl)
				}
				if d.back(rng.IntN(len(d.starts))); rng.IntN(3) == 0 {
					break
				}
				continue
			}
			quiet++
			for _, c := range clauses {
				left := len(slices.DeleteFunc(slices.Clone(c), func(l literal) bool { return d.value[l] < 0 }))
				if left < 2 && !slices.ContainsFunc(c, func(l literal) bool { return d.value[l] > 0 }) {
					t.Fatalf("seed %d: of %v %d literals are open and none is true", seed, c, left)
				}
			}
			for i, l := range d.trail {
				if d.value[l] <= 0 || d.at[l>>1] != i {
					t.Fatalf("seed %d: %d was made true twice, or is not", seed, l)
				}
			}
		}
	}
	if conflicts < 100 || quiet < 500 {
		t.Errorf("%d conflicts, %d without", conflicts, quiet)
	}
}
