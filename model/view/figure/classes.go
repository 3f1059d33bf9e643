package figure

import (
	"fmt"
	"math"
	"strconv"
)

// classes divides amounts into ranges of equal width from 0 to the largest amount, one per
// colour of the scale.
type classes struct {
	step  float64
	top   float64 // the largest amount
	whole bool    // amounts are whole numbers
}

// newClasses returns ranges with round bounds.
func newClasses(top float64, whole bool) classes {
	k := classes{step: 1, top: top, whole: whole}
	if top <= 0 {
		return k
	}
	raw := top / float64(len(scale))
	if whole {
		k.step = math.Ceil(raw)
		return k
	}
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, f := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10} {
		if k.step = f * unit; k.step >= raw*(1-1e-9) {
			break
		}
	}
	return k
}

// of returns the class of an amount, or -1 for 0.
func (k classes) of(v float64) int {
	if !(v > 0) {
		return -1
	}
	return min(max(int(math.Ceil(v/k.step-1e-9))-1, 0), len(scale)-1)
}

// len returns the number of classes up to the largest amount.
func (k classes) len() int { return k.of(k.top) + 1 }

// color returns the colour of class i.
func (k classes) color(i int) Color {
	if i < 0 {
		return lightGrey
	}
	// Spread few classes over the whole scale.
	if n := k.len(); n > 1 {
		i = i * (len(scale) - 1) / (n - 1)
	}
	return scale[i]
}

// words returns the range of class i as text.
func (k classes) words(i int) string {
	switch lo, hi := k.step*float64(i), k.step*float64(i+1); {
	case i < 0:
		return "0"
	case k.whole && k.step == 1:
		return trim(hi)
	case k.whole:
		return trim(lo+1) + " to " + trim(hi)
	case i == 0:
		return "up to " + trim(hi)
	default:
		return trim(lo) + " to " + trim(hi)
	}
}

// rows returns a legend with the number of amounts in each class.
func (k classes) rows(amounts []float64, what string) Legend {
	count := make([]int, k.len()+1)
	for _, v := range amounts {
		count[k.of(v)+1]++
	}
	l := Legend{Head: []string{what, "how many"}}
	for i := len(count) - 2; i >= -1; i-- {
		l.Rows = append(l.Rows, Row{Color: k.color(i), Cells: []string{k.words(i), strconv.Itoa(count[i+1])}})
	}
	return l
}

// trim formats an amount with at most four digits.
func trim(v float64) string {
	if v != 0 && math.Abs(v) >= 1e4 && v == math.Trunc(v) && math.Abs(v) < 1e9 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprintf("%.4g", v)
}
