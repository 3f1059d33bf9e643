package figure

// This file places labels: badges and strips of badges beside their lines, counts of cables, port
// numbers at the ends. Each label gets the position at which it covers least. The search starts at
// the middle of its line.

import (
	"fmt"
	"math"
	"slices"
)

// maxStrip is the largest number of labels in a strip. A longer strip ends with the number of the
// others.
const maxStrip = 3

// labels places all labels.
func (s *sheet) labels() {
	var seen []*ribbon
	for i := range s.g.Edges {
		r := s.runs[i].group
		if r != nil && r.edges[0] == i {
			seen = append(seen, r)
		}
	}
	ink := s.ink()
	for _, r := range seen {
		for k, strip := range s.strips(r) {
			s.strip(r, strip, k, ink)
		}
	}
	for i := range s.g.Edges {
		if s.runs[i].c != nil {
			s.ports(i)
		}
	}
}

// ink returns points on all lines, from which the cost of a label's position is computed. It is
// empty if there are too many lines.
func (s *sheet) ink() []point {
	if len(s.g.Edges) > 1500 {
		return nil
	}
	var list []point
	for i := range s.g.Edges {
		if c := s.runs[i].c; c != nil && (s.g.Edges[i].Arrow || s.g.Edges[i].Width > 1) {
			list = append(list, c.samples(24)...)
		}
	}
	for _, r := range s.arc {
		list = append(list, r.c.samples(12)...)
	}
	return list
}

// strips returns the labelled lines of a ribbon, in groups that share a strip of labels: by
// direction, or each line alone.
func (s *sheet) strips(r *ribbon) [][]int {
	var list [][]int
	for _, i := range r.edges {
		e := &s.g.Edges[i]
		if e.Label == "" {
			continue
		}
		if k := len(list) - 1; k >= 0 && !s.g.OwnLabels && e.Badge && s.g.Edges[list[k][0]].From == e.From {
			list[k] = append(list[k], i)
		} else {
			list = append(list, []int{i})
		}
	}
	for _, l := range list {
		slices.Sort(l) // the order of the legend
	}
	return list
}

// strip places the labels of some lines as the k-th strip of their ribbon.
func (s *sheet) strip(r *ribbon, edges []int, k int, ink []point) {
	cells := s.cells(edges)
	var size point
	for _, m := range cells {
		size.x += m.half.x
		size.y = max(size.y, m.half.y)
	}
	c := s.runs[edges[0]].c
	best, least := c.at(c.end()/2), math.Inf(1)
	for _, f := range s.fractions(k) {
		at, dir := c.along(f)
		for _, side := range s.sides(r, edges, dir, size) {
			if cost := s.cost(at.add(side), size, ink) + 8*math.Abs(f-0.5) + side.len()*0.02; cost < least {
				best, least = at.add(side), cost
			}
		}
	}
	x := best.x - size.x
	for _, m := range cells {
		m.at = point{x + m.half.x, best.y}
		x += 2 * m.half.x
		s.marks = append(s.marks, m)
	}
}

// fractions returns the positions along a line at which its label may be placed. Labels of
// neighbouring lines are staggered.
func (s *sheet) fractions(k int) []float64 {
	list := []float64{0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.25, 0.75, 0.18, 0.82}
	if s.g.OwnLabels {
		from := []float64{0.5, 0.36, 0.64, 0.5}[k%4]
		return append([]float64{from}, list...)
	}
	return list
}

// sides returns the offsets from its line at which a label may be placed: none if it is the label
// of a single line, otherwise to the left or right of the ribbon.
func (s *sheet) sides(r *ribbon, edges []int, dir, size point) []point {
	if len(edges) == 1 {
		return []point{{}}
	}
	n := dir.left()
	off := s.runs[edges[0]].off // offset of the line from which the strip is measured
	if s.g.Edges[edges[0]].From != r.from {
		off = -off
	}
	room := math.Abs(n.x)*size.x + math.Abs(n.y)*size.y + r.half + 1.5
	return []point{n.times(room - off), n.times(-room - off)}
}

// cost returns a measure of what a label at a position would cover.
func (s *sheet) cost(at, half point, ink []point) float64 {
	cost := 0.0
	overlap := func(p, h point) float64 {
		x := min(at.x+half.x, p.x+h.x) - max(at.x-half.x, p.x-h.x)
		y := min(at.y+half.y, p.y+h.y) - max(at.y-half.y, p.y-h.y)
		return max(x, 0) * max(y, 0)
	}
	for i, p := range s.p.at {
		cost += overlap(p, s.p.half[i])
	}
	for _, m := range s.marks {
		cost += overlap(m.at, m.half)
	}
	for _, p := range ink {
		if math.Abs(p.x-at.x) < half.x && math.Abs(p.y-at.y) < half.y {
			cost += 2
		}
	}
	return cost
}

// cells returns the labels of some lines, without positions.
func (s *sheet) cells(edges []int) []mark {
	size := s.badgeSize()
	cell := func(text, tip, key string, fill, ink Color, bold bool) mark {
		return mark{half: point{textWidth(text, size, bold)/2 + 0.25*size, 0.62 * size}, text: text, size: size,
			fill: fill, ink: ink, bold: bold, tip: tip, key: key}
	}
	var list []mark
	for k, i := range edges {
		e := &s.g.Edges[i]
		if !e.Badge {
			return []mark{cell(clean(e.Label, maxLabel), e.Tooltip, e.Key, white, darkGrey, false)}
		}
		if k == maxStrip && len(edges) > maxStrip {
			return append(list, cell(fmt.Sprintf("+%d", len(edges)-k), "", "", white, Black, true))
		}
		c := e.Color.or(midGrey)
		list = append(list, cell(clean(e.Label, maxLabel), e.Tooltip, e.Key, c, c.ink(), true))
	}
	return list
}

// ports places the small texts at the ends of a line, beside the line and, if possible, clear of
// other labels.
func (s *sheet) ports(i int) {
	e, c := &s.g.Edges[i], s.runs[i].c
	s.port(c, e.AtFrom, 1)
	s.port(c.reversed(), e.AtTo, -1)
}

func (s *sheet) port(c curve, text string, side float64) {
	if text == "" {
		return
	}
	size := portSize * s.unit
	m := mark{half: point{textWidth(text, size, false) / 2, size / 2}, text: clean(text, maxLabel), size: size, ink: darkGrey}
	least := math.Inf(1)
	for _, way := range []float64{1.1, 1.8, 2.6, 3.4, 4.4, 5.6, 7, 9} {
		f := c.leaves(func(p point) bool { return p.sub(c[0]).len() < way*size }) / c.end()
		on, dir := c.along(f)
		n := dir.left()
		for _, turn := range []float64{side, -side} {
			room := max(0.62*size, math.Abs(n.x)*m.half.x+math.Abs(n.y)*m.half.y*0.8+1)
			at := on.add(n.times(turn * room))
			if cost := s.cost(at, m.half, nil); cost < least {
				least, m.at = cost, at
			}
		}
	}
	s.marks = append(s.marks, m)
}
