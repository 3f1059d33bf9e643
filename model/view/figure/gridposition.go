package figure

import (
	"math"

	"github.com/turnproof/turnproof/model"
)

// GridPosition returns a function for Options.Position that places the switches of a grid by
// their coordinates. A ring is drawn as a circle. The third dimension is drawn as an oblique
// offset smaller than the distance between two switches. It returns nil if the network is not a
// grid or has more than three dimensions.
func GridPosition(n *model.Network) func(model.SwitchID) (x, y float64, ok bool) {
	g := n.Grid()
	if g == nil || g.Dims() > 3 {
		return nil
	}
	if g.Dims() == 1 && g.Wrap[0] {
		return clockwise(g.Sides[0])
	}
	return func(u model.SwitchID) (x, y float64, ok bool) {
		c := append(g.Coords(u, nil), 0, 0)
		if g.Dims() < 3 {
			return float64(c[0]), float64(c[1]), true
		}
		depth := 0.9 * float64(c[2]) / float64(g.Sides[2])
		return float64(c[0]) + depth, float64(c[1]) + 0.6*depth, true
	}
}

// clockwise places the switches of a ring, starting at the top.
func clockwise(of int) func(model.SwitchID) (x, y float64, ok bool) {
	return func(u model.SwitchID) (x, y float64, ok bool) {
		sin, cos := math.Sincos(2 * math.Pi * (float64(u) - 0.5) / float64(of))
		return sin, cos, true
	}
}
