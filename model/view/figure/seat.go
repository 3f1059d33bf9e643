package figure

import (
	"math"
	"slices"
)

// This file finds places for hosts beside switches whose places are known.

// Costs of a place for a host, relative to a point of distance from its switch.
const (
	overNode    = 1e6 // the host overlaps a node
	throughNode = 400 // its cable passes behind a node
	onLine      = 60  // the host is on a line
	overLine    = 25  // its cable crosses a line
	inward      = 12  // at most: the host is towards the middle of the drawing
)

// seat gives every node without a position that has a single neighbour a position beside it, if all other nodes have one. Hosts that
// overlap a node get another position, too. Of the places around the neighbour it takes the one that is clear of nodes and lines, and
// near. It costs time in proportion to nodes and lines for each of these nodes.
func (g *Graph) seat() {
	g.Nodes = slices.Clone(g.Nodes)
	g.unseat()
	at := make([]int, len(g.Nodes)) // by node without a position: its neighbour
	for i := range at {
		at[i] = -1
	}
	for _, e := range g.Edges {
		for _, ends := range [][2]int{{e.From, e.To}, {e.To, e.From}} {
			if i := ends[0]; !g.Nodes[i].Pinned {
				if at[i] >= 0 && at[i] != ends[1] {
					return
				}
				at[i] = ends[1]
			}
		}
	}
	for i := range g.Nodes {
		if !g.Nodes[i].Pinned && (at[i] < 0 || !g.Nodes[at[i]].Pinned) {
			return
		}
	}
	for i, j := range at {
		if j >= 0 {
			q := g.bestSeat(i, j)
			g.Nodes[i].Pinned, g.Nodes[i].X, g.Nodes[i].Y = true, q.x/72, q.y/72
		}
	}
}

// unseat takes the positions of hosts that overlap a node (of two hosts, the second one), or that hide an arrow.
func (g *Graph) unseat() {
	for i := range g.Nodes {
		if n := &g.Nodes[i]; n.Pinned && n.guest && (g.overlaps(i) || g.hides(i)) {
			n.Pinned = false
		}
	}
}

// overlaps reports whether host i overlaps a switch or an earlier host.
func (g *Graph) overlaps(i int) bool {
	n := &g.Nodes[i]
	for k := range g.Nodes {
		m := &g.Nodes[k]
		d, h := g.spot(i).sub(g.spot(k)), n.half().add(m.half())
		if k != i && m.Pinned && !(m.guest && k > i) && math.Abs(d.x) < h.x && math.Abs(d.y) < h.y {
			return true
		}
	}
	return false
}

// hides reports whether host i is on a straight arrow between two other nodes.
func (g *Graph) hides(i int) bool {
	return slices.ContainsFunc(g.Edges, func(e Edge) bool {
		return e.Arrow && e.From != i && e.To != i && g.Nodes[e.From].Pinned && g.Nodes[e.To].Pinned &&
			crossesBox(g.spot(e.From), g.spot(e.To), g.spot(i), g.Nodes[i].half())
	})
}

// seatAngles is the number of directions in which seat looks for a place.
const seatAngles = 24

// bestSeat returns the place of node i beside node j, in points, y upwards.
func (g *Graph) bestSeat(i, j int) (best point) {
	own, half, near := g.spot(j), g.Nodes[i].half(), g.Nodes[j].half()
	var middle point
	count := 0.0
	for k := range g.Nodes {
		if g.Nodes[k].Pinned {
			middle, count = middle.add(g.spot(k)), count+1
		}
	}
	out := own.sub(middle.times(1 / count)).unit()
	least := math.Inf(1)
	for _, far := range []float64{22, 30, 40, 60, 90, 130, 180, 250} {
		for a := range seatAngles {
			sin, cos := math.Sincos(2 * math.Pi * (float64(a) + 0.5) / seatAngles)
			r := min((half.x+near.x+far)/math.Abs(cos), (half.y+near.y+far)/math.Abs(sin))
			q := own.add(point{cos, sin}.times(r))
			cost := far + r/4 + inward*(1-cos*out.x-sin*out.y) + g.costAt(i, j, q)
			if cost < least-1e-9 {
				least, best = cost, q
			}
		}
		if least < far { // what is farther costs more
			break
		}
	}
	return best
}

// spot returns the position of a node in points, y upwards.
func (g *Graph) spot(i int) point { return point{g.Nodes[i].X * 72, g.Nodes[i].Y * 72} }

// costAt returns what it costs that node i beside node j is at q, and not in another place.
func (g *Graph) costAt(i, j int, q point) (cost float64) {
	const space = 10
	half, own := g.Nodes[i].half(), g.spot(j)
	for k := range g.Nodes {
		if k == i || !g.Nodes[k].Pinned {
			continue
		}
		at, h := g.spot(k), g.Nodes[k].half()
		if d := at.sub(q); math.Abs(d.x) < half.x+h.x+space && math.Abs(d.y) < half.y+h.y+space {
			cost += overNode
		}
		if k != j && crossesBox(own, q, at, h.add(point{3, 3})) {
			cost += throughNode
		}
	}
	for _, e := range g.Edges {
		if e.From == i || e.To == i || !g.Nodes[e.From].Pinned || !g.Nodes[e.To].Pinned {
			continue
		}
		a, b := g.spot(e.From), g.spot(e.To)
		if crossesBox(a, b, q, half.add(point{4, 4})) {
			cost += onLine
		}
		if e.From != j && e.To != j && cross(a, b, own, q) {
			cost += overLine
		}
	}
	return cost
}

// crossesBox reports whether the segment from a to b meets the box around at.
func crossesBox(a, b, at, half point) bool {
	from, to := 0.0, 1.0
	for _, axis := range [][3]float64{{a.x - at.x, b.x - a.x, half.x}, {a.y - at.y, b.y - a.y, half.y}} {
		x, d, h := axis[0], axis[1], axis[2]
		if d == 0 {
			if math.Abs(x) > h {
				return false
			}
			continue
		}
		s, t := (-h-x)/d, (h-x)/d
		from, to = max(from, min(s, t)), min(to, max(s, t))
	}
	return from <= to
}

// cross reports whether the segments from a to b and from c to d cross.
func cross(a, b, c, d point) bool {
	side := func(p, q, r point) float64 { return (q.x-p.x)*(r.y-p.y) - (q.y-p.y)*(r.x-p.x) }
	return side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0
}
