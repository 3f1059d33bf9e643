package figure

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// maxDirLinks is the largest number of links for which every link shows the directions of its
// channels.
const maxDirLinks = 64

// Colours of links by the directions of their two channels.
const (
	colorLURD = Blue
	colorLDRU = Vermillion
)

// HV draws an H/V graph: each switch at its spread and depth, tree links solid, other links
// dashed. Each end of a link shows the direction of the channel that leaves there. The two
// channels of a link are either LU and RD or LD and RU; its colour shows which.
//
// After figures 3 and 4 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func HV(g *hv.Graph, o Options) *Graph {
	o.onHV, o.coords, o.air = g, true, 8
	c := newCanvas(g.Net, o, nil, 0)
	var count [2][2]int // number of links, by whether they are tree links and by colour
	for l := range model.LinkID(g.Net.NumLinks()) {
		e := c.hvLink(l)
		count[e.Style][btoi(e.Color == colorLDRU)]++
		c.g.join(e)
	}
	c.hvLegend(count)
	return c.g
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hvLink returns the edge of a link of an H/V graph.
func (c *canvas) hvLink(l model.LinkID) Edge {
	g, there := c.o.onHV, model.ChannelID(2*l)
	back := c.n.Reverse(there)
	e := Edge{From: c.node[c.n.Tail(there)], To: c.node[c.n.Head(there)], Color: colorLURD, Width: 1.6}
	what := "tree link"
	if !g.Has(there) {
		e.Style, e.Width, what = Dashed, 1.2, "cross link"
	}
	if d := g.Dir(there); !c.o.NoDirections && (d == hv.LD || d == hv.RU) {
		e.Color = colorLDRU
	}
	if c.n.NumLinks() <= maxDirLinks && !c.dots && !c.o.NoDirections {
		e.AtFrom, e.AtTo = g.Dir(there).String(), g.Dir(back).String()
	}
	if c.dots {
		e.Width = 0.5
	}
	u, v := c.n.SwitchLabel(c.n.Tail(there)), c.n.SwitchLabel(c.n.Head(there))
	e.Tooltip = fmt.Sprintf("%s, %s → %s %s, %s → %s %s", what, u, v, g.Dir(there), v, u, g.Dir(back))
	return e
}

func (c *canvas) hvLegend(count [2][2]int) {
	const coordinates = "(h,d): horizontal spread, which is the number in preorder, and depth below the root."
	if c.o.NoDirections {
		c.g.Notes = append(c.g.Notes, coordinates+fmt.Sprintf(" Solid: %s of the tree; dashed: %s.",
			plural(count[Solid][0], "link"), pluralOf(count[Dashed][0], "other", "others")))
		return
	}
	c.g.Legend = Legend{Head: []string{"links with channels", "tree (solid)", "cross (dashed)"}}
	for i, r := range []Row{
		{Color: colorLURD, Cells: []string{"LU: h and d smaller; RD: h and d larger"}},
		{Color: colorLDRU, Cells: []string{"LD: h smaller, d not smaller; RU: h larger, d not larger"}},
	} {
		r.Cells = append(r.Cells, fmt.Sprint(count[Solid][i]), fmt.Sprint(count[Dashed][i]))
		c.g.Legend.Rows = append(c.g.Legend.Rows, r)
	}
	place := coordinates
	if len(c.g.Edges) > 0 && c.g.Edges[0].AtFrom != "" {
		place += " At each end of a link: the direction of the channel that leaves there."
	}
	c.g.Notes = append(c.g.Notes, place)
}
