package figure

// This file has the sheet while a drawing is built: its lines, labels, sizes, and the pen that draws it.
// svg.go has the pen for SVG, painter.go the one for PNG and PDF.

import (
	"math"
	"slices"
)

// ribbon is all lines between two nodes.
type ribbon struct {
	from, to int
	edges    []int     // from left to right, as seen from node from
	off      []float64 // offset of each line to the left of the middle
	half     float64   // thickness from the middle to either side
}

// pen draws on a sheet. All lengths are in points, with y downwards.
type pen interface {
	line(c curve, color Color, width float64, style Style)
	// polygon and ellipse draw an area with an outline, or without one if stroke is empty.
	polygon(fill, stroke Color, width float64, at ...point)
	ellipse(fill, stroke Color, width float64, at, half point)
	// text writes a line of text, vertically centred at at.y. Its left end is at at.x, or its
	// middle if centred.
	text(at point, s string, size float64, ink Color, bold, centred bool)
	// group draws a layer, item an object with its tooltip and key.
	group(name string, draw func())
	item(tip, key string, draw func())
}

// margin is the free space around the drawing, in points.
const margin = 14.0

// Sizes in a drawing for paper, before it is scaled to the paper.
const (
	fitMargin = 3.0
	fitTitle  = 11.5
	fitText   = 9.5
)

// sheet is a drawing while it is built. All lengths are in points.
type sheet struct {
	g     *Graph
	p     *placement
	fit   float64 // wanted width of a drawing for paper; 0: natural width
	axes  float64 // factor by which the texts of rules are larger in such a drawing
	unit  float64 // factor by which lines and labels are larger than in a small drawing
	runs  []run   // by edge: its course
	marks []mark
	arc   []run   // by arc: its course
	clear float64 // distance of arcs from the current node
	rules []rule
	holds []point // points that belong to the drawing, too
}

// run is the course of a line.
type run struct {
	c     curve   // complete, from node to node; nil if the line is not drawn
	off   float64 // offset of the line from the middle of its ribbon
	group *ribbon // its ribbon
}

// mark is a label or a cell of a strip of labels.
type mark struct {
	at   point // its centre
	half point
	text string
	size float64
	fill Color // empty: no background
	ink  Color
	bold bool
	tip  string
	key  string
}

// Drawings wider or higher than unitSide points are viewed from further away, so lines and labels
// grow with them.
const (
	unitSide = 900.0
	maxUnit  = 2.4
)

func newSheet(g *Graph, p *placement) *sheet {
	s := &sheet{g: g, p: p, runs: make([]run, len(g.Edges)), rules: newRules(g, p.scale)}
	lo, hi := s.extent()
	s.unit = min(max(max(hi.x-lo.x, hi.y-lo.y)/unitSide, 1), maxUnit)
	if g.Width > 0 {
		s.unit = 1
	}
	return s
}

// extent returns the corners of the drawing.
func (s *sheet) extent() (lo, hi point) {
	lo, hi = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	grow := func(p, half point) {
		lo = point{min(lo.x, p.x-half.x), min(lo.y, p.y-half.y)}
		hi = point{max(hi.x, p.x+half.x), max(hi.y, p.y+half.y)}
	}
	for i, at := range s.p.at {
		grow(at, s.p.half[i])
	}
	for _, q := range s.holds {
		grow(q, point{})
	}
	for _, r := range s.rules {
		for _, q := range r.at {
			grow(q, r.half(max(1, s.axes)))
		}
	}
	for _, r := range slices.Concat(s.runs, s.arc) {
		if r.c != nil {
			for _, q := range r.c.samples(16) {
				grow(q, point{4, 4})
			}
		}
	}
	for _, m := range s.marks {
		grow(m.at, m.half)
	}
	if lo.x > hi.x {
		return point{}, point{}
	}
	return lo, hi
}

// margin returns the free space around the drawing.
func (s *sheet) margin() float64 {
	if s.fit > 0 {
		return fitMargin
	}
	return margin
}

// move shifts the whole drawing.
func (s *sheet) move(by point) {
	for i := range s.p.at {
		s.p.at[i] = s.p.at[i].add(by)
	}
	for k := range s.rules {
		for i := range s.rules[k].at {
			s.rules[k].at[i] = s.rules[k].at[i].add(by)
		}
	}
	for _, list := range [][]run{s.runs, s.arc} {
		for _, r := range list {
			for i := range r.c {
				r.c[i] = r.c[i].add(by)
			}
		}
	}
	for i := range s.marks {
		s.marks[i].at = s.marks[i].at.add(by)
	}
}

// width returns the thickness at which a line is drawn.
func (s *sheet) width(e *Edge) float64 {
	w := e.Width
	if w == 0 {
		w = 1
	}
	if e.Arrow {
		w *= s.unit
	}
	return w
}

// dashes returns the lengths of a dash and a gap for a line of the given width, or nil if it is
// solid.
func (style Style) dashes(width float64) []float64 {
	switch style {
	case Dashed:
		return []float64{3.2 * width, 1.8 * width}
	case Dotted:
		return []float64{1.1 * width, 1.5 * width}
	}
	return nil
}

// head returns the length and half the width of an arrowhead at a line of the given width.
func head(width float64) (length, half float64) { return 3.6 + 1.8*width, 1.6 + 0.9*width }

// writeArrow draws a line, with an arrowhead if arrow is true.
func writeArrow(b pen, c curve, color Color, width float64, style Style, arrow bool) {
	if arrow {
		length, half := head(width)
		tip := c[len(c)-1]
		c = c.trimmed(length)
		defer arrowhead(b, color, tip, c[len(c)-1], half)
	}
	b.line(c, color, width, style)
}

// arrowhead draws a triangle.
func arrowhead(b pen, color Color, tip, base point, half float64) {
	side := tip.sub(base).left().times(half)
	b.polygon(color, "", 0, tip, base.add(side), base.sub(side))
}

// corners returns a box with its corners cut off.
func corners(at, half point, cut float64) []point {
	x, y := half.x, half.y
	list := []point{{x - cut, -y}, {x, cut - y}, {x, y - cut}, {x - cut, y}, {cut - x, y}, {-x, y - cut}, {-x, cut - y}, {cut - x, -y}}
	for i := range list {
		list[i] = list[i].add(at)
	}
	return list
}

// badgeSize returns the font size of labels.
func (s *sheet) badgeSize() float64 {
	if s.fit > 0 {
		return s.p.badge
	}
	return 9.5 * s.unit
}
