package figure

// This file writes the SVG: title, notes and legend on top, below them lines,
// nodes and labels in layers, so that no line crosses a node or a label. It is
// made of the few elements that repaint.go knows, and the same on every run.

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// margin is left free around the drawing, in points.
const margin = 14.0

// draw returns the SVG of a graph whose nodes have their places.
func draw(g *Graph, p *placement) []byte {
	if g.Width > 0 {
		s, scale := fitted(g, p)
		return s.write(scale)
	}
	s := newSheet(g, p)
	s.run()
	return s.write(1)
}

// run finds the way of everything that is not a node.
func (s *sheet) run() {
	s.lines()
	s.bends()
	s.labels()
	s.ties()
}

// sheet is a drawing in the making. All lengths are in points.
type sheet struct {
	g     *Graph
	p     *placement
	fit   float64 // how wide a drawing for paper is to be; 0: none
	axes  float64 // by how much rules are larger in such a drawing
	unit  float64 // by how much lines and labels are larger than in a small drawing
	runs  []run   // by edge
	marks []mark
	tie   []run
	arc   []run   // by arc
	clear float64 // how far arcs keep off the node at hand
	rules []rule
	bare  bool // for a page: see Inline
}

// run is a line as it is drawn.
type run struct {
	c     curve   // whole, from node to node; nil: not drawn
	off   float64 // of the line from the middle of its ribbon
	group *ribbon // that it belongs to
}

// mark is a label or a cell of a strip of labels.
type mark struct {
	at   point // its centre
	half point
	text string
	size float64
	fill Color // empty: none
	ink  Color
	bold bool
	tip  string
	key  string
}

// Drawings more than unitSide points wide or high will be looked at from
// further away, so that lines and labels grow with them.
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
	for _, r := range slices.Concat(s.runs, s.tie, s.arc) {
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

// page collects elements.
type page struct {
	strings.Builder
	bare bool // layers have classes in place of identifiers, and objects their keys
}

// margin is left free around the drawing.
func (s *sheet) margin() float64 {
	if s.fit > 0 {
		return fitMargin
	}
	return margin
}

// write returns the SVG, a point of it being so much of a point on paper.
func (s *sheet) write(scale float64) []byte {
	lo, hi := s.extent()
	margin := s.margin()
	var head, b page
	b.bare = s.bare
	w, h := s.heading(&head, hi.x-lo.x)
	width, height := max(max(hi.x-lo.x, w)+2*margin, s.fit), hi.y-lo.y+h+2*margin
	// The drawing stands in the middle below the heading.
	shift := point{width/2 - (lo.x+hi.x)/2, margin + h - lo.y}
	s.move(shift)
	if s.bare {
		fmt.Fprintf(&b, "<svg width=\"%spt\" height=\"%spt\" viewBox=\"0 0 %[1]s %[2]s\">\n", short(width), short(height))
	} else {
		fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<svg width=\"%spt\" height=\"%spt\" viewBox=\"0 0 %s %s\" xmlns=\"http://www.w3.org/2000/svg\">\n", short(width*scale), short(height*scale), short(width), short(height))
		b.title(s.g.Title)
		fmt.Fprintf(&b, "<polygon fill=\"#ffffff\" points=\"0,0 %[1]s,0 %[1]s,%[2]s 0,%[2]s\"/>\n", short(width), short(height))
	}
	b.WriteString(head.String())
	if len(s.rules) > 0 {
		b.group("rules", func() { s.writeRules(&b) })
	}
	b.group("lines", func() {
		for i := range s.g.Edges {
			s.writeLine(&b, i)
		}
	})
	b.group("nodes", func() {
		for i := range s.g.Nodes {
			s.writeNode(&b, i)
		}
	})
	if len(s.g.Arcs) > 0 {
		b.group("arcs", func() {
			for i := range s.g.Arcs {
				s.writeArc(&b, i)
			}
		})
	}
	b.group("ties", func() {
		for i, t := range s.g.Ties {
			b.item(t.Tooltip, t.Key, func() { s.writeArrow(&b, s.tie[i].c, t.Color.or(darkGrey), 1.1*s.unit, Solid, true) })
		}
	})
	b.group("labels", func() {
		for _, m := range s.marks {
			b.item(m.tip, m.key, func() { b.mark(m) })
		}
	})
	b.WriteString("</svg>\n")
	return []byte(b.String())
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
	for _, list := range [][]run{s.runs, s.tie, s.arc} {
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

func (s *sheet) writeLine(b *page, i int) {
	e := &s.g.Edges[i]
	if s.runs[i].c == nil {
		return
	}
	b.item(e.Tooltip, e.Key, func() {
		s.writeArrow(b, s.runs[i].c, e.Color.or(midGrey), s.width(e), e.Style, e.Arrow)
	})
}

// width is how thick a line is drawn.
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

// head returns length and half width of an arrowhead at a line so thick.
func head(width float64) (length, half float64) { return 3.6 + 1.8*width, 1.6 + 0.9*width }

// writeArrow draws a line and, where wanted, its head.
func (s *sheet) writeArrow(b *page, c curve, color Color, width float64, style Style, arrow bool) {
	if arrow {
		length, half := head(width)
		tip := c[len(c)-1]
		c = c.trimmed(length)
		defer b.arrowhead(color, tip, c[len(c)-1], half)
	}
	b.line(c, color, width, style)
}

// arrowhead draws a triangle.
func (b *page) arrowhead(color Color, tip, base point, half float64) {
	side := tip.sub(base).left().times(half)
	b.polygon(color, "", 0, tip, base.add(side), base.sub(side))
}

// line draws a curve without heads.
func (b *page) line(c curve, color Color, width float64, style Style) {
	fmt.Fprintf(b, "<path fill=\"none\" stroke=\"%s\"", color)
	b.num("stroke-width", width)
	switch style {
	case Dashed:
		fmt.Fprintf(b, " stroke-dasharray=\"%s,%s\"", short(3.2*width), short(1.8*width))
	case Dotted:
		fmt.Fprintf(b, " stroke-dasharray=\"%s,%s\"", short(1.1*width), short(1.5*width))
	}
	fmt.Fprintf(b, " d=\"M%s,%sC", short(c[0].x), short(c[0].y))
	for i, q := range c[1:] {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%s,%s", short(q.x), short(q.y))
	}
	b.WriteString("\"/>\n")
}

func (s *sheet) writeNode(b *page, i int) {
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
			fmt.Fprintf(b, "<ellipse fill=\"%s\" stroke=\"%s\"", n.Fill.or(white), stroke)
			for _, v := range []struct {
				key string
				v   float64
			}{{"stroke-width", width}, {"cx", at.x}, {"cy", at.y}, {"rx", half.x}, {"ry", half.y}} {
				b.num(v.key, v.v)
			}
			b.WriteString("/>\n")
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
			b.text(point{at.x, y}, clean(l, maxLabel), n.textSize(), ink, n.Strong && k == 0, "middle")
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

// short prints a length with at most two decimals.
func short(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func (b *page) num(key string, v float64) { fmt.Fprintf(b, " %s=\"%s\"", key, short(v)) }

func (b *page) title(tip string) {
	if tip != "" {
		b.WriteString("<title>" + markup(tip, maxTooltip) + "</title>\n")
	}
}

// group writes a layer, item an object with its tooltip.
func (b *page) group(name string, fill func()) {
	attribute := "id"
	if b.bare {
		attribute = "class"
	}
	fmt.Fprintf(b, "<g %s=\"%s\">\n", attribute, name)
	fill()
	b.WriteString("</g>\n")
}

func (b *page) item(tip, key string, fill func()) {
	if tip == "" {
		fill()
		return
	}
	if b.bare && key != "" {
		b.WriteString("<g data-key=\"" + html.EscapeString(key) + "\">\n")
	} else {
		b.WriteString("<g>\n")
	}
	b.title(tip)
	fill()
	b.WriteString("</g>\n")
}

func (b *page) polygon(fill, stroke Color, width float64, at ...point) {
	b.WriteString("<polygon")
	fmt.Fprintf(b, " fill=\"%s\"", fill)
	if stroke != "" {
		fmt.Fprintf(b, " stroke=\"%s\"", stroke)
		b.num("stroke-width", width)
	}
	b.WriteString(" points=\"")
	for i, p := range at {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(short(p.x) + "," + short(p.y))
	}
	b.WriteString("\"/>\n")
}

// text writes a line of text whose middle is at height at.y; it must be clean.
func (b *page) text(at point, s string, size float64, ink Color, bold bool, anchor string) {
	if strings.TrimSpace(s) == "" {
		return
	}
	fmt.Fprintf(b, "<text text-anchor=\"%s\"", anchor)
	b.num("x", at.x)
	b.num("y", at.y+0.35*size)
	fmt.Fprintf(b, " font-family=\"Helvetica,Arial,sans-serif\"")
	b.num("font-size", size)
	if bold {
		b.WriteString(" font-weight=\"bold\"")
	}
	fmt.Fprintf(b, " fill=\"%s\">%s</text>\n", ink, markup(s, maxTooltip))
}

func (b *page) mark(m mark) {
	if m.fill != "" {
		b.polygon(m.fill, "", 0, corners(m.at, m.half, 1)...)
	}
	b.text(m.at, m.text, m.size, m.ink, m.bold, "middle")
}
