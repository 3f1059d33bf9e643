package figure

// This file draws a sheet: title, notes and legend on top, then lines, nodes and labels in layers,
// so that no line crosses a node or a label. It draws with a pen: svg.go has the one for SVG,
// painter.go the one for PNG and PDF.

import (
	"math"
	"slices"
)

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

// newDrawing returns the complete sheet of a graph whose nodes have positions, and the size in
// points on paper of a point of the sheet.
func newDrawing(g *Graph, p *placement) (s *sheet, scale float64) {
	if g.Width > 0 {
		return fitted(g, p)
	}
	s = newSheet(g, p)
	s.run()
	return s, 1
}

// run computes the courses of lines and arcs, and the positions of labels.
func (s *sheet) run() {
	s.lines()
	s.bends()
	s.labels()
}

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

// compose moves the drawing to the middle below the heading and returns the heading and
// the size of the sheet.
func (s *sheet) compose() (h *heading, size point) {
	lo, hi := s.extent()
	margin := s.margin()
	h = s.newHeading(hi.x - lo.x)
	size = point{max(max(hi.x-lo.x, h.width)+2*margin, s.fit), hi.y - lo.y + h.height + 2*margin}
	s.move(point{size.x/2 - (lo.x+hi.x)/2, margin + h.height - lo.y})
	return h, size
}

// drawTo draws everything with the pen.
func (s *sheet) drawTo(b pen, h *heading) {
	h.drawTo(b)
	if len(s.rules) > 0 {
		b.group("rules", func() { s.writeRules(b) })
	}
	b.group("lines", func() { each(len(s.g.Edges), func(i int) { s.writeLine(b, i) }) })
	b.group("nodes", func() { each(len(s.g.Nodes), func(i int) { s.writeNode(b, i) }) })
	if len(s.g.Arcs) > 0 {
		b.group("arcs", func() { each(len(s.g.Arcs), func(i int) { s.writeArc(b, i) }) })
	}
	b.group("labels", func() { each(len(s.marks), func(i int) { s.writeMark(b, i) }) })
}

func each(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
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

func (s *sheet) writeLine(b pen, i int) {
	e := &s.g.Edges[i]
	if s.runs[i].c == nil {
		return
	}
	b.item(e.Tooltip, e.Key, func() {
		writeArrow(b, s.runs[i].c, e.Color.or(midGrey), s.width(e), e.Style, e.Arrow)
	})
}

func (s *sheet) writeMark(b pen, i int) {
	m := &s.marks[i]
	b.item(m.tip, m.key, func() {
		if m.fill != "" {
			b.polygon(m.fill, "", 0, corners(m.at, m.half, 1)...)
		}
		b.text(m.at, m.text, m.size, m.ink, m.bold, true)
	})
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

func (s *sheet) writeNode(b pen, i int) {
	n, at, half := &s.g.Nodes[i], s.p.at[i], s.p.half[i]
	if n.Shape == Point {
		return
	}
	stroke, width := n.Stroke.or(midGrey), 1.0
	if n.Strong {
		width = 2.2
	}
	b.item(n.Tooltip, n.Name, func() {
		switch n.Shape {
		case Plain:
		case Cross:
			for _, d := range []point{half, {half.x, -half.y}} {
				b.line(bowed(at.sub(d), at.add(d), 0), white, 5, Solid)
			}
			for _, d := range []point{half, {half.x, -half.y}} {
				b.line(bowed(at.sub(d), at.add(d), 0), stroke, 2.6, Solid)
			}
		case Ellipse, Dot:
			b.ellipse(n.Fill.or(white), stroke, width, at, half)
		default:
			cut := 3.0
			if n.Shape == Octagon {
				cut = 6
			}
			b.polygon(n.Fill.or(white), stroke, width, corners(at, half, cut)...)
		}
		if n.Shape == Dot || n.Shape == Cross {
			return
		}
		ink := Black
		if n.Shape != Plain {
			ink = n.Fill.or(white).ink()
		}
		for k, l := range n.Lines {
			y := at.y + (float64(k)-float64(len(n.Lines)-1)/2)*leading*n.textSize()
			b.text(point{at.x, y}, clean(l, maxLabel), n.textSize(), ink, n.Strong && k == 0, true)
		}
	})
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
