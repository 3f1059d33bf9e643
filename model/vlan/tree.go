package vlan

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file finds paths in a VLAN. It stores the links as a rooted forest, numbered so that the
// next hop needs no table.
//
// Promise: next returns the first channel of the only path between two switches. Method:
// switches are numbered in preorder. The switches below u form a range, so the path leads down
// to the child whose range contains the destination, or up. Cost: O(switches) memory and time
// to build, O(log degree) per next hop.

type tree struct {
	up    []model.ChannelID // by switch: the channel to its parent; NoChannel for a root
	first []int32           // by switch: its preorder number
	last  []int32           // by switch: 1 + the last preorder number below it
	root  []model.SwitchID  // by switch: the root of its component
	down  [][]model.ChannelID
}

// newTree builds the forest of a VLAN. It fails with the loop if the links have one.
func newTree(n *model.Network, links []model.LinkID) (*tree, error) {
	t := &tree{up: make([]model.ChannelID, n.NumSwitches()), first: make([]int32, n.NumSwitches()), last: make([]int32, n.NumSwitches()),
		root: make([]model.SwitchID, n.NumSwitches()), down: make([][]model.ChannelID, n.NumSwitches())}
	out := make([][]model.ChannelID, n.NumSwitches())
	for _, l := range links {
		for _, c := range []model.ChannelID{model.ChannelID(2 * l), model.ChannelID(2*l + 1)} {
			out[n.Tail(c)] = append(out[n.Tail(c)], c)
		}
	}
	for u := range t.root {
		t.root[u], t.up[u] = model.NoSwitch, model.NoChannel
	}
	place := int32(0)
	for r := range model.SwitchID(n.NumSwitches()) {
		if t.root[r] == model.NoSwitch {
			if back := t.grow(n, r, out, &place); back != model.NoChannel {
				return nil, fmt.Errorf("a loop: %s", t.loop(n, back))
			}
		}
	}
	return t, nil
}

// grow numbers the component of r, depth first. It returns a channel that closes a loop, or
// NoChannel.
func (t *tree) grow(n *model.Network, r model.SwitchID, out [][]model.ChannelID, place *int32) model.ChannelID {
	stack, at := []model.SwitchID{r}, make([]int, 0, 8)
	t.root[r], t.first[r] = r, *place
	*place, at = *place+1, append(at, 0)
	for len(stack) > 0 {
		top := len(stack) - 1
		u := stack[top]
		if at[top] == len(out[u]) {
			t.last[u] = *place
			stack, at = stack[:top], at[:top]
			continue
		}
		c := out[u][at[top]]
		at[top]++
		if n.Reverse(c) == t.parentChannel(n, u) {
			continue
		}
		v := n.Head(c)
		if t.root[v] != model.NoSwitch {
			return c
		}
		t.root[v], t.up[v], t.first[v] = r, n.Reverse(c), *place
		t.down[u] = append(t.down[u], c)
		*place++
		stack, at = append(stack, v), append(at, 0)
	}
	return model.NoChannel
}

// parentChannel returns the channel from u's parent to u, or NoChannel for a root.
func (t *tree) parentChannel(n *model.Network, u model.SwitchID) model.ChannelID {
	if t.up[u] == model.NoChannel {
		return model.NoChannel
	}
	return n.Reverse(t.up[u])
}

// loop describes the loop that channel c closes. The head of c must be an ancestor of its tail.
func (t *tree) loop(n *model.Network, c model.ChannelID) string {
	path := []model.ChannelID{c}
	for u := n.Tail(c); u != n.Head(c); u = n.Head(t.up[u]) {
		path = append(path, n.Reverse(t.up[u]))
	}
	slices.Reverse(path[1:])
	var parts []string
	for _, c := range path {
		if len(parts) == 10 {
			parts = append(parts, fmt.Sprintf("and %d more switches", len(path)-10))
			break
		}
		parts = append(parts, fmt.Sprintf("%s port %d", n.SwitchName(n.Tail(c)), n.TailPort(c)))
	}
	return strings.Join(parts, ", ") + ", and back"
}

// next returns the first channel of the path from u to another switch v, or NoChannel if there
// is no path.
func (t *tree) next(n *model.Network, u, v model.SwitchID) model.ChannelID {
	if t.root[u] != t.root[v] {
		return model.NoChannel
	}
	at := t.first[v]
	if at < t.first[u] || at >= t.last[u] {
		return t.up[u]
	}
	down := t.down[u]
	i := sort.Search(len(down), func(i int) bool { return t.last[n.Head(down[i])] > at })
	return down[i]
}
