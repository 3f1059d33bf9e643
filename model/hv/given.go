package hv

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds trees that are given switch by switch, such as the tree of a published figure.

// Given is a spanning tree, by its switches in preorder.
type Given struct {
	Preorder []model.SwitchID // the root first
	Parents  []model.SwitchID // by number in preorder; NoSwitch for the root
}

// take makes the given tree. It fails if Given is no spanning tree in preorder, or none that the search
// of the options can find.
func (g *builder) take(t *Given) error {
	n := g.Net
	if len(t.Preorder) != n.NumSwitches() || len(t.Parents) != len(t.Preorder) {
		return fmt.Errorf("hv: the tree has %d switches; want all %d", len(t.Preorder), n.NumSwitches())
	}
	var path []model.SwitchID // from the root to the switch before
	for i, u := range t.Preorder {
		p := t.Parents[i]
		switch {
		case (i == 0) != (p == model.NoSwitch):
			return fmt.Errorf("hv: switch %s of the tree: want a parent for all switches but the first", n.SwitchName(u))
		case i > 0 && (u == g.Root || g.Depth[u] >= 0):
			return fmt.Errorf("hv: switch %s is twice in the tree", n.SwitchName(u))
		case i == 0:
			path = append(path, u)
			continue
		}
		for len(path) > 0 && path[len(path)-1] != p {
			path = path[:len(path)-1]
		}
		if len(path) == 0 {
			return fmt.Errorf("hv: switch %s follows in the tree when all switches below its parent %s are numbered; want preorder",
				n.SwitchName(u), n.SwitchName(p))
		}
		c := g.channel(p, u)
		if c == model.NoChannel {
			return fmt.Errorf("hv: the tree joins switches %s and %s, which have no link", n.SwitchName(p), n.SwitchName(u))
		}
		g.adopt(c)
		path = append(path, u)
	}
	return g.checkSearch()
}

// channel returns the channel from u to v with the lowest port, or NoChannel.
func (g *builder) channel(u, v model.SwitchID) model.ChannelID {
	for _, c := range g.Net.Out(u) {
		if g.Net.Kind(c) == model.SwitchToSwitch && g.Net.Head(c) == v {
			return c
		}
	}
	return model.NoChannel
}

// checkSearch fails if the tree is not one that the search of the options can find.
func (g *builder) checkSearch() error {
	n := g.Net
	for c := range model.ChannelID(n.NumLinkChannels()) {
		u, v := n.Tail(c), n.Head(c)
		switch {
		case g.Options.Search == BFS && g.Depth[v] > g.Depth[u]+1:
			return fmt.Errorf("hv: switch %s has depth %d in the tree, but a link to switch %s of depth %d; want a tree of shortest paths",
				n.SwitchName(v), g.Depth[v], n.SwitchName(u), g.Depth[u])
		case g.Options.Search == DFS && !g.isAncestor(u, v) && !g.isAncestor(v, u):
			return fmt.Errorf("hv: a link joins switches %s and %s, of which none is above the other in the tree; want a depth-first tree",
				n.SwitchName(u), n.SwitchName(v))
		}
	}
	return nil
}

// isAncestor reports whether u is v or above v in the tree.
func (g *builder) isAncestor(u, v model.SwitchID) bool {
	for g.Depth[v] > g.Depth[u] {
		v = g.Net.Head(g.Up[v])
	}
	return u == v
}
