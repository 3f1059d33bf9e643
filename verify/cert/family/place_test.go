package family

import (
	"math"
	"math/big"
	"testing"
)

var powers = []int{1, 7, 49, 343, 2401, 16807, 117649}

// TestPlaceAgainstBigIntegers compares place.holds with sums of big integers, at the limits of
// coefficients, coordinates and bounds.
func TestPlaceAgainstBigIntegers(t *testing.T) {
	edges := []int{math.MinInt32, math.MinInt32 + 1, -1, 0, 1, math.MaxInt32 - 1, math.MaxInt32}
	for i := range 200_000 {
		pick := func(k int) int { return edges[(i/powers[k%len(powers)]+k)%len(edges)] }
		p := place{coeffs: [][]int{{pick(0), pick(1), pick(2), pick(3)}}, least: []int{pick(4)}}
		a, b := []int{pick(5), pick(6)}, []int{pick(1), pick(0)}
		sum := new(big.Int)
		for k, x := range []int{a[0], a[1], b[0], b[1]} {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(p.coeffs[0][k])), big.NewInt(int64(x))))
		}
		if want := sum.Cmp(big.NewInt(int64(p.least[0]))) >= 0; p.holds(a, b) != want {
			t.Fatalf("place %+v from %v to %v: %v, sum %v", p, a, b, !want, sum)
		}
	}
}
