package figure

import (
	"fmt"
	"math"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file draws VLANs side by side, with a panel for each.

// VLAN is a VLAN to draw.
type VLAN struct {
	Heading string
	Links   []model.LinkID
	Sends   func(model.SwitchID) bool // whether hosts at a switch send in it
}

// VLANs draws each VLAN as a small picture of the network: its links, other links in pale grey,
// and the switches whose hosts send in it. Switches are at Options.Position, otherwise on a
// circle.
//
// After figure 5 of Otsuka, Koibuchi, Jouraku, Kudoh and Amano, Path assignment methods in
// VLAN-based multi-path Ethernet.
func VLANs(n *model.Network, list []VLAN, o Options) *Graph {
	g := &Graph{Title: o.Title, Layout: Straight}
	at, wide, high := panelPlaces(n, o)
	const head = 0.34
	inRow := max(1, min(len(list), int(13/wide)))
	for inRow > 2 && len(list)%inRow != 0 && len(list) <= 2*inRow && inRow*inRow >= len(list) {
		inRow-- // make rows equally long
	}
	for i, v := range list {
		p := newPanel(g, i, inRow, wide, high+head)
		p.put(Node{Shape: Plain, Lines: []string{v.Heading}, Strong: true, Tooltip: fmt.Sprintf("%s: %d links", v.Heading, len(v.Links))}, wide/2, 0.24)
		p.tree(n, v, at, head)
	}
	g.Legend = Legend{Head: []string{"VLAN"}, Rows: []Row{
		{Color: Blue, Cells: []string{"links of it"}}, {Color: ruleGrey, Cells: []string{"other links"}},
		{Color: Vermillion, Cells: []string{"switches whose hosts send in it"}}, {Color: darkGrey, Cells: []string{"other switches"}}}}
	return g
}

// tree draws the network with a VLAN's links.
func (p *panel) tree(n *model.Network, v VLAN, at [][2]float64, head float64) {
	node, named := make([]int, n.NumSwitches()), namedInPanels(n)
	for u := range node {
		fill, what := darkGrey, "its hosts do not send in it"
		if v.Sends(model.SwitchID(u)) {
			fill, what = Vermillion, "its hosts send in it"
		}
		name := n.SwitchLabel(model.SwitchID(u))
		x := Node{Shape: Dot, Fill: fill, Stroke: fill, Tooltip: name + ": " + what}
		if named {
			x.Shape, x.Lines, x.Small, x.size = Box, []string{name}, true, portSize
		}
		node[u] = p.put(x, at[u][0], head+at[u][1])
	}
	in := make([]bool, n.NumLinks())
	for _, l := range v.Links {
		in[l] = true
	}
	for _, drawn := range []bool{false, true} { // links of the VLAN are on top of the others
		for l := range model.LinkID(n.NumLinks()) {
			if k := n.Link(l); in[l] == drawn {
				e := Edge{From: node[k.A], To: node[k.B], Color: ruleGrey, Width: 1}
				if drawn {
					e.Color, e.Width = Blue, 2.4
				}
				p.g.join(e)
			}
		}
	}
}

// Limits for names in panels. Networks with more switches or longer names have dots instead.
const (
	maxNamedInPanel = 25
	maxPanelName    = 6 // runes
)

// namedInPanels reports whether a small picture has room for the names of switches.
func namedInPanels(n *model.Network) bool {
	for u := range model.SwitchID(n.NumSwitches()) {
		if len([]rune(n.SwitchLabel(u))) > maxPanelName {
			return false
		}
	}
	return n.NumSwitches() <= maxNamedInPanel
}

// panelPlaces returns the positions of switches in a panel, y downwards, and the panel's size.
func panelPlaces(n *model.Network, o Options) (at [][2]float64, wide, high float64) {
	if o.Position == nil {
		o.Position = preorderCircle(n)
	}
	at = make([][2]float64, n.NumSwitches())
	left, right, top, bottom := math.Inf(1), math.Inf(-1), math.Inf(-1), math.Inf(1)
	for u := range at {
		x, y, _ := o.Position(model.SwitchID(u))
		at[u] = [2]float64{x, y}
		left, right, top, bottom = min(left, x), max(right, x), max(top, y), min(bottom, y)
	}
	side := min(6, max(1.3, 0.42*math.Sqrt(float64(n.NumSwitches()))))
	if namedInPanels(n) {
		side = max(side, 0.5*math.Sqrt(float64(n.NumSwitches())))
	}
	stretch := side / max(right-left, top-bottom, 1e-9)
	const margin = 0.28
	for u := range at {
		at[u] = [2]float64{margin + (at[u][0]-left)*stretch, margin + (top-at[u][1])*stretch}
	}
	return at, max(2*margin+(right-left)*stretch, 1.2), 2*margin + (top-bottom)*stretch
}

// preorderCircle places switches on a circle. If there is a central switch, they are in preorder
// of a tree around it, so that many neighbours are close to each other.
func preorderCircle(n *model.Network) func(model.SwitchID) (x, y float64, ok bool) {
	place := make([]int32, n.NumSwitches())
	for u := range place {
		place[u] = int32(u)
	}
	if t, err := hv.NewTree(n, hv.Center(n, 0), hv.Options{}); err == nil {
		if g, err := hv.New(t); err == nil {
			place = g.Spread
		}
	}
	return func(u model.SwitchID) (x, y float64, ok bool) {
		sin, cos := math.Sincos(2 * math.Pi * (float64(place[u]) - 0.5) / float64(n.NumSwitches()))
		return sin, cos, true
	}
}

// VLANHeading returns the heading of a VLAN in a drawing.
func VLANHeading(id, priority int, several bool) string {
	if several {
		return fmt.Sprintf("VLAN %d, priority %d", id, priority)
	}
	return fmt.Sprintf("VLAN %d", id)
}
