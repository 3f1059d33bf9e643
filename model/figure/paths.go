package figure

import (
	"fmt"
	"strconv"
	"strings"

	"turnproof/model"
)

// maxPaths is how many paths of a pair are drawn.
const maxPaths = 12

// Paths draws the paths from one host to another on the network, each in its
// own colour with a letter and hop numbers. A path runs over switch-to-switch
// VCs; injection and ejection VCs may be part of it or not.
func Paths(n *model.Network, source, destination model.HostID, paths [][]model.VCID, o Options) *Graph {
	shown := paths[:min(len(paths), maxPaths)]
	focus := focusOf(n, func(yield func(model.VCID)) {
		yield(n.VC(n.InjectChannel(source), 0))
		yield(n.VC(n.EjectChannel(destination), 0))
		for _, p := range shown {
			for _, v := range p {
				yield(v)
			}
		}
	})
	c := newCanvas(n, o, focus.keep(n, o), 2)
	for u, in := range focus.in {
		if in {
			c.highlight(model.SwitchID(u))
		}
	}
	for _, p := range shown {
		for _, v := range p {
			ch, _ := n.Channel(v)
			c.cover(ch)
		}
	}
	c.cables(lightGrey, false)
	c.terminal(n.InjectChannel(source))
	c.terminal(n.EjectChannel(destination))
	c.g.Legend.Head = []string{"path", "hops"}
	for i, p := range shown {
		c.path(p, i)
	}
	c.countHosts()
	c.g.Notes = append(c.g.Notes, fmt.Sprintf("%s from %s to %s; letter and number: path and hop.",
		plural(len(paths), "path"), n.HostLabel(source), n.HostLabel(destination)))
	if len(paths) > len(shown) {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Drawn: the first %d of %d paths.", len(shown), len(paths)))
	}
	focus.note(c)
	return c.g
}

// terminal draws an injection or ejection channel, which all paths share.
func (c *canvas) terminal(ch model.ChannelID) {
	from, to, _ := c.ends(ch)
	h := &c.g.Nodes[c.host[c.n.HostOf(ch)]]
	h.Fill, h.Stroke, h.Strong = white, Black, true
	c.g.join(Edge{From: from, To: to, Color: Black, Width: 1.5, Arrow: true, Short: true, Tooltip: c.vcText(c.n.VC(ch, 0))})
}

// path draws path i and its line in the legend.
func (c *canvas) path(p []model.VCID, i int) {
	color, style := seriesAt(i)
	mark := letters(i)
	hop := 0
	var text []string
	for _, v := range p {
		ch, index := c.n.Channel(v)
		if c.n.Kind(ch) != model.SwitchToSwitch {
			continue
		}
		hop++
		if hop == 1 {
			text = append(text, c.n.SwitchLabel(c.n.Tail(ch)))
		}
		at := c.n.SwitchLabel(c.n.Head(ch))
		if c.o.showVC(c.n) {
			at = fmt.Sprintf("%s (%s %d)", at, c.o.vc(), index)
		}
		text = append(text, at)
		from, to, _ := c.ends(ch)
		c.g.join(Edge{From: from, To: to, Label: mark + strconv.Itoa(hop), Badge: true, Color: color, Style: style, Width: 2.4, Arrow: true,
			Tooltip: fmt.Sprintf("path %s, hop %d: %s", mark, hop, c.vcText(v))})
	}
	if len(text) == 0 {
		text = []string{"both hosts are on one switch"}
	}
	c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Mark: mark, Color: color, Cells: []string{strings.Join(text, " → "), strconv.Itoa(hop)}})
}

// letters names path i: A, B, ..., Z, AA, AB, ...
func letters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letters(i/26-1) + letters(i%26)
}
