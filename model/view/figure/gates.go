package figure

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Gates draws the channels that lead to channel out at its first switch: the straight channel
// as a thick line, and the channels that turn or start there. A cross marks a channel whose
// packets wait at a gate; has reports whether a channel into the switch has a gate. The drawing
// shows the switch and its neighbours.
//
// After figure 3 of Yokota, Ohkawa, Ootsu and Baba, flow limiting against congestion.
func Gates(n *model.Network, out, straight model.ChannelID, has func(in model.ChannelID) bool, o Options) *Graph {
	at := n.Tail(out)
	near := map[model.SwitchID]bool{at: true}
	for _, ch := range n.Out(at) {
		if v := n.Head(ch); v != model.NoSwitch {
			near[v] = true
		}
	}
	o.Hosts = HostsHidden
	c := newCanvas(n, o, func(u model.SwitchID) bool { return near[u] }, 1)
	c.highlight(at)
	main := c.join(out, Edge{Color: Blue, Width: 3, Arrow: true, Tooltip: "the way that is kept clear"})
	gated, free := 0, 0
	for _, back := range n.Out(at) {
		in := n.Reverse(back)
		if in == n.Reverse(out) {
			continue
		}
		look, what := Edge{Color: midGrey, Width: 1.8, Arrow: true}, "joins without a gate"
		switch {
		case in == straight:
			look.Color, look.Width, what = Blue, 3, "goes straight on"
		case has(in):
			gated++
			look.Color, what = Vermillion, "joins through a gate"
		default:
			free++
		}
		look.Tooltip = what
		i := c.join(in, look)
		if in != straight {
			arc := Arc{At: c.node[at], In: i, Out: main, Color: look.Color, Width: 2, Tooltip: what}
			if has(in) {
				arc.Style = Dashed
			}
			c.g.Arcs = append(c.g.Arcs, arc)
		}
	}
	c.g.Legend = Legend{Head: []string{"packets that", "channels"}, Rows: []Row{{Color: Blue, Cells: []string{"go straight on: nothing holds them back", "1"}},
		{Color: Vermillion, Cells: []string{"join them, dashed arc: at a gate they wait for the buffers ahead", fmt.Sprint(gated)}}}}
	if free > 0 {
		c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Color: midGrey, Cells: []string{"join them without a gate", fmt.Sprint(free)}})
	}
	return c.g
}

// join draws a channel and, if needed, its host.
func (c *canvas) join(ch model.ChannelID, e Edge) int {
	from, to, _ := c.ends(ch)
	e.From, e.To, e.Short = from, to, c.n.Kind(ch) != model.SwitchToSwitch
	return c.g.join(e)
}
