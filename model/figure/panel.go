package figure

// This file puts small pictures beside each other.

import "fmt"

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
