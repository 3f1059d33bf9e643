package sheet

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// TestClip: the parts of a clipped line are inside the chart and begin and end at points or at the
// top. Every point inside the chart is returned.
func TestClip(t *testing.T) {
	nan := math.NaN()
	line := []Point{{0, 1, 2}, {1, 3, 4}, {2, 7, 1}, {3, 3, 1}, {4, nan, 0}, {5, 2, 1}, {6, 4, 1}, {7, 5, 3}}
	pieces, inside := Clip(line, 5)
	if want := [][]Point{{line[0], line[1], {1.5, 5, 0}}, {{2.5, 5, 0}, line[3]}, {line[5], line[6], line[7]}}; !reflect.DeepEqual(pieces, want) {
		t.Errorf("pieces %v, want %v", pieces, want)
	}
	if want := []Point{line[0], line[1], line[3], line[5], line[6], line[7]}; !reflect.DeepEqual(inside, want) {
		t.Errorf("inside %v, want %v", inside, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		var points []Point
		within := 0
		for i, y := range rapid.SliceOf(rapid.Float64Range(0, 10)).Draw(t, "y") {
			if y > 9 {
				y = nan
			}
			if y <= 5 {
				within++
			}
			points = append(points, Point{X: float64(i), Y: y})
		}
		pieces, inside := Clip(points, 5)
		if len(inside) != within {
			t.Fatalf("%d points of %d", len(inside), within)
		}
		last := -1.0
		for _, piece := range pieces {
			for _, p := range piece {
				if !(p.Y >= 0 && p.Y <= 5 && p.X >= last) {
					t.Fatalf("%v", pieces)
				}
				last = p.X
			}
		}
	})
}

// TestFewTicks: an axis has 3 to 8 marks at round numbers, the first at 0.
func TestFewTicks(t *testing.T) {
	for _, c := range []struct {
		top  float64
		want []float64
	}{{1, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}}, {0.09, []float64{0, 0.02, 0.04, 0.06, 0.08}},
		{137, []float64{0, 20, 40, 60, 80, 100, 120}}, {4.1, []float64{0, 1, 2, 3, 4}}} {
		got := FewTicks(0, c.top)
		if len(got) != len(c.want) {
			t.Errorf("to %v: %v, want %v", c.top, got, c.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i].Value-c.want[i]) > 1e-9 {
				t.Errorf("to %v: %v, want %v", c.top, got, c.want)
			}
		}
	}
}
