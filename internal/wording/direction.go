package wording

import "github.com/turnproof/turnproof/model"

// This file names the directions of channels on grids.

// directions are the names of the plus and the minus direction of each dimension.
var directions = [][2]string{{"E", "W"}, {"N", "S"}, {"up", "down"}}

// Direction returns E, W, N, S, up or down for a channel between neighbours on a grid of up to three dimensions. It returns "" for
// other channels.
func Direction(n *model.Network, c model.ChannelID) string {
	g := n.Grid()
	if g == nil || g.Dims() > len(directions) || n.Kind(c) != model.SwitchToSwitch {
		return ""
	}
	d, plus, ok := g.PortDirection(n.TailPort(c))
	if !ok {
		return ""
	}
	step, name := -1, directions[d][1]
	if plus {
		step, name = 1, directions[d][0]
	}
	for k, side := range g.Sides { // ports of a file may not have the order of a grid
		want := g.Coord(n.Tail(c), k)
		if k == d {
			want = (want + step + side) % side
		}
		if g.Coord(n.Head(c), k) != want {
			return ""
		}
	}
	return name
}
