package figure

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// This file gives several drawings of a network the same places, so that a reader who knows one of them knows all.

// likeNetwork lets the layout place nodes where the drawing of the network alone has them. It does nothing if the positions of switches
// are known without Graphviz, or if some switches are left out.
func (c *canvas) likeNetwork() {
	if c.o.Position == nil && c.o.onHV == nil && c.level == nil && !c.dots && !slices.Contains(c.node, -1) {
		c.g.base = Network(c.n, Options{LIDs: c.o.LIDs})
	}
}

// pinLike gives each node the position of the node with its name in another graph, whose placement is p. A node with a position and another
// name keeps its distance from a neighbour. Nodes of the graph itself do not change.
func (g *Graph) pinLike(other *Graph, p *placement) {
	at := make(map[string]int, len(other.Nodes))
	for i := range other.Nodes {
		at[other.Nodes[i].Name] = i
	}
	old := g.Nodes
	g.Nodes = slices.Clone(old)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if k, ok := at[n.Name]; ok {
			n.Pinned, n.X, n.Y = true, p.at[k].x/72, -p.at[k].y/72
		}
	}
	for _, e := range g.Edges {
		for _, ends := range [][2]int{{e.From, e.To}, {e.To, e.From}} {
			i, near := ends[0], ends[1]
			_, known := at[g.Nodes[i].Name]
			if _, ok := at[g.Nodes[near].Name]; known || !ok || !old[i].Pinned {
				continue
			}
			g.Nodes[i].X = old[i].X + g.Nodes[near].X - old[near].X
			g.Nodes[i].Y = old[i].Y + g.Nodes[near].Y - old[near].Y
		}
	}
}

// InlineAlike returns the drawings of several graphs as Inline does. They have the same size, and nodes of the same name are at the same
// place as in the first drawing, which should have all nodes of the others. The width is that of each drawing, in points.
func InlineAlike(ctx context.Context, graphs ...*Graph) (drawings [][]byte, width float64, err error) {
	var sheets []*sheet
	for i, g := range graphs {
		alone := *g
		alone.Title, alone.Notes, alone.Legend = "", nil, Legend{}
		if i == 0 {
			alone.foresee(graphs[1:])
		} else {
			alone.pinLike(sheets[0].g, sheets[0].p)
			for k := range alone.Nodes { // they stay
				alone.Nodes[k].guest = false
			}
		}
		p, err := alone.place(ctx)
		if err != nil {
			return nil, 0, fmt.Errorf("figure: %w", err)
		}
		if i > 0 {
			p.shiftLike(&alone)
		}
		s := newSheet(&alone, p)
		s.run()
		sheets = append(sheets, s)
	}
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, s := range sheets {
		a, b := s.extent()
		lo, hi = point{min(lo.x, a.x), min(lo.y, a.y)}, point{max(hi.x, b.x), max(hi.y, b.y)}
	}
	for _, s := range sheets {
		s.holds = []point{lo, hi}
		drawings = append(drawings, s.svg(1, true))
	}
	return drawings, hi.x - lo.x, nil
}

// foresee adds the arrows of other graphs between nodes of the same names, invisible, so that hosts keep clear of them.
func (g *Graph) foresee(others []*Graph) {
	at := make(map[string]int, len(g.Nodes))
	for i := range g.Nodes {
		at[g.Nodes[i].Name] = i
	}
	g.Edges = slices.Clone(g.Edges)
	for _, o := range others {
		for _, e := range o.Edges {
			from, ok := at[o.Nodes[e.From].Name]
			to, also := at[o.Nodes[e.To].Name]
			if ok && also && e.Arrow {
				g.join(Edge{From: from, To: to, Arrow: true, Style: Hidden, Loose: true})
			}
		}
	}
}

// shiftLike moves the placement such that pinned nodes are at their positions. Graphviz moves its drawings.
func (p *placement) shiftLike(g *Graph) {
	for i := range g.Nodes {
		if n := &g.Nodes[i]; n.Pinned {
			by := point{n.X * 72, -n.Y * 72}.sub(p.at[i])
			for k := range p.at {
				p.at[k] = p.at[k].add(by)
			}
			return
		}
	}
}
