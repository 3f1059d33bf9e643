package linear

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestMinimum(t *testing.T) {
	rows := []Row{{[]int{1, 0}, 1}, {[]int{-1, 0}, -3}, {[]int{1, 1}, 2}} // 1 ≤ x ≤ 3, x+y ≥ 2
	for _, c := range []struct {
		form []int
		want string // "" if unbounded
	}{{[]int{1, 0}, "1/1"}, {[]int{-1, 0}, "-3/1"}, {[]int{2, 2}, "4/1"}, {[]int{0, 1}, "-1/1"}, {[]int{0, -1}, ""}, {[]int{0, 0}, "0/1"}, {[]int{3, 2}, "5/1"}} {
		a := Minimum(rows, c.form)
		if a.Bounded != (c.want != "") || a.Bounded && a.Value.String() != c.want {
			t.Errorf("%v: %+v, want %q", c.form, a, c.want)
		}
	}
	if a := Minimum([]Row{{[]int{1}, 1}, {[]int{-1}, 0}}, []int{1}); a.Bounded || !a.Empty {
		t.Errorf("nothing is at least 1 and at most 0: %+v", a)
	}
}

// TestMultipliers checks that the multipliers prove the least value, and that no point of a grid has a
// smaller one.
func TestMultipliers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 3).Draw(t, "variables")
		number := rapid.IntRange(-3, 3)
		var rows []Row
		for range rapid.IntRange(0, 6).Draw(t, "rows") {
			rows = append(rows, Row{rapid.SliceOfN(number, m, m).Draw(t, "row"), number.Draw(t, "least")})
		}
		form := rapid.SliceOfN(number, m, m).Draw(t, "form")
		a := Minimum(rows, form)
		if a.Bounded {
			sum, value := zeros(m), new(big.Rat)
			for j, l := range a.Multipliers {
				if l.Sign() < 0 {
					t.Fatalf("multiplier %v", l)
				}
				for i := range sum {
					sum[i].Add(sum[i], new(big.Rat).Mul(l, big.NewRat(int64(rows[j].Coeffs[i]), 1)))
				}
				value.Add(value, new(big.Rat).Mul(l, big.NewRat(int64(rows[j].Least), 1)))
			}
			for i := range sum {
				if sum[i].Cmp(big.NewRat(int64(form[i]), 1)) != 0 {
					t.Fatalf("the rows add up to %v", sum)
				}
			}
			if value.Cmp(a.Value) != 0 {
				t.Fatalf("value %v, not %v", a.Value, value)
			}
		}
		x := make([]int, m)
		var points func(i int)
		points = func(i int) {
			if i < m {
				for x[i] = -4; x[i] <= 4; x[i]++ {
					points(i + 1)
				}
				return
			}
			for _, r := range rows {
				if dot(r.Coeffs, x) < r.Least {
					return
				}
			}
			if a.Empty || a.Bounded && a.Value.Cmp(big.NewRat(int64(dot(form, x)), 1)) > 0 {
				t.Fatalf("%+v, but at %v the form is %d", a, x, dot(form, x))
			}
		}
		points(0)
	})
}

func dot(a, b []int) (s int) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}
