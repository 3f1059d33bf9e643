package figure

// This file puts things where positions are known.

import (
	"math"

	"turnproof/model"
)

// pin gives switches their positions, scaled so that the nearest two are
// pinInches apart.
func (c *canvas) pin() {
	nearest := math.Inf(1)
	for u, i := range c.node {
		if i < 0 {
			continue
		}
		n := &c.g.Nodes[i]
		x, y, ok := c.o.Position(model.SwitchID(u))
		if !ok || math.IsNaN(x+y) || math.IsInf(x+y, 0) {
			continue
		}
		n.X, n.Y, n.Pinned = x, y, true
		for j := range i {
			if m := &c.g.Nodes[j]; m.Pinned && (m.X != x || m.Y != y) {
				nearest = min(nearest, math.Hypot(m.X-x, m.Y-y))
			}
		}
	}
	for i := range c.g.Nodes {
		if n := &c.g.Nodes[i]; n.Pinned && !math.IsInf(nearest, 1) {
			n.X, n.Y = n.X*pinInches/nearest, n.Y*pinInches/nearest
		}
	}
}

// hostOffset returns where the k-th host drawn at a switch with a place is
// put: below it in rows, to the middle first, otherwise around it.
func (c *canvas) hostOffset(k int) (dx, dy float64) {
	if c.level != nil {
		dx = 0.5 * float64((k+1)/2)
		if k%2 == 1 {
			dx = -dx
		}
		return dx, -0.85
	}
	a := (50 + 45*float64(k)) * math.Pi / 180
	return 0.62 * math.Cos(a), 0.62 * math.Sin(a)
}
