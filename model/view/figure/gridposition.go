package figure

import (
	"math"

	"github.com/turnproof/turnproof/model"
)

// GridPosition returns a function for Options.Position that places the switches of a grid by
// their coordinates. A ring is drawn as a circle. The third dimension is drawn as an oblique
// offset smaller than the distance between two switches. A grid of more dimensions is drawn as a grid of
// grids of three dimensions. GridPosition returns nil if the network is not a grid.
func GridPosition(n *model.Network) func(model.SwitchID) (x, y float64, ok bool) {
	g := n.Grid()
	if g == nil {
		return nil
	}
	if g.Dims() == 1 && g.Wrap[0] {
		return clockwise(g.Sides[0])
	}
	place := nestedPlaces(g.Sides)
	return func(u model.SwitchID) (x, y float64, ok bool) {
		at := place(g.Coords(u, nil))
		return at.x, at.y, true
	}
}

// nestedPlaces returns a function that places coordinates of a grid with the given sides: three dimensions as x, y and oblique, and
// these blocks in the same way as a grid of the next three dimensions.
func nestedPlaces(sides []int) func(at []int) point {
	steps := make([]point, len(sides)) // by dimension: the distance of two neighbours
	wide, high := 0.0, 0.0             // extent of the dimensions before
	for d := 0; d < len(sides); d += 3 {
		x, y, deep := wide+1, high+1, 1.0
		if d > 0 {
			x, y = wide+blockGap, high+blockGap
		}
		if d+2 < len(sides) && d > 0 { // the oblique blocks are between the others
			deep = float64(sides[d+2])
		}
		steps[d] = point{x * deep, 0}
		if d > 0 {
			steps[d].y = -turned * x * deep
		}
		wide += x * deep * float64(sides[d]-1)
		if d+1 < len(sides) {
			steps[d+1] = point{0, y * deep}
			if d > 0 {
				steps[d+1].x = -1.2 * turned * y * deep
			}
			high += y * deep * float64(sides[d+1]-1)
		}
		if d+2 < len(sides) {
			k := float64(sides[d+2])
			steps[d+2] = point{2 * obliqueX / k, 2 * obliqueY / k}
			if d > 0 {
				steps[d+2] = point{x, 1.16 * y}
			}
			wide, high = wide+steps[d+2].x*(k-1), high+steps[d+2].y*(k-1)
		}
	}
	return func(at []int) (p point) {
		for d, x := range at {
			p = p.add(steps[d].times(float64(x)))
		}
		return p
	}
}

// clockwise places the switches of a ring, starting at the top.
func clockwise(of int) func(model.SwitchID) (x, y float64, ok bool) {
	return func(u model.SwitchID) (x, y float64, ok bool) {
		sin, cos := math.Sincos(2 * math.Pi * (float64(u) - 0.5) / float64(of))
		return sin, cos, true
	}
}
