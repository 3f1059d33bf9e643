package figure

// This file places the switches of a layered network in rows. Switches that are connected without
// links within a level form a block. Two connected blocks are above each other, with the connected
// rows facing each other. The pods of a very wide tree are folded: half of them are below the top
// row and half above it. Rows that are still too long are staggered.

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Largest number of switches side by side, and the space of each in inches.
const (
	rowBoxes, rowDots      = 40, 160
	dotColumn              = 0.125
	boxStagger, dotStagger = 0.5, 0.14
)

// block is a connected part of a layered network, in rows.
type block struct {
	rows  [][]model.SwitchID // by level: its switches
	up    [][]model.SwitchID // by level: pods folded above the top row
	lines int                // number of rows to draw
	width float64
	flip  bool // whether level 0 is on top
}

// placeRows gives every drawn switch of a layered network its position. Each switch of the lowest
// row gets room for the given number of hosts below it.
func (c *canvas) placeRows(hosts int) {
	c.flip = make([]bool, c.n.NumSwitches())
	var list []model.SwitchID
	for u := range model.SwitchID(c.n.NumSwitches()) {
		list = append(list, u)
	}
	slices.SortStableFunc(list, func(u, v model.SwitchID) int {
		return compareNames(c.n.SwitchLabel(u), c.n.SwitchLabel(v))
	})
	var blocks []*block
	width, lines := 0.0, 0
	for _, part := range c.groups(list, maxLevels) {
		part = slices.DeleteFunc(part, func(u model.SwitchID) bool { return c.node[u] < 0 })
		if len(part) > 0 {
			b := c.newBlock(part, hosts)
			blocks = append(blocks, b)
			width, lines = max(width, b.width), max(lines, b.lines)
		}
	}
	if len(blocks) == 2 {
		lines = blocks[0].lines + blocks[1].lines
		down := c.joinedLow(blocks[0])
		blocks[0].flip, blocks[1].flip = down, !down
	}
	if len(blocks) > 2 && c.star(blocks) {
		c.placeStar(blocks)
		return
	}
	gap := min(max(0.62*width/float64(max(lines-1, 1)), 1.4), 5)
	x, y := 0.0, 0.0
	for _, b := range blocks {
		if len(blocks) == 2 { // two blocks are above each other
			c.placeBlock(b, 0, y, width, gap)
			y += float64(b.lines) * gap
		} else {
			c.placeBlock(b, x, 0, b.width, gap)
			x += b.width + 0.6
		}
	}
}

// star moves the largest block to the front and reports whether all others are connected with it,
// and only with it.
func (c *canvas) star(blocks []*block) bool {
	slices.SortStableFunc(blocks, func(a, b *block) int { return b.size() - a.size() })
	of := make(map[model.SwitchID]int)
	for i, b := range blocks {
		for _, row := range slices.Concat(b.rows, b.up) {
			for _, u := range row {
				of[u] = i
			}
		}
	}
	joined := make([]bool, len(blocks))
	for l := range model.LinkID(c.n.NumLinks()) {
		switch k := c.n.Link(l); {
		case of[k.A] == of[k.B]:
		case of[k.A] > 0 && of[k.B] > 0:
			return false
		default:
			joined[of[k.A]], joined[of[k.B]] = true, true
		}
	}
	return !slices.Contains(joined, false)
}

func (b *block) size() (switches int) {
	for _, row := range slices.Concat(b.rows, b.up) {
		switches += len(row)
	}
	return switches
}

// placeStar places the first block below the others, which are side by side.
func (c *canvas) placeStar(blocks []*block) {
	width, lines := -0.6, 0
	for _, b := range blocks[1:] {
		width, lines = width+b.width+0.6, max(lines, b.lines)
	}
	hub := blocks[0]
	width, lines = max(width, hub.width), lines+hub.lines
	gap := min(max(0.62*width/float64(max(lines-1, 1)), 1.4), 5)
	hub.flip = c.joinedLow(hub)
	c.placeBlock(hub, 0, 0, width, gap)
	x := 0.0
	for _, b := range blocks[1:] {
		b.flip = !hub.flip
		c.placeBlock(b, x, float64(hub.lines)*gap, b.width, gap)
		x += width / float64(len(blocks)-1)
	}
}

// joinedLow reports whether the links to other blocks leave a block more from its lower half than
// from its upper half.
func (c *canvas) joinedLow(b *block) bool {
	low, high := 0, 0
	for l, row := range b.rows {
		for _, u := range row {
			for _, ch := range c.n.Out(u) {
				if v := c.n.Head(ch); v != model.NoSwitch && c.level[v] == l {
					if 2*l < len(b.rows)-1 {
						low++
					} else {
						high++
					}
				}
			}
		}
	}
	return low > high
}

func (c *canvas) newBlock(part []model.SwitchID, hosts int) *block {
	top, widest := 0, make([]int, maxLevels)
	for _, u := range part {
		top = max(top, c.level[u])
		widest[c.level[u]]++
	}
	b := &block{lines: top + 1}
	pods := c.groups(part, top)
	if most := slices.Max(widest); most > c.perLine() && len(pods) >= 4 {
		half := (len(pods) + 1) / 2
		b.up = c.rows(slices.Concat(pods[half:]...), top)
		part = slices.DeleteFunc(part, func(u model.SwitchID) bool {
			return slices.ContainsFunc(b.up, func(row []model.SwitchID) bool { return slices.Contains(row, u) })
		})
		b.lines += top
	}
	b.rows = c.rows(part, top+1)
	for _, rows := range [][][]model.SwitchID{b.rows, b.up} {
		for l, row := range rows {
			b.width = max(b.width, float64(len(row))*c.columnWidth(row, l, hosts)/float64(c.linesOf(row)))
		}
	}
	return b
}

// perLine returns the largest number of switches in a line. A longer row is staggered in several
// lines.
func (c *canvas) perLine() int {
	if c.dots {
		return rowDots
	}
	return rowBoxes
}

func (c *canvas) linesOf(row []model.SwitchID) int {
	return max((len(row)+c.perLine()-1)/c.perLine(), 1)
}

// rows returns the switches of list below level top in rows, by level, each row in order.
func (c *canvas) rows(list []model.SwitchID, top int) [][]model.SwitchID {
	rows := make([][]model.SwitchID, top)
	for _, u := range c.gather(list, top-1) {
		rows[c.level[u]] = append(rows[c.level[u]], u)
	}
	place := make([]int, c.n.NumSwitches()) // by switch: its index in its row
	for l, row := range rows {
		if l > 0 {
			c.byMean(row, place, l)
		}
		for i, u := range row {
			place[u] = i
		}
	}
	return rows
}

// placeBlock places a block with its lower left corner at x, y.
func (c *canvas) placeBlock(b *block, x, y, width, gap float64) {
	put := func(row []model.SwitchID, line int, flip bool) {
		k, step := c.linesOf(row), boxStagger
		if c.dots {
			step = dotStagger
		}
		for i, u := range row {
			n := &c.g.Nodes[c.node[u]]
			n.Pinned, n.X = true, x+(float64(i)+0.5)*width/float64(len(row))
			n.Y = y + float64(line)*gap + (float64(i%k)-float64(k-1)/2)*step
			c.flip[u] = flip
		}
	}
	for l, row := range b.rows {
		line := l
		if b.flip {
			line = b.lines - 1 - l
		}
		put(row, line, b.flip)
	}
	for l, row := range b.up {
		line := b.lines - 1 - l
		if b.flip {
			line = l
		}
		put(row, line, !b.flip)
	}
}

// hostStep returns the distance of two hosts in a row below a switch in inches, of which half is half the width.
func (c *canvas) hostStep(half float64) float64 {
	return max(0.5, half+0.3, 2*max(half, c.widest)+0.08)
}

// columnWidth returns the width in inches that a switch of a row needs.
func (c *canvas) columnWidth(row []model.SwitchID, l, hosts int) float64 {
	if c.dots {
		return dotColumn
	}
	w := 0.0
	for _, u := range row {
		n := c.g.Nodes[c.node[u]]
		if c.hosts[u] > 0 {
			n.Lines = append(slices.Clone(n.Lines), plural(c.hosts[u], "host"))
		}
		w = max(w, n.half().x/36+0.1+c.o.air/72)
	}
	if l == 0 {
		w = max(w, c.hostStep(c.widest)*float64(hosts)+0.15)
	}
	return w
}
