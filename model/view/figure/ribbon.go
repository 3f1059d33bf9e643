package figure

// This file computes the courses of lines. Lines between the same two nodes form a ribbon: they
// are side by side, and those of each direction are on the left side of that direction. A ribbon
// is straight, or bends around nodes in between.

import (
	"math"
	"slices"
)

// maxRibbon is the largest width of a ribbon in points.
const maxRibbon = 36.0

// ribbon is all lines between two nodes.
type ribbon struct {
	from, to int
	edges    []int     // from left to right, as seen from node from
	off      []float64 // offset of each line to the left of the middle
	half     float64   // thickness from the middle to either side
}

// lines computes the course of every line.
func (s *sheet) lines() {
	for _, r := range s.ribbons() {
		switch {
		case r.from == r.to:
			for _, i := range r.edges {
				s.runs[i] = run{selfLoop(s.p.at[r.from], s.p.half[r.from]), 0, r}
			}
		case s.g.Layout == Flow:
			for _, i := range r.edges {
				s.runs[i] = run{s.p.splines[i], 0, r}
			}
		default:
			s.lead(r)
		}
	}
}

// ribbons returns the ribbons in the order of their first line.
func (s *sheet) ribbons() []*ribbon {
	at := make(map[[2]int]*ribbon)
	var list []*ribbon
	for i := range s.g.Edges {
		e := &s.g.Edges[i]
		k := [2]int{min(e.From, e.To), max(e.From, e.To)}
		if e.Style == Hidden {
			continue
		}
		if at[k] == nil {
			at[k] = &ribbon{from: k[0], to: k[1]}
			list = append(list, at[k])
		}
		at[k].edges = append(at[k].edges, i)
	}
	for _, r := range list {
		s.spread(r)
	}
	return list
}

// spread computes the offsets of the lines of a ribbon.
func (s *sheet) spread(r *ribbon) {
	side := func(i int) int {
		switch e := &s.g.Edges[i]; {
		case !e.Arrow:
			return 0
		case e.From == r.from:
			return -1
		}
		return 1
	}
	slices.SortStableFunc(r.edges, func(i, j int) int {
		if a, b := side(i), side(j); a != b || a <= 0 {
			return a - b
		}
		return j - i // later lines are further left, seen in their own direction
	})
	r.off = make([]float64, len(r.edges))
	x := 0.0
	for k, i := range r.edges {
		if k > 0 {
			x += s.gap(&s.g.Edges[r.edges[k-1]], &s.g.Edges[i], len(r.edges))
		}
		r.off[k] = x
	}
	// Many lines are closer together, unless each has a label on it.
	squeeze := 1.0
	if most := maxRibbon * s.unit; x > most && !s.g.OwnLabels {
		squeeze = most / x
		x = most
	}
	for k := range r.off {
		r.off[k] = x/2 - squeeze*r.off[k]
	}
	_, half := head(s.width(&s.g.Edges[r.edges[0]]))
	r.half = x/2 + half
}

// gap returns the distance between two lines of a ribbon with of lines.
func (s *sheet) gap(a, b *Edge, of int) float64 {
	_, h := head(s.width(a))
	_, k := head(s.width(b))
	switch {
	case a.Badge && b.Badge && (s.g.OwnLabels || of == 2 && a.From != b.From):
		return max(h+k+1, s.badgeSize()*1.35) // each line has a label on it
	case a.AtFrom != "" || b.AtFrom != "":
		return 9 * s.unit
	case a.Arrow && b.Arrow:
		return h + k + 0.6
	}
	return (max(a.Width, 1)+max(b.Width, 1))*s.unit/2 + 2.5
}

// lead computes the courses of the lines of a ribbon.
func (s *sheet) lead(r *ribbon) {
	a, b := s.p.at[r.from], s.p.at[r.to]
	base := s.around(r, a, b)
	most := 0.0
	for _, o := range r.off {
		most = max(most, math.Abs(o))
	}
	for k, i := range r.edges {
		// Near the nodes the lines converge, so that all of them end at the node.
		ends := r.off[k]
		if room := 0.8 * min(s.reach(r.from, base[1].sub(base[0])), s.reach(r.to, base[3].sub(base[2]))); most > room {
			ends *= room / most
		}
		c := base.shifted(r.off[k], ends)
		c = c.after(c.leaves(s.within(r.from)))
		c = c.reversed()
		c = c.after(c.leaves(s.within(r.to)))
		if s.g.Edges[i].From == r.from {
			c = c.reversed()
		}
		s.runs[i] = run{c, r.off[k], r}
	}
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

// within returns a function that reports whether a point is inside the slightly enlarged outline
// of a node, at which lines end.
func (s *sheet) within(node int) func(point) bool {
	at, h := s.p.at[node], s.p.half[node].add(point{1.2, 1.2})
	round := s.g.Nodes[node].Shape == Ellipse || s.g.Nodes[node].Shape == Dot
	return func(p point) bool {
		d := p.sub(at)
		if round {
			return d.x*d.x/(h.x*h.x)+d.y*d.y/(h.y*h.y) < 1
		}
		return math.Abs(d.x) < h.x && math.Abs(d.y) < h.y
	}
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

// corners returns the corners of the bounding box of all positions.
func (p *placement) corners() (lo, hi point) {
	for i, q := range p.at {
		if i == 0 {
			lo, hi = q, q
		}
		lo = point{min(lo.x, q.x), min(lo.y, q.y)}
		hi = point{max(hi.x, q.x), max(hi.y, q.y)}
	}
	return lo, hi
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
