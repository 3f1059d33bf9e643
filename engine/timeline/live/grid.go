package live

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file draws a grid of one or two dimensions.
//
// If there is room, each switch is an o, and each link two characters: first the channel to the right
// or up, then the channel to the left or down. Links that wrap around are at the right and at the
// bottom. Otherwise each character is a block of switches, with the highest load of the channels out
// of them.

// grid returns the lines of a grid, or nil if the network is none or there is no room.
func (v *View) grid(width, height int) []string {
	g := v.n.Grid()
	if g == nil || g.Dims() > 2 {
		return nil
	}
	sides := append(append([]int(nil), g.Sides...), 1)
	wide, high := 3*sides[0]+2, 2*sides[1]
	if wide <= width && high < height {
		return append(v.links(g, sides[0], sides[1]), v.hint("o: switch; right of it: channels right, left; below: down, up"))
	}
	block := 1
	for 2*((sides[0]+block-1)/block) > width || (sides[1]+block-1)/block > height-1 {
		block++
	}
	text := "each mark is a switch"
	if block > 1 {
		text = fmt.Sprintf("each mark is a block of %dx%d switches", block, block)
	}
	return append(v.blocks(g, sides[0], sides[1], block), v.hint(text+" with the highest load of its outgoing channels"))
}

func (v *View) hint(text string) string { return v.paint(colours[0], text) }

// links draws each channel. Row 0 is at the top and has the largest second coordinate.
func (v *View) links(g *model.Grid, wide, high int) []string {
	rows := make([][]string, 2*high)
	for y := range rows {
		rows[y] = make([]string, 3*wide)
		for x := range rows[y] {
			rows[y][x] = " "
		}
	}
	for u := range model.SwitchID(v.n.NumSwitches()) {
		x, y := place(g, u)
		rows[2*(high-1-y)][3*x] = "o"
	}
	for c := range model.ChannelID(v.n.NumLinkChannels()) {
		x, y := place(g, v.n.Tail(c))
		nx, ny := place(g, v.n.Head(c))
		row, column, ok := cell(x, y, nx, ny, wide, high)
		if ok && (rows[row][column] == " " || v.frame.frozen[c]) {
			rows[row][column] = v.at(c)
		}
	}
	lines := make([]string, len(rows))
	for y := range rows {
		lines[y] = strings.TrimRight(strings.Join(rows[y], ""), " ")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" { // without links that wrap around
		lines = lines[:len(lines)-1]
	}
	return lines
}

// cell returns the place of the channel from one switch to another. ok is false if they are not
// neighbours.
func cell(x, y, nx, ny, wide, high int) (row, column int, ok bool) {
	forward := func(from, to, side int) bool { return to == from+1 || side > 2 && from == side-1 && to == 0 }
	switch {
	case y == ny && forward(x, nx, wide):
		return 2 * (high - 1 - y), 3*x + 1, true
	case y == ny && forward(nx, x, wide):
		return 2 * (high - 1 - y), 3*nx + 2, true
	case x == nx && forward(ny, y, high): // down: below the upper switch
		return below(y, high), 3 * x, true
	case x == nx && forward(y, ny, high):
		return below(ny, high), 3*x + 1, true
	}
	return 0, 0, false
}

// below returns the row below the switches with second coordinate y. Below the last row are the links
// that wrap around, which lead down from coordinate 0 to the largest one.
func below(y, high int) int { return 2*(high-1-y) + 1 }

// blocks draws a character for each block of switches.
func (v *View) blocks(g *model.Grid, wide, high, block int) []string {
	columns, rows := (wide+block-1)/block, (high+block-1)/block
	most, frozen := make([]float64, columns*rows), make([]bool, columns*rows)
	for c := range model.ChannelID(v.n.NumLinkChannels()) {
		x, y := place(g, v.n.Tail(c))
		i := (high-1-y)/block*columns + x/block
		most[i] = max(most[i], v.frame.load[c])
		frozen[i] = frozen[i] || v.frame.frozen[c]
	}
	var lines []string
	for y := range rows {
		var line strings.Builder
		for x := range columns {
			if i := y*columns + x; frozen[i] {
				line.WriteString(v.paint(frozenColour, "X") + " ")
			} else {
				line.WriteString(v.mark(level(most[i])) + " ")
			}
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return lines
}

// place returns the coordinates of a switch.
func place(g *model.Grid, u model.SwitchID) (x, y int) {
	if g.Dims() == 1 {
		return g.Coord(u, 0), 0
	}
	return g.Coord(u, 0), g.Coord(u, 1)
}
