package figure

// This file decides which networks are layered (fat trees and similar networks) and orders the
// switches of a row so that connected groups are side by side. Graphviz's program dot is not used,
// because its order of rows hides pods. rows.go places the rows.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Limits of networks that are drawn in rows.
const (
	maxLevels = 6
	maxFlat   = 15 // percentage of links that may connect switches of one level
)

// levels returns the distance of each switch from the nearest switch with hosts. It returns nil if
// the network is not layered: more than maxFlat percent of the links connect two switches of one
// level, a switch cannot be reached, or there is only one level. hosts is indexed by switch.
func levels(n *model.Network, hosts []int) []int {
	level := make([]int, n.NumSwitches())
	var queue []model.SwitchID
	for u := range level {
		level[u] = -1
		if hosts[u] > 0 {
			level[u] = 0
			queue = append(queue, model.SwitchID(u))
		}
	}
	leaves := len(queue)
	for i := 0; i < len(queue); i++ {
		u := queue[i]
		for _, c := range n.Out(u) {
			if v := n.Head(c); v != model.NoSwitch && level[v] < 0 {
				level[v] = level[u] + 1
				queue = append(queue, v)
			}
		}
	}
	if leaves < 2 || len(queue) < n.NumSwitches() || leaves == len(queue) {
		return nil
	}
	flat := 0
	for l := range model.LinkID(n.NumLinks()) {
		if k := n.Link(l); level[k.A] == level[k.B] {
			flat++
		}
	}
	if top := level[queue[len(queue)-1]]; top >= maxLevels || 100*flat > maxFlat*n.NumLinks() {
		return nil
	}
	return level
}

// groups divides the switches of list into groups that are connected below level top, not counting
// links within a level. These are the pods of a fat tree. Switches at level top and above are left
// out. The order of list is kept.
func (c *canvas) groups(list []model.SwitchID, top int) [][]model.SwitchID {
	in := make(map[model.SwitchID]bool, len(list))
	for _, u := range list {
		in[u] = c.level[u] < top
	}
	of := make(map[model.SwitchID]int, len(list)) // by switch: number of its group, from 1
	var groups [][]model.SwitchID
	for _, u := range list {
		if in[u] && of[u] == 0 {
			groups = append(groups, nil)
			c.flood(u, in, of, len(groups))
		}
		if k := of[u]; k > 0 {
			groups[k-1] = append(groups[k-1], u)
		}
	}
	return groups
}

// flood assigns group k to all switches connected with u.
func (c *canvas) flood(u model.SwitchID, in map[model.SwitchID]bool, of map[model.SwitchID]int, k int) {
	of[u] = k
	for queue := []model.SwitchID{u}; len(queue) > 0; queue = queue[1:] {
		for _, ch := range c.n.Out(queue[0]) {
			if v := c.n.Head(ch); v != model.NoSwitch && in[v] && of[v] == 0 && c.level[v] != c.level[queue[0]] {
				of[v] = k
				queue = append(queue, v)
			}
		}
	}
}

// gather orders switches so that those connected below level top are next to each other: the pods
// of a fat tree, and recursively the pods within them. Within a group the given order is kept.
func (c *canvas) gather(list []model.SwitchID, top int) []model.SwitchID {
	if top < 1 || len(list) < 2 {
		return list
	}
	var out []model.SwitchID
	for _, g := range c.groups(list, top) {
		out = append(out, c.gather(g, top-1)...)
	}
	for _, u := range list {
		if c.level[u] >= top {
			out = append(out, u)
		}
	}
	return out
}

// byMean sorts the row at level l by the mean position of each switch's neighbours below. It
// computes with integers, so that equal means compare equal on every machine.
func (c *canvas) byMean(row []model.SwitchID, place []int, l int) {
	mean := func(u model.SwitchID) (sum, count int) {
		for _, ch := range c.n.Out(u) {
			if v := c.n.Head(ch); v != model.NoSwitch && c.node[v] >= 0 && c.level[v] == l-1 {
				sum += place[v]
				count++
			}
		}
		return sum, max(count, 1)
	}
	slices.SortStableFunc(row, func(u, v model.SwitchID) int {
		a, b := mean(u)
		x, y := mean(v)
		return cmp.Compare(a*y, x*b)
	})
}

// compareNames compares names so that S9 comes before S10.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			p, q := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if d := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); d != 0 {
				return d
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns the number of digits with which s begins.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
