package figure

// This file puts small pictures beside each other, in as many columns as there is room for.

import (
	"fmt"
	"slices"
)

// panel is a small picture in a frame. Its places are in inches from its upper
// left corner, x to the right and y downwards.
type panel struct {
	g           *Graph
	name        string // what its nodes are called in DOT begins with it
	left, upper float64
	nodes       int
}

// newPanel adds the i-th panel, so many in a row, with its frame.
func newPanel(g *Graph, i, inRow int, wide, high float64) *panel {
	p := &panel{g: g, name: fmt.Sprintf("p%d", i), left: float64(i%inRow) * wide, upper: -float64(i/inRow) * high}
	g.inRow = inRow
	g.panels = append(g.panels, frame{node: len(g.Nodes), rule: len(g.Rules), wide: wide, high: high, ruled: true})
	const gap = 0.05
	x, y, r, b := p.left+gap, p.upper-gap, p.left+wide-gap, p.upper-high+gap
	g.rule(x, y, r, y, "")
	g.rule(x, b, r, b, "")
	g.rule(x, y, x, b, "")
	g.rule(r, y, r, b, "")
	return p
}

// put adds a node at a place in the panel.
func (p *panel) put(n Node, x, y float64) int {
	n.Name = fmt.Sprintf("%sn%d", p.name, p.nodes)
	p.nodes++
	n.Pinned, n.X, n.Y = true, p.left+x, p.upper-y
	return p.g.add(n)
}

// standing is what a policy says of a class turn.
type standing uint8

const (
	allowed standing = iota
	conditional
	forbidden
)

// standings describe them: how they are drawn, and in words.
var standings = [...]struct {
	color Color
	style Style
	word  string
}{
	allowed:     {darkGrey, Solid, "allowed"},
	conditional: {Blue, Dashed, "conditional"},
	forbidden:   {Vermillion, Solid, "prohibited"},
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
