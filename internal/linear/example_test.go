package linear_test

import (
	"fmt"

	"github.com/turnproof/turnproof/internal/linear"
)

// The least value of 2x - 2y with x - y >= 1, and the multiplier that proves it: twice the row
// is the form, and twice its bound is the value.
func ExampleMinimum() {
	m := linear.Minimum([]linear.Row{{Coeffs: []int{1, -1}, Least: 1}}, []int{2, -2})
	fmt.Println(m.Value.RatString(), m.Multipliers)
	// Output:
	// 2 [2/1]
}

// Without a row that bounds y, x + y has no least value. If rows contradict each other, no x
// satisfies them.
func ExampleMinimum_none() {
	x := linear.Row{Coeffs: []int{1, 0}, Least: 1}
	fmt.Println("bounded:", linear.Minimum([]linear.Row{x}, []int{1, 1}).Bounded)
	less := linear.Row{Coeffs: []int{-1, 0}, Least: 0}
	fmt.Println("empty:", linear.Minimum([]linear.Row{x, less}, []int{1, 0}).Empty)
	// Output:
	// bounded: false
	// empty: true
}
