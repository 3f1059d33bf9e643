package figure

// This file arranges small pictures (panels) side by side, in as many columns as fit.

import (
	"fmt"
	"slices"
)

// panel is a small picture in a frame. Its positions are in inches from its upper left corner, x
// to the right and y downwards.
type panel struct {
	g           *Graph
	name        string // prefix of the DOT names of its nodes
	left, upper float64
	nodes       int
}

// newPanel adds panel i with its frame; there are inRow panels in a row.
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

// put adds a node at a position in the panel.
func (p *panel) put(n Node, x, y float64) int {
	n.Name = fmt.Sprintf("%sn%d", p.name, p.nodes)
	p.nodes++
	n.Pinned, n.X, n.Y = true, p.left+x, p.upper-y
	return p.g.add(n)
}

// standing is whether a policy allows, conditionally prohibits or prohibits a class turn.
type standing uint8

const (
	allowed standing = iota
	conditional
	forbidden
)

// standings gives, by standing, how a turn is drawn and described.
var standings = [...]struct {
	color Color
	style Style
	word  string
}{
	allowed:     {darkGrey, Solid, "allowed"},
	conditional: {Blue, Dashed, "conditional"},
	forbidden:   {Vermillion, Solid, "prohibited"},
}

// frame records which part of a graph is a panel, and its size in inches.
type frame struct {
	node, rule int // index of its first node and of its first rule
	wide, high float64
	ruled      bool // whether its first four rules are its frame
}

// arrangements yields the possible numbers of columns of the panels, in descending order. Without
// panels it yields one number.
func (g *Graph) arrangements() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if len(g.panels) == 0 {
			yield(0)
			return
		}
		for rows := 1; rows <= len(g.panels); rows++ {
			// The smallest number of columns for this number of rows, so that the last row is not
			// too short.
			if k := (len(g.panels) + rows - 1) / rows; k <= g.inRow && !yield(k) {
				return
			}
		}
	}
}

// arranged returns the graph with its panels in the given number of columns.
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
