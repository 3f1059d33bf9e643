package figure

// This file computes the courses of lines. Lines between the same two nodes form a ribbon: they
// are side by side, and those of each direction are on the left side of that direction. A ribbon
// is straight, or bends around nodes in between (see bend.go).

import (
	"math"
	"slices"
)

// maxRibbon is the largest width of a ribbon in points.
const maxRibbon = 36.0

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
