package figure

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// sumSteps are the steps of a sum over a grid of two dimensions, by dimension.
var sumSteps = [2][2]struct {
	color Color
	words string
}{
	{{Vermillion, "1: sums along the rows"}, {Orange, "2: sent back along the rows"}},
	{{Blue, "3: sums of these along the columns"}, {SkyBlue, "4: sent back along the columns"}},
}

// Sums draws the paths of the control information by which every switch of a two-dimensional grid
// computes a sum over all switches. It travels along the rows to the highest coordinate and back,
// then along the columns in the same manner. Wraparound channels carry none of it.
//
// After figure 1 of Yokota, Ohkawa, Ootsu and Baba, flow limiting against congestion.
func Sums(n *model.Network, o Options) (*Graph, error) {
	g := n.Grid()
	if g == nil || g.Dims() != 2 {
		return nil, fmt.Errorf("figure: sums along rows and columns are drawn on grids of two dimensions")
	}
	o.Hosts = HostsHidden
	c := newCanvas(n, o, nil, 0)
	c.g.Layout = Straight
	for l := range model.LinkID(n.NumLinks()) {
		for _, ch := range []model.ChannelID{model.ChannelID(2 * l), model.ChannelID(2*l) + 1} {
			u, v := n.Tail(ch), n.Head(ch)
			d, plus, ok := g.PortDirection(n.TailPort(ch))
			if !ok || plus != (g.Coord(v, d) > g.Coord(u, d)) {
				continue // a wraparound channel
			}
			step := sumSteps[d][btoi(!plus)]
			c.g.join(Edge{From: c.node[u], To: c.node[v], Color: step.color, Width: 1.6, Arrow: true, Tooltip: step.words})
		}
	}
	c.g.Legend.Head = []string{"control channels, in steps"}
	for _, dim := range sumSteps {
		for _, s := range dim {
			c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Color: s.color, Cells: []string{s.words}})
		}
	}
	return c.g, nil
}
