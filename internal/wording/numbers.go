package wording

import (
	"fmt"
	"math"
	"strconv"
)

// Decimal writes x with a number of digits after the point. It writes "-" if x is not a finite
// number.
func Decimal(x float64, digits int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// PlusMinus writes the half width of a confidence interval as " (± 1.23)". It returns "" if x is
// NaN.
func PlusMinus(x float64, digits int) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf(" (± %.*f)", digits, x)
}
