package figure

// This file draws a sheet: title, notes and legend on top, then lines, nodes and labels in layers,
// so that no line crosses a node or a label.

// run computes the courses of lines and arcs, and the positions of labels.
func (s *sheet) run() {
	s.lines()
	s.bends()
	s.labels()
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

// writeRules draws the rules. The text of a rule is just before its start.
func (s *sheet) writeRules(b pen) {
	k := min(s.unit, 1.6)
	if s.fit > 0 {
		k = s.axes
	}
	for _, r := range s.rules {
		b.line(bowed(r.at[0], r.at[1], 0), ruleGrey, 0.8, Solid)
		d := r.at[1].sub(r.at[0]).unit()
		at := r.at[0].sub(point{d.x * (textWidth(r.text, ruleSize*k, false)/2 + 3), d.y * (ruleSize*k/2 + 2)})
		b.text(at, r.text, ruleSize*k, midGrey, false, true)
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

func (s *sheet) writeMark(b pen, i int) {
	m := &s.marks[i]
	b.item(m.tip, m.key, func() {
		if m.fill != "" {
			b.polygon(m.fill, "", 0, corners(m.at, m.half, 1)...)
		}
		b.text(m.at, m.text, m.size, m.ink, m.bold, true)
	})
}
