package figure

// This file bends lines around the nodes in between. In drawings by a plan it bends them within a group of a round
// drawing away from the centre, along rows and columns around the switches in between.

import (
	"math"
	"slices"
)

// grouped reports whether both nodes of a ribbon have groups of a plan.
func (s *sheet) grouped(r *ribbon) bool {
	return s.g.Nodes[r.from].group > 0 && s.g.Nodes[r.to].group > 0
}

// planned returns by how much a line from a to b bends to its left in a drawing by a plan. It returns false if the plan does not say it.
// A line that would pass over k nodes bends around them, the more the greater k is.
func (s *sheet) planned(r *ribbon, a, b point) (bend float64, ok bool) {
	d := b.sub(a)
	row, column := math.Abs(d.y) < 1, math.Abs(d.x) < 1
	same := s.grouped(r) && s.g.Nodes[r.from].group == s.g.Nodes[r.to].group
	if !(s.g.aligned && (row || column) || same && (s.g.round || row || column)) {
		return 0, false
	}
	sign := 1.0
	switch {
	case s.g.aligned && (row && d.x > 0 || column && d.y > 0), !s.g.aligned && s.outward(a, b) < 0:
		sign = -1
	}
	over, clear, side := 0, 0.0, d.left().times(sign)
	for _, i := range s.near(r, a, b) {
		if n := &s.g.Nodes[i]; n.Shape != Ellipse && s.hits(bowed(a, b, 0), []int{i}, 0) > 0 {
			over++
			v := s.p.at[i].sub(a)
			clear = max(clear, v.x*side.x+v.y*side.y+s.reach(i, d))
		}
	}
	if over == 0 {
		return 0, !s.g.round
	}
	return sign * (clear + r.half + 2 + min(clear, 10)*float64(over)/(1+float64(over)/8)), true
}

// around returns a line from a to b that crosses the fewest nodes: the straight one if possible,
// otherwise the one that bends least. Of two equal ones it takes that away from the middle of the
// drawing.
func (s *sheet) around(r *ribbon, a, b point) curve {
	straight, d := bowed(a, b, 0), b.sub(a)
	if h, ok := s.planned(r, a, b); ok {
		return bowed(a, b, h)
	}
	if arrow := slices.ContainsFunc(r.edges, func(i int) bool { return s.g.Edges[i].Arrow }); s.g.Layout == Straight && !(arrow && s.grouped(r)) {
		if math.Abs(d.y) < 1 && !s.grouped(r) && s.hits(straight, s.near(r, a, b), 0) > 0 {
			return bowed(a, b, s.outward(a, b)*min(0.2*d.len(), 80)) // the line is along a row
		}
		return straight
	}
	near := s.near(r, a, b)
	least := s.hits(straight, near, r.half)
	if least == 0 {
		return straight
	}
	best, longer := straight, 0.0
	if s.g.nested && math.Abs(d.y) < 1 {
		longer = 0.06 * d.len()
	}
	for _, h := range []float64{14, 22, 30, 40, 52, 66, 84, 110, 150, 200} {
		if h > max(0.8*b.sub(a).len(), 40) || s.g.round && h > 40 {
			break
		}
		for _, sign := range []float64{1, -1} {
			if out := s.outward(a, b); out < 0 {
				sign = -sign
			}
			c := bowed(a, b, sign*(h+longer+r.half-2))
			if k := s.hits(c, near, r.half); k < least {
				least, best = k, c
			}
		}
	}
	return best
}

// outward returns the side of a line on which the outside of the drawing is: 1 for its left, -1
// for its right.
func (s *sheet) outward(a, b point) float64 {
	if d := b.sub(a); s.g.nested && math.Abs(d.y) < 1 {
		return -math.Copysign(1, d.x) // along a row of an H/V graph: below the row
	}
	if d := b.sub(a); s.g.pinned() && !s.g.round && math.Abs(d.x) > 1 && math.Abs(d.y) > 1 {
		return math.Copysign(1, d.x) // oblique lines of a grid: all upwards
	}
	lo, hi := s.p.corners()
	away := a.to(b, 0.5).sub(lo.to(hi, 0.5))
	n := b.sub(a).left()
	switch d := away.x*n.x + away.y*n.y; {
	case d > 1:
		return 1
	case d < -1:
		return -1
	case n.y < -1e-6 || math.Abs(n.y) <= 1e-6 && n.x < 0:
		return 1 // a line through the middle: upwards, or to the left
	}
	return -1
}

// near returns the nodes that a line from a to b could cross.
func (s *sheet) near(r *ribbon, a, b point) []int {
	var list []int
	d := b.sub(a)
	for i, q := range s.p.at {
		if i == r.from || i == r.to || s.g.Nodes[i].Shape == Point || s.g.Nodes[i].Shape == Cross {
			continue
		}
		v, h := q.sub(a), s.p.half[i]
		along := (v.x*d.x + v.y*d.y) / max(d.len(), 1)
		across := math.Abs(v.x*d.y-v.y*d.x) / max(d.len(), 1)
		if size := h.x + h.y; across < 160+size && along > -size-40 && along < d.len()+size+40 {
			list = append(list, i)
		}
	}
	return list
}

// hits returns a measure of how much of a line lies on nodes or close to them.
func (s *sheet) hits(c curve, near []int, half float64) int {
	count := 0
	for _, p := range c.samples(40) {
		for _, i := range near {
			d, h := p.sub(s.p.at[i]), s.p.half[i]
			if math.Abs(d.x) < h.x+half+1 && math.Abs(d.y) < h.y+half+1 {
				count++
			}
		}
	}
	return count
}

// reach returns how far a node extends to either side of a line in direction d.
func (s *sheet) reach(node int, d point) float64 {
	n, h := d.left(), s.p.half[node]
	x, y := math.Inf(1), math.Inf(1)
	if math.Abs(n.x) > 1e-6 {
		x = h.x / math.Abs(n.x)
	}
	if math.Abs(n.y) > 1e-6 {
		y = h.y / math.Abs(n.y)
	}
	return min(x, y)
}
