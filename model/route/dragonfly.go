package route

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file implements minimal and Valiant routing on dragonflies.
//
// A dragonfly consists of groups of switches. A group is a complete network; global links join groups. A packet passes at
// most one local link in each group, and one global link between groups.
//
// dragonfly-minimal: to the group of the destination by one global link, if there is one.
//
// dragonfly-valiant: by any global link of the source group, at its switch or at another one of the group, to any group.
// From there as dragonfly-minimal. Packets to the group of their source stay there. Valiant routing draws one such path;
// UGAL chooses between one and a minimal path, by load. What is proved for the set of all paths holds for both.
//
// Both: the VC of a link, local or global, has the index of the number of global links that the packet has passed. So a packet
// takes local VC 0, global VC 0, local VC 1, global VC 1, local VC 2, in this order, and no dependencies close a cycle.
//
// Source: J. Kim, W. J. Dally, S. Scott, D. Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008,
// section 4.1; L. G. Valiant, A scheme for fast parallel communication, SIAM J. Computing 11(2), 1982. Premises: groups
// are switches with consecutive numbers, as in package topo; 2 VCs for dragonfly-minimal, 3 for dragonfly-valiant. Each
// two groups have a global link. Class: the number of global links passed.

type dragonfly struct {
	net     *model.Network
	size    int // switches of a group
	valiant bool
	groups  int
	classes int
	links   [][]model.ChannelID // by switch and group: the global links to the group
	leaves  []bool              // by switch: it has a global link
}

// newDragonflyByGlobalHops returns the routing whose VC is the number of global links passed.
func newDragonflyByGlobalHops(name string, valiant bool, n *model.Network) (model.Relation, error) {
	classes := 2
	if valiant {
		classes = 3
	}
	if cliqueSize(n) == n.NumSwitches() {
		classes = 1
	}
	if n.VCs() < classes {
		return nil, fmt.Errorf("route: %s needs %d virtual channels; this network has %d", name, classes, n.VCs())
	}
	r, err := readDragonfly(name, n)
	if err != nil {
		return nil, err
	}
	r.valiant, r.classes = valiant, classes
	return &relation{rule: r, net: n, classes: r.classes}, nil
}

// readDragonfly returns the groups and the global links of n. It fails if n is no dragonfly.
func readDragonfly(name string, n *model.Network) (*dragonfly, error) {
	r := &dragonfly{net: n, size: cliqueSize(n)}
	r.groups = n.NumSwitches() / r.size
	if n.NumSwitches()%r.size != 0 || !r.readLinks() {
		return nil, fmt.Errorf("route: %s needs a dragonfly: groups of switches with consecutive numbers, here %d, in which each two have one link, "+
			"and a global link between each two groups", name, r.size)
	}
	return r, nil
}

// readLinks finds the global links. It returns false if two switches of a group do not have exactly one link, or two groups
// none.
func (r *dragonfly) readLinks() bool {
	n := r.net
	r.links, r.leaves = make([][]model.ChannelID, n.NumSwitches()*r.groups), make([]bool, n.NumSwitches())
	seen := make([]model.SwitchID, n.NumSwitches()) // by switch: 1 + the last switch with a link to it
	joined := map[[2]int]bool{}
	for u := range model.SwitchID(n.NumSwitches()) {
		local := 0
		for _, c := range n.Out(u) {
			switch v := n.Head(c); {
			case v == model.NoSwitch:
			case r.groupOf(v) != r.groupOf(u):
				at := int(u)*r.groups + r.groupOf(v)
				r.links[at], r.leaves[u] = append(r.links[at], c), true
				joined[[2]int{r.groupOf(u), r.groupOf(v)}] = true
			case seen[v] == u+1:
				return false
			default:
				local++
				seen[v] = u + 1
			}
		}
		if local != r.size-1 {
			return false
		}
	}
	return len(joined) == r.groups*(r.groups-1)
}

// cliqueSize returns the most switches 0, 1, ... of which each two are linked.
func cliqueSize(n *model.Network) int {
	for size := 1; size < n.NumSwitches(); size++ {
		before := map[model.SwitchID]bool{}
		for _, c := range n.Out(model.SwitchID(size)) {
			if v := n.Head(c); v != model.NoSwitch && int(v) < size {
				before[v] = true
			}
		}
		if len(before) < size {
			return size
		}
	}
	return n.NumSwitches()
}

func (r *dragonfly) groupOf(u model.SwitchID) int { return int(u) / r.size }

// isLocal reports whether channel c is between two switches of a group.
func (r *dragonfly) isLocal(c model.ChannelID) bool {
	return r.net.Kind(c) == model.SwitchToSwitch && r.groupOf(r.net.Tail(c)) == r.groupOf(r.net.Head(c))
}

// linkCost: a global link costs as much as three local ones, so that minimal paths have one global link. Two global links
// can be as short as three links with one, but the minimal routing does not take them.
func (r *dragonfly) linkCost(c model.ChannelID) int {
	if r.isLocal(c) {
		return 1
	}
	return 3
}

// group: the hops depend on whether the packet has passed a local link of the group.
func (r *dragonfly) group(in model.ChannelID, _ int) int {
	g := 2 * int(r.net.Head(in))
	if r.isLocal(in) {
		g++
	}
	return g
}

// keeps: the paths depend on the network and the groups only.
func (r *dragonfly) keeps(a *model.Automorphism) bool {
	for c := range model.ChannelID(r.net.NumLinkChannels()) {
		if r.isLocal(a.Channel(c)) != r.isLocal(c) {
			return false
		}
	}
	return true
}

func (r *dragonfly) next(p place, buf []model.Hop) []model.Hop {
	here, there, moved := r.groupOf(p.u), r.groupOf(p.v), r.isLocal(p.in)
	switch {
	case int(p.class) >= r.classes:
		return buf // such a class is not reached
	case here == there && moved:
		return buf // neither is such a place
	case here == there:
		for _, c := range r.net.Out(p.u) {
			if r.net.Head(c) == p.v {
				return hop(r.net, c, r.vc(p.class), p.class, buf)
			}
		}
		return buf
	case r.valiant && p.class == 0:
		for g := range r.groups {
			buf = r.global(p, g, buf)
		}
		return r.local(p, moved, -1, buf)
	}
	first := len(buf)
	if buf = r.global(p, there, buf); len(buf) > first {
		return buf
	}
	return r.local(p, moved, there, buf)
}

func (r *dragonfly) vc(k model.Class) span { return span{int(k), int(k) + 1} }

// global appends the global links to a group.
func (r *dragonfly) global(p place, group int, buf []model.Hop) []model.Hop {
	if int(p.class)+1 >= r.classes {
		return buf
	}
	for _, c := range r.links[int(p.u)*r.groups+group] {
		buf = append(buf, model.Hop{VC: r.net.VC(c, int(p.class)), Class: p.class + 1})
	}
	return buf
}

// local appends the local links to switches with a global link to a group, or, if group is -1, to any other group. It appends
// none for a packet that has moved in its group.
func (r *dragonfly) local(p place, moved bool, group int, buf []model.Hop) []model.Hop {
	if moved {
		return buf
	}
	for _, c := range r.net.Out(p.u) {
		if r.isLocal(c) && (group < 0 && r.leaves[r.net.Head(c)] || group >= 0 && len(r.links[int(r.net.Head(c))*r.groups+group]) > 0) {
			buf = hop(r.net, c, r.vc(p.class), p.class, buf)
		}
	}
	return buf
}
