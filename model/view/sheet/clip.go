package sheet

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// Clip cuts the line through points at top. It returns the parts of the line at or below top, and the
// points at or below top. A point whose Y is NaN interrupts the line.
func Clip(points []Point, top float64) (pieces [][]Point, inside []Point) {
	var piece []Point
	end := func() {
		if len(piece) > 1 {
			pieces = append(pieces, piece)
		}
		piece = nil
	}
	for i, p := range points {
		if i > 0 && (p.Y > top) != (points[i-1].Y > top) && !math.IsNaN(p.Y+points[i-1].Y) {
			before := points[i-1]
			piece = append(piece, Point{X: before.X + (p.X-before.X)*(top-before.Y)/(p.Y-before.Y), Y: top})
		}
		if !(p.Y <= top) {
			end()
			continue
		}
		piece, inside = append(piece, p), append(inside, p)
	}
	end()
	return pieces, inside
}

// XYs returns the points for package plotter.
func XYs(points []Point) plotter.XYs {
	list := make(plotter.XYs, len(points))
	for i, p := range points {
		list[i] = plotter.XY{X: p.X, Y: p.Y}
	}
	return list
}
