package figure

// This file computes by which factor the distances between nodes can be reduced. Texts, arcs,
// arrowheads and labels need space.

import "math"

// Gaps in a drawing on paper, in points.
const (
	nodeGap    = 8.0 // smallest gap between two nodes
	columnGap  = 5.0 // the same between the columns of an H/V graph
	arcGap     = 4.0 // additional gap at nodes with arcs
	plainGap   = 1.0 // gap between a text and its neighbours
	arrowSpace = 12.0
	upright    = 0.6 // smallest factor by which distances of rows are reduced
)

// closest returns the smallest factor that leaves enough space.
func (p *placement) closest(g *Graph) float64 {
	if g.Layout == Flow {
		return 1 // the layout has routed its lines for these positions
	}
	return p.closestLines(g, max(p.closestNodes(g), p.closestFrames(g)))
}

// closestLines returns the smallest factor, at least least, that leaves space along lines for
// arrowheads and labels.
func (p *placement) closestLines(g *Graph, least float64) float64 {
	labels := make(map[[2]int]int) // number of labels, by nodes from and to
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
		k := least
		for ; k <= 1; k += 0.01 {
			if t := g.together(k); p.need(e, point{d.x * t.x, d.y * t.y}, rows, abreast) <= math.Hypot(d.x*t.x, d.y*t.y) {
				break
			}
		}
		switch {
		case k <= 1:
			least = k
		case e.AtFrom != "" || e.AtTo != "": // texts at the ends need all of the space
			least = 1
		}
	}
	return least
}

// need returns the minimum length of a line in direction d with its ends, arrowhead and labels.
// The labels are in the given number of rows, with abreast labels in each.
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

// together returns the factor along each axis for an overall factor k.
func (g *Graph) together(k float64) point {
	if g.nested { // the heights of an H/V graph, whose axes are drawn, shrink less
		return point{k, max(k, upright)}
	}
	return point{k, k}
}

// closestFrames returns the smallest factor that keeps texts within the frames of their panels.
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
		r := g.Rules[f.rule : f.rule+4] // the four sides of the frame: top, bottom, left, right
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

// closestNodes returns the smallest factor that keeps nodes apart.
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
			if k > 1 { // these nodes are closer than that in the natural size, too
				k = apart(1)
			}
			if k <= 1 { // pairs that overlap in any case do not count
				least = max(least, k)
			}
		}
	}
	return least
}

// span returns the distance from the middle of a node to its outline in a direction.
func (p *placement) span(node int, d point) float64 {
	u, h := d.unit(), p.half[node]
	return min(h.x/max(math.Abs(u.x), 1e-6), h.y/max(math.Abs(u.y), 1e-6))
}
