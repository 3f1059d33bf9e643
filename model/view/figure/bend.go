package figure

// This file bends the lines of drawings by a plan: within a group of a round drawing away from the centre, along rows
// and columns around the switches in between.

import "math"

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
