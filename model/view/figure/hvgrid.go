package figure

// This file places switches at their coordinates in an H/V graph: horizontal spread to the right,
// depth downwards, the root at the top.

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// Sizes of the grid, in inches.
const (
	hvWide             = 9.0 // width of a small network, if its columns allow it
	minColumn, maxRow  = 0.36, 5.0
	maxColumn, minRow  = 0.85, 1.25
	dotHVColumn        = 0.12
	maxShortName       = 12 // length of a name in runes, if there are many switches
	maxNamedHV         = 16 // largest number of switches that show full names
	maxCoordinates     = 64 // largest number of switches that show their coordinates
	maxColumnsNumbered = 100
)

// coordinates adds a switch's coordinates to its label or to its tooltip.
func (c *canvas) coordinates(x *Node, u model.SwitchID) {
	at := fmt.Sprintf("(%d,%d)", c.o.onHV.Spread[u], c.o.onHV.Depth[u])
	x.Tooltip += ", at " + at
	if c.n.NumSwitches() > maxNamedHV {
		x.Small = true
		x.Lines[0] = clean(x.Lines[0], maxShortName)
	}
	if c.o.coords && c.n.NumSwitches() <= maxCoordinates {
		x.Lines = append(x.Lines, at)
		x.Strong = u == c.o.onHV.Root
	}
}

// pinHV gives every switch its position on the grid and draws the axes.
func (c *canvas) pinHV() {
	h := c.o.onHV
	c.g.nested = true
	column, row := c.hvSteps()
	for u, i := range c.node {
		if i >= 0 {
			n := &c.g.Nodes[i]
			n.Pinned, n.X, n.Y = true, float64(h.Spread[u])*column, -float64(h.Depth[u])*row
		}
	}
	c.axes(column, row)
}

// hvSteps returns the width of a column and the height of a row, such that neighbouring switches
// do not touch.
func (c *canvas) hvSteps() (column, row float64) {
	h, least, air := c.o.onHV, minColumn, c.o.air
	switch {
	case c.dots:
		air = -6
	case c.n.NumSwitches() > 30:
		air /= 2
	}
	if c.dots {
		least = dotHVColumn
	}
	column = min(max(hvWide/float64(c.n.NumSwitches()), least), maxColumn)
	last := make(map[int32]model.SwitchID) // by depth: the last switch
	for _, u := range h.Preorder {
		if c.node[u] < 0 {
			continue
		}
		if v, ok := last[h.Depth[u]]; ok {
			need := c.g.Nodes[c.node[u]].half().x + c.g.Nodes[c.node[v]].half().x + 10 + air
			column = max(column, need/72/float64(h.Spread[u]-h.Spread[v]))
		}
		last[h.Depth[u]] = u
	}
	width := column * float64(c.n.NumSwitches())
	return column, min(max(0.45*width/float64(max(len(last)-1, 1)), minRow), maxRow)
}

// axes draws a numbered line for every spread and every depth.
func (c *canvas) axes(column, row float64) {
	spread, depth := 0, 0
	for u, i := range c.node {
		if i >= 0 {
			spread = max(spread, int(c.o.onHV.Spread[u]))
			depth = max(depth, int(c.o.onHV.Depth[u]))
		}
	}
	right, bottom := float64(spread)*column+0.32, -float64(depth)*row-0.4
	number := func(what string, i int) string {
		if i == 0 {
			return what + "=0"
		}
		return strconv.Itoa(i)
	}
	step := 1
	if spread > maxColumnsNumbered {
		step = 10
	}
	for h := 0; h <= spread; h += step {
		c.g.rule(float64(h)*column, 0.45, float64(h)*column, bottom, number("h", h))
	}
	for d := range depth + 1 {
		c.g.rule(-0.36, -float64(d)*row, right, -float64(d)*row, number("d", d))
	}
}
