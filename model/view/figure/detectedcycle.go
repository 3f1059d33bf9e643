package figure

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// DetectedCycle draws a cycle of numbered channels on an H/V graph. An arc shows the turn that is
// prohibited because of the cycle, and thin arcs show others, turns that stay allowed. In networks of more than Options.MaxSwitches only the switches
// of the cycle are drawn.
//
// After figure 11 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func DetectedCycle(g *hv.Graph, cycle []model.ChannelID, prohibited model.Turn, others []model.Turn, o Options) *Graph {
	in, _ := g.Net.Channel(prohibited.In)
	out, _ := g.Net.Channel(prohibited.Out)
	focus := focusOf(g.Net, func(yield func(model.VCID)) {
		for _, ch := range append(cycle[:len(cycle):len(cycle)], in, out) {
			yield(g.Net.VC(ch, 0))
		}
	})
	o.onHV, o.air = g, 18
	c := newCanvas(g.Net, o, focus.keep(g.Net, o), 0)
	for _, ch := range cycle {
		c.cover(ch)
		c.highlight(g.Net.Tail(ch))
	}
	c.cables(midGrey, false)
	edge := make(map[model.ChannelID]int, len(cycle))
	for i, ch := range cycle {
		from, to, _ := c.ends(ch)
		edge[ch] = c.g.join(Edge{From: from, To: to, Label: strconv.Itoa(i + 1), Badge: true, Color: Blue, Width: 3, Arrow: true,
			Tooltip: fmt.Sprintf("%d: %s, %s", i+1, c.channelText(ch), g.Dir(ch))})
	}
	shown := 0
	for _, t := range others {
		from, _ := g.Net.Channel(t.In)
		to, _ := g.Net.Channel(t.Out)
		shown += c.cycleArc(from, to, edge, Arc{Color: midGrey, Width: 1.2, Tooltip: fmt.Sprintf("allowed: %s, then %s", c.channelText(from),
			c.channelText(to))})
	}
	c.cycleArc(in, out, edge, Arc{Color: Vermillion, Width: 2.6, Tooltip: fmt.Sprintf("prohibited: %s, then %s", c.channelText(in), c.channelText(out))})
	c.detectedLegend(cycle, in, out)
	if shown > 0 {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Thin arcs: %s that the search does not prohibit.", plural(shown, "conditional turn")))
	}
	focus.note(c)
	return c.g
}

// cycleArc draws a turn as an arc, and returns the number of arcs. It starts and ends at the cycle's channels,
// if the turn is between these. Turns at switches that are left out are not drawn.
func (c *canvas) cycleArc(in, out model.ChannelID, edge map[model.ChannelID]int, a Arc) int {
	line := func(ch model.ChannelID) int {
		if i, ok := edge[ch]; ok {
			return i
		}
		if i, ok := edge[c.n.Reverse(ch)]; ok {
			return i
		}
		return c.line[ch/2]
	}
	for _, u := range []model.SwitchID{c.n.Tail(in), c.n.Head(in), c.n.Head(out)} {
		if c.node[u] < 0 {
			return 0
		}
	}
	if a.At, a.In, a.Out = c.node[c.n.Head(in)], line(in), line(out); a.In == a.Out {
		return 0
	}
	c.g.Arcs = append(c.g.Arcs, a)
	return 1
}

// channelText names a channel by the switches at its ends.
func (c *canvas) channelText(ch model.ChannelID) string {
	return c.n.SwitchLabel(c.n.Tail(ch)) + " → " + c.n.SwitchLabel(c.n.Head(ch))
}

// detectedLegend adds a legend with the channels of the cycle and the class turns between them.
func (c *canvas) detectedLegend(cycle []model.ChannelID, in, out model.ChannelID) {
	g := c.o.onHV
	c.g.Legend.Head = []string{"channel", "direction", "turn to the next"}
	for i, ch := range cycle {
		if i == maxRows && len(cycle) > maxRows+1 {
			c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Cells: []string{fmt.Sprintf("and %d more", len(cycle)-i), "", ""}})
			break
		}
		next := cycle[(i+1)%len(cycle)]
		turn, word := g.ClassTurn(ch, next)
		r := Row{Mark: strconv.Itoa(i + 1), Color: Blue, Cells: []string{c.channelText(ch), g.Dir(ch).String(), "straight on"}}
		if word {
			r.Cells[2] = turn.String()
		}
		if ch == in && next == out {
			r.Color = Vermillion
			r.Cells[2] += ", prohibited"
		}
		c.g.Legend.Rows = append(c.g.Legend.Rows, r)
	}
	what := "straight on"
	if t, ok := g.ClassTurn(in, out); ok {
		what = t.String()
	}
	note := fmt.Sprintf("A cycle of %s. The arc is the turn prohibited for it: %s at %s.", plural(len(cycle), "channel"), what, c.n.SwitchLabel(c.n.Head(in)))
	c.g.Notes = append(c.g.Notes, note, "Tree links are solid, cross links dashed; h: horizontal spread, d: depth.")
}
