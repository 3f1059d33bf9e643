//go:build z3 && cgo

package smt

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestSatisfy compares Z3 with all assignments.
func TestSatisfy(t *testing.T) {
	sat := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(6)
		list := make([][]int32, r.IntN(5*n))
		for i := range list {
			for range 1 + r.IntN(3) {
				l := int32(1 + r.IntN(n))
				if r.IntN(2) == 0 {
					l = -l
				}
				list[i] = append(list[i], l)
			}
		}
		want := Unsat
		for a := range 1 << n {
			values := make([]bool, n)
			for v := range values {
				values[v] = a>>v&1 == 1
			}
			if checkClauses(values, list) == nil {
				want = Sat
			}
		}
		got, _, err := Satisfy(context.Background(), n, slices.Values(list), Limit{Time: time.Minute})
		if err != nil || got != want {
			t.Errorf("seed %d: %v, %v, want %v", seed, got, err, want)
		}
		if want == Sat {
			sat++
		}
	}
	if sat < 8 || sat > 32 {
		t.Errorf("%d of 40 are satisfiable: the cases do not tell", sat)
	}
	if _, _, err := Satisfy(context.Background(), 2, slices.Values([][]int32{{3}}), Limit{}); err == nil {
		t.Error("a literal out of range was taken")
	}
}
