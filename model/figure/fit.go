package figure

// This file fits a drawing to the column of a paper. Type keeps its size and what stands
// between it is drawn together: nodes come as near to each other as their labels, arcs
// and arrowheads allow, pictures in frames are set in fewer columns, and the heading is
// broken into narrower lines.

import (
	"math"
	"slices"
)

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

// closest is the least factor that leaves room for everything.
func (p *placement) closest(g *Graph) float64 {
	if g.Layout == Flow {
		return 1 // its lines were led to the nodes where they stand
	}
	least := max(p.closestNodes(g), p.closestFrames(g))
	labels := make(map[[2]int]int) // by nodes from and to
	for i := range g.Edges {
		if e := &g.Edges[i]; e.Label != "" {
			labels[[2]int{e.From, e.To}]++
		}
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		if e.From == e.To || e.Style == Hidden {
			continue
		}
		d := p.at[e.To].sub(p.at[e.From])
		rows, abreast := 1, min(labels[[2]int{e.From, e.To}], maxStrip+1)
		if g.OwnLabels {
			rows, abreast = labels[[2]int{e.From, e.To}]+labels[[2]int{e.To, e.From}], 1
		}
		for k := least; ; k += 0.01 {
			if k > 1 {
				if e.AtFrom != "" || e.AtTo != "" { // there is no room to give away
					least = 1
				}
				break
			}
			if t := g.together(k); p.need(e, point{d.x * t.x, d.y * t.y}, rows, abreast) <= math.Hypot(d.x*t.x, d.y*t.y) {
				least = k
				break
			}
		}
	}
	return least
}

// need is how long a line in direction d must be for its ends, its head and its labels,
// which stand in so many rows of so many.
func (p *placement) need(e *Edge, d point, rows, abreast int) float64 {
	need, u := p.span(e.From, d)+p.span(e.To, d), d.unit()
	if e.Arrow {
		need += arrowSpace
	}
	if e.Label != "" {
		need += math.Abs(u.x)*(textWidth(clean(e.Label, maxLabel), p.badge, true)+4)*float64(abreast) + math.Abs(u.y)*1.3*p.badge*float64(rows)
	}
	if e.AtFrom != "" || e.AtTo != "" {
		wide := textWidth(e.AtFrom, portSize, false) + textWidth(e.AtTo, portSize, false) + 3
		need += math.Abs(u.x)*wide + math.Abs(u.y)*2.4*portSize
	}
	return need
}

// together is by how much places are drawn together along either axis.
func (g *Graph) together(k float64) point {
	if g.nested { // an H/V graph has axes of its own
		return point{k, max(k, upright)}
	}
	return point{k, k}
}

// closestFrames keeps texts within the frames of their panels.
func (p *placement) closestFrames(g *Graph) float64 {
	least := 0.0
	for i, f := range g.panels {
		end := len(g.Nodes)
		if i+1 < len(g.panels) {
			end = g.panels[i+1].node
		}
		if !f.ruled {
			continue
		}
		r := g.Rules[f.rule : f.rule+4] // above, below, to the left, to the right
		for k := f.node; k < end; k++ {
			if n := &g.Nodes[k]; n.Shape == Plain {
				for _, need := range []float64{
					p.half[k].x / 72 / max(n.X-r[2].X1, 1e-3), p.half[k].x / 72 / max(r[3].X1-n.X, 1e-3),
					p.half[k].y / 72 / max(r[0].Y1-n.Y, 1e-3), p.half[k].y / 72 / max(n.Y-r[1].Y1, 1e-3)} {
					if need <= 1 {
						least = max(least, need)
					}
				}
			}
		}
	}
	return least
}

// closestNodes keeps nodes apart.
func (p *placement) closestNodes(g *Graph) float64 {
	gap := nodeGap
	if g.nested {
		gap = columnGap
	}
	if len(g.Arcs) > 0 {
		gap += arcGap
	}
	bare := func(i int) bool { s := g.Nodes[i].Shape; return s == Plain || s == Point || s == Dot || s == Cross }
	least := 0.05
	for i := range p.at {
		for j := range i {
			space := gap
			if bare(i) || bare(j) {
				space = plainGap
			}
			d := p.at[i].sub(p.at[j])
			apart := func(space float64) float64 {
				x := (p.half[i].x + p.half[j].x + space) / max(math.Abs(d.x), 1e-3)
				y := (p.half[i].y + p.half[j].y + space) / max(math.Abs(d.y), 1e-3)
				return min(x, y)
			}
			k := apart(space)
			if k > 1 { // nearer than that on a screen, too
				k = apart(1)
			}
			if k <= 1 { // those that overlap anyhow have no say
				least = max(least, k)
			}
		}
	}
	return least
}

// span is how far a node extends from its middle in a direction.
func (p *placement) span(node int, d point) float64 {
	u, h := d.unit(), p.half[node]
	return min(h.x/max(math.Abs(u.x), 1e-6), h.y/max(math.Abs(u.y), 1e-6))
}

// frame is a panel of a graph: what is in it, and its size in inches.
type frame struct {
	node, rule int // the first of its own
	wide, high float64
	ruled      bool // its first four rules are its frame
}

// arrangements are the numbers of columns in which the panels can be set, from many to
// few; one arrangement if there are none.
func (g *Graph) arrangements() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if len(g.panels) == 0 {
			yield(0)
			return
		}
		for rows := 1; rows <= len(g.panels); rows++ {
			// No fewer columns than so many rows need, lest the last row is short.
			if k := (len(g.panels) + rows - 1) / rows; k <= g.inRow && !yield(k) {
				return
			}
		}
	}
}

// arranged returns the graph with its panels in so many columns.
func (g *Graph) arranged(columns int) *Graph {
	if len(g.panels) == 0 {
		return g
	}
	h := *g
	h.Nodes, h.Rules = slices.Clone(g.Nodes), slices.Clone(g.Rules)
	for i, f := range g.panels {
		x := float64(i%columns-i%g.inRow) * f.wide
		y := -float64(i/columns-i/g.inRow) * f.high
		nodes, rules := len(h.Nodes), len(h.Rules)
		if i+1 < len(g.panels) {
			nodes, rules = g.panels[i+1].node, g.panels[i+1].rule
		}
		for k := f.node; k < nodes; k++ {
			h.Nodes[k].X += x
			h.Nodes[k].Y += y
		}
		for k := f.rule; k < rules; k++ {
			r := &h.Rules[k]
			r.X1, r.X2, r.Y1, r.Y2 = r.X1+x, r.X2+x, r.Y1+y, r.Y2+y
		}
	}
	return &h
}
