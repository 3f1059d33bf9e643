package figure

// This file places switches with given positions, and nodes beside switches.

import (
	"math"

	"github.com/turnproof/turnproof/model"
)

// pin gives switches their positions, scaled so that the nearest two have distance pinInches, or
// pinDots if switches are dots.
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
	unit := max(c.o.spacing, pinInches)
	if c.dots {
		unit = pinDots
	}
	for i := range c.g.Nodes {
		if n := &c.g.Nodes[i]; n.Pinned && !math.IsInf(nearest, 1) {
			n.X, n.Y = n.X*unit/nearest, n.Y*unit/nearest
		}
	}
}

// beside places a node next to switch u, if u has a position. In rows, it is below the lowest row
// and above the others (reversed if the rows are upside down), beginning in the middle. Otherwise
// it is around the switch, between the axes.
func (c *canvas) beside(x *Node, u model.SwitchID) {
	s := &c.g.Nodes[c.node[u]]
	if !s.Pinned {
		return
	}
	k := c.guests[u]
	c.guests[u]++
	half := x.half().x / 72
	var dx, dy float64
	if c.level != nil {
		dx, dy = max(0.5, half+0.3)*float64((k+1)/2), 0.85
		if k%2 == 1 {
			dx = -dx
		}
		if (c.level[u] == 0) != c.flip[u] {
			dy = -dy
		}
	} else {
		a := ([]float64{50, 130, 230, 310}[k%4] + 25*float64(k/4)) * math.Pi / 180
		if g := c.n.Grid(); g != nil && g.Dims() == 1 && g.Wrap[0] { // outside of a ring
			a = math.Atan2(s.Y, s.X) + []float64{0, -40, 40, -80, 80}[k%5]*math.Pi/180
		}
		r := 0.62
		if x.Shape == Octagon {
			r = 0.88
		}
		dx, dy = r*math.Cos(a), r*math.Sin(a)
		dx += math.Copysign(max(half-0.3, 0), dx)
	}
	x.Pinned, x.X, x.Y = true, s.X+dx, s.Y+dy
}
