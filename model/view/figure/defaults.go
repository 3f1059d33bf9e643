package figure

import (
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// OptionsFor returns options with the title, the name of virtual channels in the network, and the
// positions that Position returns.
func OptionsFor(n *model.Network, title string) Options {
	p := planOf(n)
	return Options{Title: title, VC: wording.VC(n), Position: p.position(), plan: p}
}

// InLine reports whether all ends of the VCs are on one line of a grid.
func InLine(n *model.Network, vcs []model.VCID) bool {
	g := n.Grid()
	if g == nil || len(vcs) == 0 {
		return false
	}
	differ := map[int]bool{} // dimensions in which the switches differ
	var first []int
	for _, v := range vcs {
		c, _ := n.Channel(v)
		for _, u := range []model.SwitchID{n.Tail(c), n.Head(c)} {
			if u == model.NoSwitch {
				continue
			}
			at := g.Coords(u, nil)
			if first == nil {
				first = at
			}
			for k, x := range at {
				differ[k] = differ[k] || x != first[k]
			}
		}
	}
	dims := 0
	for _, is := range differ {
		if is {
			dims++
		}
	}
	return dims == 1
}

// MaxOnTree is the largest number of switches of a network whose turns are drawn on the H/V graph,
// which has a column for each switch.
const MaxOnTree = 20

// OnTree returns g if turns are drawn on it. It returns nil if they are drawn on the network
// itself: the network is a grid, or has more than MaxOnTree switches.
func OnTree(n *model.Network, g *hv.Graph) *hv.Graph {
	if n.Grid() != nil || n.NumSwitches() > MaxOnTree {
		return nil
	}
	return g
}
