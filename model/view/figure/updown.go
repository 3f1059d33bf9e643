package figure

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// UpDown draws the directed graph of up*/down* routing: each link has an arrow in its up
// direction. Tree links of g are solid, others dashed, and switches are at their depth. up is
// indexed by channel between switches.
//
// After figure 1 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func UpDown(g *hv.Graph, up []bool, o Options) *Graph {
	o.onHV, o.air = g, 8
	c := newCanvas(g.Net, o, nil, 0)
	count := [2]int{} // number of tree links and of others
	for l := range model.LinkID(g.Net.NumLinks()) {
		ch := model.ChannelID(2 * l)
		if !up[ch] {
			ch = g.Net.Reverse(ch)
		}
		e := Edge{From: c.node[g.Net.Tail(ch)], To: c.node[g.Net.Head(ch)], Color: Blue, Width: 1.6, Arrow: true}
		what := "tree link"
		if !g.Has(ch) {
			e.Color, e.Style, what = Vermillion, Dashed, "other link"
		}
		count[e.Style]++
		e.Tooltip = fmt.Sprintf("%s, up: %s", what, c.channelText(ch))
		c.g.join(e)
	}
	c.g.Nodes[c.node[g.Root]].Strong = true
	c.g.Legend = Legend{Head: []string{"arrows point up", "links"}, Rows: []Row{
		{Color: Blue, Cells: []string{"of the tree (solid)", fmt.Sprint(count[Solid])}},
		{Color: Vermillion, Cells: []string{"others (dashed)", fmt.Sprint(count[Dashed])}}}}
	c.g.Notes = append(c.g.Notes, "d: depth below the root. Up: to smaller depth, at the same depth as ties are broken; "+
		"the other channel of each link is down.")
	return c.g
}
