package arithmetic_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// boxed returns the formula: each of n variables is between -most and most.
func boxed(n int, most int64) (list []*everysize.Formula) {
	for v := range n {
		for _, sign := range []int64{1, -1} {
			f := make(everysize.Form, v+2)
			f[0], f[v+1] = most, sign
			list = append(list, &everysize.Formula{Op: everysize.AtLeast, Form: f})
		}
	}
	return list
}

func random(rng *rand.Rand, n, depth int) *everysize.Formula {
	if depth == 0 || rng.IntN(4) == 0 {
		f := make(everysize.Form, n+1)
		f[0] = int64(rng.IntN(13) - 6)
		for v := range n {
			f[v+1] = int64(rng.IntN(7) - 3)
		}
		if rng.IntN(3) == 0 {
			return &everysize.Formula{Op: everysize.Divides, Form: f, Mod: int64(2 + rng.IntN(3))}
		}
		return &everysize.Formula{Op: everysize.AtLeast, Form: f}
	}
	g := &everysize.Formula{Op: everysize.Op(rng.IntN(2))}
	for range 1 + rng.IntN(3) {
		g.Args = append(g.Args, random(rng, n, depth-1))
	}
	return g
}

// TestRandomFormulas compares the search with all points of a box. The proofs are checked by package everysize.
func TestRandomFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	const n, most = 3, 3
	count := map[string]int{}
	for range 3000 {
		f := &everysize.Formula{Op: everysize.And, Args: boxed(n, most)}
		for range 1 + rng.IntN(6) {
			f.Args = append(f.Args, random(rng, n, 2))
		}
		solvable := false
		for k := range 7 * 7 * 7 {
			solvable = solvable || f.Holds([]int64{int64(k%7) - most, int64(k/7%7) - most, int64(k/49) - most})
		}
		s := &arithmetic.Search{Limit: 2000}
		err := s.Refute(&everysize.Obligation{Formula: f, Variables: n})
		var found *arithmetic.Satisfied
		switch {
		case err == nil:
			count["proof"]++
			if wrong := everysize.CheckProof(f, n, s.Proofs); solvable || wrong != nil {
				t.Fatalf("a proof, solvable %v, checker: %v: %+v", solvable, wrong, f)
			}
		case errors.As(err, &found):
			count["model"]++
			if !solvable || !f.Holds(found.Model[:n]) {
				t.Fatalf("model %v, solvable %v", found.Model, solvable)
			}
		default:
			count["limit"]++
		}
		if numbers := s.Proofs; err == nil && len(numbers) > 0 { // no change of a proof proves a formula with a solution
			for range 3 {
				changed := append([]int32(nil), numbers...)
				changed[rng.IntN(len(changed))] += int32(rng.IntN(5) - 2)
				g := &everysize.Formula{Op: everysize.And, Args: boxed(n, most)}
				g.Args = append(g.Args, f.Args[2*n:len(f.Args)-1]...) // without the last condition
				satisfied := false
				for k := range 7 * 7 * 7 {
					satisfied = satisfied || g.Holds([]int64{int64(k%7) - most, int64(k/7%7) - most, int64(k/49) - most})
				}
				if satisfied && (everysize.CheckProof(g, n, changed) == nil || everysize.CheckProof(g, n, numbers) == nil) {
					t.Fatalf("the checker accepts a proof of a formula with a solution: %+v", g)
				}
			}
		}
	}
	t.Log(count)
	if count["proof"] < 300 || count["model"] < 300 || count["limit"] > 300 {
		t.Errorf("%v", count)
	}
}
