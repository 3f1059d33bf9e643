package verify

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides whether a tree shows that a set of turns is connected. Suppose that
// all turns between channels of the tree are allowed, except U-turns. Then packets get
// along the tree from each of its switches to each other.
// Cost: O(switches + turns along the tree).

// makeTreeEvidence returns a tree as evidence. hint gives, by switch, the channel to the
// parent, or NoChannel at the root. It returns false if hint is not a tree, lacks
// a switch with hosts, or has a turn that is not allowed on VCs of index 0. It
// leaves out switches that have no hosts and no such switch below them.
func makeTreeEvidence(set *model.TurnSet, hint []model.ChannelID) (cert.Ints, bool) {
	n := set.Network()
	if len(hint) != n.NumSwitches() {
		return nil, false
	}
	for u, c := range hint {
		if c != model.NoChannel && (c < 0 || int(c) >= n.NumLinkChannels() || n.Tail(c) != model.SwitchID(u)) {
			return nil, false
		}
	}
	kept, leavesFirst := keepHostSwitches(n, hint)
	roots := 0
	for u, c := range hint {
		if kept[u] && c == model.NoChannel {
			roots++
		}
	}
	if roots != 1 || !leavesFirst || !allowsTree(set, hint, kept) {
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

// keepHostSwitches keeps the switches that have hosts or a switch with hosts below
// them. It works from the leaves to the root. If hint has a cycle, all is false.
func keepHostSwitches(n *model.Network, hint []model.ChannelID) (kept []bool, all bool) {
	kept = make([]bool, len(hint))
	below := make([]int, len(hint)) // children not visited yet
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

// allowsTree reports whether set allows all turns between channels of the tree at each
// switch, except U-turns.
func allowsTree(set *model.TurnSet, hint []model.ChannelID, kept []bool) bool {
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
