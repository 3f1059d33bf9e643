package figure

// This file fits a drawing to the column width of a paper. The type keeps its size and the
// distances between nodes shrink as far as labels, arcs and arrowheads allow. Panels are
// arranged in fewer columns, and the heading is wrapped into narrower lines.

import "slices"

// Type on paper. A drawing whose nodes stand too close already for that is drawn
// wider, and so its type smaller.
const (
	leastType  = 6.2 // points of the smallest type, that at the ends of lines
	fitMargin  = 3.0
	fitTitle   = 11.5 // sizes before the drawing is scaled to the paper
	fitText    = 9.5
	fitBadge   = 8.0
	fitRounds  = 8
	nodeGap    = 8.0 // between two nodes
	columnGap  = 5.0 // on an H/V graph, which has a column for each
	arcGap     = 4.0 // more, where there are arcs
	plainGap   = 1.0 // between a text and what stands beside it
	arrowSpace = 12.0
	upright    = 0.6 // rows are drawn together no more than that
)

// fitted returns the sheet of a graph as it is drawn for paper g.Width points wide, and
// how much of a point a point of the sheet is there.
func fitted(g *Graph, p *placement) (s *sheet, scale float64) {
	aim := g.Width * portSize / leastType
	p.badge = fitBadge
	for _, small := range []bool{false, true} {
		if small && g.Layout == Flow {
			break
		}
		t := fitIn(g, p, aim, small)
		if s == nil || t.across() < s.across() {
			s = t
		}
		if s.across() <= aim+0.5 {
			break
		}
	}
	if wide := s.across() / aim; wide > 1.01 && len(s.marks) > 0 { // lest badges are too small
		p.badge *= 1.08 * wide
		s = fitIn(g, p, aim, false)
	}
	s.axes = max(1, s.across()/aim) // lest they are smaller on paper than type may be
	return s, g.Width / max(s.across(), aim)
}

// fitIn draws nodes together until the drawing is no wider than aim, if it can be.
func fitIn(g *Graph, p *placement, aim float64, small bool) *sheet {
	h := *g
	h.Nodes = slices.Clone(g.Nodes)
	for i := range h.Nodes {
		if n := &h.Nodes[i]; small && n.Shape != Plain {
			n.Small, n.size = true, portSize
		} else if n.Small && p.badge > fitBadge {
			n.size = 1.08 * smallSize // a drawing that is wider than it should be
		} else if n.Shape == Plain && n.size > 0 {
			n.size = min(n.size, fitTitle) // the heading of a drawing beside another
		}
	}
	var best *sheet
	for columns := range h.arrangements() {
		r := h.arranged(columns)
		q := p.clone()
		for i := range r.Nodes {
			if q.half[i] = r.Nodes[i].half(); len(g.panels) > 0 {
				q.at[i] = point{r.Nodes[i].X * 72, -r.Nodes[i].Y * 72}
			}
		}
		if t := drawTogether(r, q, aim); best == nil || t.across() < best.across()-0.5 {
			best = t
		}
		if best.across() <= aim+0.5 {
			break
		}
	}
	return best
}

// drawTogether scales the places of nodes.
func drawTogether(g *Graph, p *placement, aim float64) (best *sheet) {
	closest := p.closest(g)
	lo, hi := p.corners()
	want := aim - 2*fitMargin
	k := min(1, want/max(hi.x-lo.x, 1))
	for range fitRounds {
		q := p.scaled(g.together(max(k, closest)))
		s := newSheet(g, q)
		s.fit = aim
		s.run()
		if best == nil || s.across() < best.across() {
			best = s
		}
		if s.across() <= aim+0.5 || k <= closest {
			break
		}
		lo, hi := s.extent()
		k = max(k*(1-1.1*(hi.x-lo.x-want)/max(hi.x-lo.x, 1)), closest)
	}
	return best
}

// across is how wide the drawing is with its margins, the heading left out, which
// takes the room that there is.
func (s *sheet) across() float64 {
	lo, hi := s.extent()
	return hi.x - lo.x + 2*fitMargin
}

func (p *placement) clone() *placement {
	q := &placement{at: slices.Clone(p.at), half: slices.Clone(p.half), splines: p.splines, scale: point{1, 1}, badge: p.badge}
	return q
}

// scaled returns the placement with all places drawn together.
func (p *placement) scaled(k point) *placement {
	q := p.clone()
	by := func(at point) point { return point{at.x * k.x, at.y * k.y} }
	for i := range q.at {
		q.at[i] = by(q.at[i])
	}
	q.scale, q.splines = k, make(map[int]curve, len(p.splines))
	for i, c := range p.splines {
		d := make(curve, len(c))
		for j, at := range c {
			d[j] = by(at)
		}
		q.splines[i] = d
	}
	return q
}
