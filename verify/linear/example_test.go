package linear_test

import (
	"fmt"

	"github.com/turnproof/turnproof/verify/linear"
)

// The least value of 2x - 2y where x - y is at least 1, and the multiplier that
// shows it: twice the row is the form, twice its bound the value.
func ExampleMinimum() {
	m := linear.Minimum([]linear.Row{{Coeffs: []int{1, -1}, Least: 1}}, []int{2, -2})
	fmt.Println(m.Value.RatString(), m.Multipliers)
	// Output:
	// 2 [2/1]
}

// Without a row that holds y there is no least value of x + y, and where rows
// contradict each other nothing fulfils them.
func ExampleMinimum_none() {
	x := linear.Row{Coeffs: []int{1, 0}, Least: 1}
	fmt.Println("bounded:", linear.Minimum([]linear.Row{x}, []int{1, 1}).Bounded)
	less := linear.Row{Coeffs: []int{-1, 0}, Least: 0}
	fmt.Println("empty:", linear.Minimum([]linear.Row{x, less}, []int{1, 0}).Empty)
	// Output:
	// bounded: false
	// empty: true
}
