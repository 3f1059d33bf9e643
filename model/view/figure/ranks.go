package figure

// This file draws a numbering of the channels on the network, like the figures of papers that
// prove that channels cannot wait in a cycle (Dally and Seitz, IEEE TC 36(5), 1987).

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

const (
	ranksLength = 2.2 // inches between switches; longer than usual, since each line shows its number
	maxRanked   = 800 // largest number of VCs between switches whose numbers are legible
)

// Ranks draws each VC between switches as an arrow with its rank, in a colour for each VC
// number. ranks is indexed by VC; injection and ejection VCs may be missing. VCs with a
// negative rank are thin and grey: in a routing with an escape, these are the other VCs.
func Ranks(n *model.Network, ranks []int32, o Options) *Graph {
	o.spacing = ranksLength
	c := newCanvas(n, o, nil, 0)
	c.g.Length = max(c.g.Length, ranksLength)
	c.g.OwnLabels = true
	labels := n.NumLinkVCs() <= maxRanked
	for ch := range model.ChannelID(n.NumLinkChannels()) {
		c.cover(ch)
		from, to, _ := c.ends(ch)
		for i := range n.VCs() {
			if o.OnlyVC > 0 && i != o.OnlyVC-1 {
				continue
			}
			v := n.VC(ch, i)
			e := Edge{From: from, To: to, Arrow: true, Color: lightGrey, Width: 0.8, Tooltip: c.vcText(v) + ": no number"}
			if r := ranks[v]; r >= 0 {
				e.Color, e.Style = SeriesAt(i)
				e.Width, e.Tooltip = 1.6, c.vcText(v)+": "+c.rankText(ranks, v)
				if labels {
					e.Label, e.Badge = c.rankText(ranks, v), true
				}
			}
			c.g.join(e)
		}
	}
	if o.Hosts != HostsHidden {
		c.countHosts()
	}
	c.ranksLegend(ranks)
	if !labels {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("%d channels are too many for numbers.", n.NumLinkVCs()))
	}
	return c.g
}

// ranksLegend adds a legend with the number of channels that have a rank, for each VC number.
func (c *canvas) ranksLegend(ranks []int32) {
	c.g.Legend.Head = []string{"channels", "with a number", "from", "to"}
	none := 0
	for i := range c.n.VCs() {
		if c.o.OnlyVC > 0 && i != c.o.OnlyVC-1 {
			continue
		}
		count, lo, hi := 0, model.VCID(0), model.VCID(0)
		for ch := range model.ChannelID(c.n.NumLinkChannels()) {
			v := c.n.VC(ch, i)
			if ranks[v] < 0 {
				none++
				continue
			}
			if count == 0 || ranks[v] < ranks[lo] {
				lo = v
			}
			if count == 0 || ranks[v] > ranks[hi] {
				hi = v
			}
			count++
		}
		row := Row{Color: lightGrey, Cells: []string{fmt.Sprintf("%s %d", c.o.vc(), i), fmt.Sprintf("%d of %d", count, c.n.NumLinkChannels()), "–", "–"}}
		if count > 0 {
			row.Color, _ = SeriesAt(i)
			row.Cells[2], row.Cells[3] = c.rankText(ranks, lo), c.rankText(ranks, hi)
		}
		c.g.Legend.Rows = append(c.g.Legend.Rows, row)
	}
	if none > 0 {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Thin and grey: %s without a number.", plural(none, "channel")))
	}
}

// rankText returns the label of VC v.
func (c *canvas) rankText(ranks []int32, v model.VCID) string {
	if c.o.RankTexts != nil {
		return c.o.RankTexts[v]
	}
	return strconv.Itoa(int(ranks[v]))
}
