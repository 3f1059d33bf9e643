package figure

// This file fits a drawing to the column width of a paper. The type keeps its size and the
// distances between nodes shrink as far as labels, arcs and arrowheads allow. Panels are
// arranged in fewer columns, and the heading is wrapped into narrower lines.

import "slices"

// If the nodes of a drawing are too close for its type, it is drawn wider and scaled down, which makes its type smaller.
const (
	leastType = 6.2 // points of the smallest type, used at the ends of lines
	fitBadge  = 8.0 // size before the drawing is scaled to the paper
	fitRounds = 8
)

// fitted returns the sheet of a graph drawn for paper of g.Width points, and the size in points on
// paper of a point of the sheet.
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
	if wide := s.across() / aim; wide > 1.01 && len(s.marks) > 0 { // otherwise badges would be too small
		p.badge *= 1.08 * wide
		s = fitIn(g, p, aim, false)
	}
	s.axes = max(1, s.across()/aim) // otherwise the numbers of axes would be smaller than the smallest type
	return s, g.Width / max(s.across(), aim)
}

// fitIn moves nodes closer until the drawing is at most aim wide, if that is possible.
func fitIn(g *Graph, p *placement, aim float64, small bool) *sheet {
	h := *g
	h.Nodes = slices.Clone(g.Nodes)
	for i := range h.Nodes {
		if n := &h.Nodes[i]; small && n.Shape != Plain {
			n.Small, n.size = true, portSize
		} else if n.Small && p.badge > fitBadge {
			n.size = 1.08 * smallSize // the drawing is wider than aim and will be scaled down
		} else if n.Shape == Plain && n.size > 0 {
			n.size = min(n.size, fitTitle) // the heading of one of two drawings side by side
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

// drawTogether reduces the distances between nodes.
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

// across returns the width of the drawing with its margins, without the heading, which is wrapped
// to the available width.
func (s *sheet) across() float64 {
	lo, hi := s.extent()
	return hi.x - lo.x + 2*fitMargin
}
