package routes

import (
	"slices"
	"testing"
)

// TestWholeWeights: weights become whole numbers in the same proportion.
func TestWholeWeights(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want []uint32
	}{
		{nil, nil}, {[]float64{1, 1}, []uint32{1, 1}}, {[]float64{0.75, 0.25}, []uint32{75, 25}}, {[]float64{2, 0.5, 3}, []uint32{20, 5, 30}},
		{[]float64{1e9, 1e-9}, []uint32{1e9, 1}}, {[]float64{1.0 / 3, 2.0 / 3}, []uint32{333333, 666667}}, {[]float64{1e9, 0.5}, []uint32{1e9, 1}},
	} {
		if got := wholeWeights(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}
