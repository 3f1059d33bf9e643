package linear

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestFeasible checks the points and multipliers of random inequalities, and compares the answer with Minimum, which shares
// no code with it.
func TestFeasible(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	found := [2]int{}
	for range 2000 {
		n, m := 1+rng.IntN(4), 1+rng.IntN(8)
		rows, plain := make([][]int64, m), make([]Row, m)
		for i := range rows {
			rows[i] = []int64{int64(rng.IntN(11) - 6)}
			for range n {
				c := rng.IntN(7) - 3
				rows[i], plain[i].Coeffs = append(rows[i], int64(c)), append(plain[i].Coeffs, c)
			}
			plain[i].Least = -int(rows[i][0])
		}
		point, multipliers, ok := Feasible(rows, n)
		if !ok || (point == nil) == (multipliers == nil) {
			t.Fatalf("%v: %v, %v, %v", rows, point, multipliers, ok)
		}
		if empty := Minimum(plain, make([]int, n)).Empty; empty != (point == nil) {
			t.Fatalf("%v: point %v, but Minimum says %v", rows, point, empty)
		}
		if point != nil {
			found[0]++
			checkPoint(t, rows, point)
		} else {
			found[1]++
			checkMultipliers(t, rows, multipliers, n)
		}
	}
	if found[0] < 300 || found[1] < 300 {
		t.Errorf("%v points and contradictions: the test shows nothing", found)
	}
}

func checkPoint(t *testing.T, rows [][]int64, p *Point) {
	t.Helper()
	for _, row := range rows {
		sum := big.NewRat(row[0], 1)
		for j, c := range row[1:] {
			sum.Add(sum, new(big.Rat).Mul(big.NewRat(c, 1), big.NewRat(p.Num[j], p.Den[j])))
		}
		if sum.Sign() < 0 {
			t.Fatalf("%v at %v is %v", row, p, sum)
		}
	}
}

func checkMultipliers(t *testing.T, rows [][]int64, list []int64, n int) {
	t.Helper()
	sum := make([]int64, n+1)
	for i, m := range list {
		if m < 0 {
			t.Fatalf("multiplier %d of %v", m, rows)
		}
		for j, c := range rows[i] {
			sum[j] += m * c
		}
	}
	for j, c := range sum {
		if (j == 0) != (c < 0) || j > 0 && c != 0 {
			t.Fatalf("%v times %v is %v", rows, list, sum)
		}
	}
}
