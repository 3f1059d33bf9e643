package figure

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// BrokenCycle draws a cycle of channels on an H/V graph that prohibited turns already break. Arcs
// show the prohibited turns of the cycle and, dashed, the turn spared, which need not be
// prohibited because of this cycle. In networks of more than Options.MaxSwitches only the switches
// of the cycle are drawn.
//
// After figure 10 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func BrokenCycle(g *hv.Graph, cycle []model.ChannelID, spared model.Turn, prohibited func(in, out model.ChannelID) bool, o Options) *Graph {
	focus := focusOf(g.Net, func(yield func(model.VCID)) {
		for _, ch := range cycle {
			yield(g.Net.VC(ch, 0))
		}
	})
	o.onHV, o.air = g, 18
	c := newCanvas(g.Net, o, focus.keep(g.Net, o), 0)
	for _, ch := range cycle {
		c.cover(ch)
		c.highlight(g.Net.Tail(ch))
	}
	c.cables(lightGrey, false)
	edge := make([]int, len(cycle))
	for i, ch := range cycle {
		from, to, _ := c.ends(ch)
		edge[i] = c.g.join(Edge{From: from, To: to, Label: strconv.Itoa(i + 1), Badge: true, Color: darkGrey, Width: 2.4, Arrow: true,
			Tooltip: fmt.Sprintf("%d: %s, %s", i+1, c.channelText(ch), g.Dir(ch))})
	}
	c.g.Legend.Head = []string{"channel", "direction", "turn to the next"}
	for i, ch := range cycle {
		k := (i + 1) % len(cycle)
		turn, is := g.ClassTurn(ch, cycle[k])
		r := Row{Mark: strconv.Itoa(i + 1), Color: darkGrey, Cells: []string{c.channelText(ch), g.Dir(ch).String(), "straight on"}}
		if is {
			r.Cells[2] = turn.String()
		}
		a := Arc{At: c.node[g.Net.Head(ch)], In: edge[i], Out: edge[k], Width: 2.4}
		switch {
		case model.ChannelID(spared.In) == ch && model.ChannelID(spared.Out) == cycle[k]:
			a.Color, a.Style = Blue, Dashed
			r.Cells[2] += ", need not be prohibited"
		case prohibited(ch, cycle[k]):
			a.Color = Vermillion
			r.Cells[2] += ", prohibited"
		default:
			a = Arc{}
		}
		if a.Color != "" {
			r.Color, a.Tooltip = a.Color, r.Cells[2]
			c.g.Arcs = append(c.g.Arcs, a)
		}
		c.g.Legend.Rows = append(c.g.Legend.Rows, r)
	}
	c.g.Notes = append(c.g.Notes, "A cycle that the prohibited turn (solid arc) breaks, "+
		"so that the conditional turn (dashed arc) on it need not be prohibited for it.")
	focus.note(c)
	return c.g
}
