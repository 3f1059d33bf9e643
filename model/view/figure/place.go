package figure

// This file places switches with given positions, and nodes beside switches.

import (
	"math"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// maxPinned is the largest side of a drawing of switches with given positions, in inches.
const maxPinned = 150

// pin gives switches their positions, scaled so that the nearest two have distance pinInches, or
// pinDots if switches are dots, and no two boxes overlap. Drawings larger than maxPinned are reduced.
func (c *canvas) pin() {
	nearest, apart := math.Inf(1), 0.0
	var lo, hi, room point
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
		lo, hi = point{min(lo.x, x), min(lo.y, y)}, point{max(hi.x, x), max(hi.y, y)}
		room = c.room(u)
		for j := range i {
			if m := &c.g.Nodes[j]; m.Pinned && (m.X != x || m.Y != y) {
				nearest = min(nearest, math.Hypot(m.X-x, m.Y-y))
				if !c.dots {
					apart = max(apart, min(2*room.x/math.Abs(m.X-x), 2*room.y/math.Abs(m.Y-y)))
				}
			}
		}
	}
	scale := max(max(c.o.spacing, pinInches)/nearest, apart)
	switch p := c.o.plan; {
	case c.dots && p != nil && p.tight > 0:
		scale = p.tight / nearest
	case c.dots:
		scale = pinDots / nearest
	case p != nil && c.n.Grid() == nil:
		scale = apart
	}
	scale = min(scale, maxPinned/max(hi.x-lo.x, hi.y-lo.y, 1e-9))
	for i := range c.g.Nodes {
		if n := &c.g.Nodes[i]; n.Pinned && !math.IsInf(nearest, 1) {
			n.X, n.Y = n.X*scale, n.Y*scale
		}
	}
}

// hostRoom is half the space of a switch with hosts or arrows beside it, in inches.
var hostRoom = point{0.56, 0.42}

// room returns half the space of switch u in inches: its box with the number of its hosts, and a gap.
func (c *canvas) room(u int) point {
	n := c.g.Nodes[c.node[u]]
	if c.hosts[u] > 0 && c.o.Hosts != HostsHidden {
		n.Lines = append(slices.Clone(n.Lines), plural(c.hosts[u], "host"))
	}
	room := n.half().times(1.0 / 72)
	if !c.o.tight {
		room = point{max(room.x+0.32, hostRoom.x), max(room.y+0.27, hostRoom.y)}
	} else {
		room = room.add(point{0.15, 0.12})
	}
	if c.widest > 0.3 && c.hosts[u] > 0 { // where beside places the widest host, and a gap
		room.x = max(room.x, 2*c.widest+0.14)
	}
	if c.o.plan != nil {
		room = room.add(c.o.plan.extra)
	}
	return room
}

// follow takes over how the plan draws lines.
func (c *canvas) follow(p *plan) {
	if p == nil {
		return
	}
	c.g.round, c.g.aligned = p.round, p.aligned
	if p.straight || c.dots {
		c.g.Layout = Straight
	}
	for u, i := range c.node {
		if i < 0 {
			continue
		}
		if p.group != nil {
			c.g.Nodes[i].group = p.group[u] + 1
		}
		if p.second != nil && p.second[u] && !c.dots {
			c.g.Nodes[i].Fill = white
		}
	}
	if p.note != "" && !c.dots {
		c.g.Notes = append(c.g.Notes, p.note)
	}
}

// between changes a cable between two groups as the plan says.
func (p *plan) between(e *Edge, a, b model.SwitchID) {
	if p == nil || p.group == nil || p.group[a] == p.group[b] {
		return
	}
	e.Style = p.apart
	if p.pale {
		e.Color = lightGrey
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
		dx, dy = c.hostStep(half)*float64((k+1)/2), 0.85
		if k%2 == 1 {
			dx = -dx
		}
		if (c.level[u] == 0) != c.flip[u] {
			dy = -dy
		}
	} else {
		a := ([]float64{50, 130, 230, 310}[k%4] + 25*float64(k/4)) * math.Pi / 180
		if g := c.n.Grid(); g != nil && g.Dims() == 1 && g.Wrap[0] || c.g.round { // outside of a ring
			a = math.Atan2(s.Y, s.X) + []float64{0, -40, 40, -80, 80}[k%5]*math.Pi/180
		}
		r := 0.62
		if x.Shape == Octagon || c.g.round { // beyond the lines of its group
			r = 0.88
		}
		dx, dy = r*math.Cos(a), r*math.Sin(a)
		dx += math.Copysign(max(half-0.3, 0), dx)
	}
	x.Pinned, x.X, x.Y = true, s.X+dx, s.Y+dy
}
