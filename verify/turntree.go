package verify

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file sees whether a tree shows that a set of turns is connected: if at
// each switch all turns between channels of the tree are allowed, but for the way
// back, then packets come along the tree from any of its switches to any other.
// Cost: O(switches + turns along the tree).

// fitTree makes evidence of a tree given by switch as the channel to the parent,
// NoChannel at the root; false if it is no tree, does not hold all switches
// with hosts, or has a turn that is not allowed on VCs of index 0. Switches without
// hosts, and with none below them, are left out.
func fitTree(set *model.TurnSet, hint []model.ChannelID) (cert.Ints, bool) {
	n := set.Network()
	if len(hint) != n.NumSwitches() {
		return nil, false
	}
	for u, c := range hint {
		if c != model.NoChannel && (c < 0 || int(c) >= n.NumLinkChannels() || n.Tail(c) != model.SwitchID(u)) {
			return nil, false
		}
	}
	kept, leavesFirst := hostLeaves(n, hint)
	roots := 0
	for u, c := range hint {
		if kept[u] && c == model.NoChannel {
			roots++
		}
	}
	if roots != 1 || !leavesFirst || !treeAllowed(set, hint, kept) {
		return nil, false
	}
	tree := make(cert.Ints, len(hint))
	for u, c := range hint {
		switch {
		case !kept[u]:
			tree[u] = cert.TreeOutside
		case c == model.NoChannel:
			tree[u] = cert.TreeRoot
		default:
			tree[u] = int32(n.VC(c, 0))
		}
	}
	return tree, true
}

// hostLeaves goes from the leaves up, and keeps the switches that have hosts or
// lie above some that have. It returns false if it does not come to all
// switches, which is so iff ways up lead round in a cycle.
func hostLeaves(n *model.Network, hint []model.ChannelID) (kept []bool, all bool) {
	kept = make([]bool, len(hint))
	below := make([]int, len(hint)) // children that have not been met
	for _, c := range hint {
		if c != model.NoChannel {
			below[n.Head(c)]++
		}
	}
	for h := range model.HostID(n.NumHosts()) {
		kept[n.Host(h).Switch] = true
	}
	var order []model.SwitchID
	for u, k := range below {
		if k == 0 {
			order = append(order, model.SwitchID(u))
		}
	}
	for i := 0; i < len(order); i++ {
		u := order[i]
		if hint[u] == model.NoChannel {
			continue
		}
		up := n.Head(hint[u])
		kept[up] = kept[up] || kept[u]
		if below[up]--; below[up] == 0 {
			order = append(order, up)
		}
	}
	return kept, len(order) == len(hint)
}

// treeAllowed reports whether each channel of the tree, up or down, may be
// followed by all others of the tree at the switch that it enters.
func treeAllowed(set *model.TurnSet, hint []model.ChannelID, kept []bool) bool {
	n := set.Network()
	out := make([][]model.ChannelID, len(hint)) // by switch: channels of the tree
	for u, c := range hint {
		if kept[u] && c != model.NoChannel {
			out[u] = append(out[u], c)
			out[n.Head(c)] = append(out[n.Head(c)], n.Reverse(c))
		}
	}
	for _, list := range out {
		for _, b := range list {
			for _, c := range list {
				if b != c && !set.Has(model.Turn{In: n.VC(n.Reverse(b), 0), Out: n.VC(c, 0)}) {
					return false
				}
			}
		}
	}
	return true
}
