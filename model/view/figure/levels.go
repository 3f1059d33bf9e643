package figure

// This file decides which networks are layered (fat trees and their kin) and
// orders the switches of a row so that what belongs together stands side by
// side. We do that ourselves rather than with dot: dot's rows come in an order
// that hides pods. Rows are put in their places in rows.go.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Bounds of what is drawn in rows.
const (
	maxLevels = 6
	maxFlat   = 15 // links in a hundred that may join switches of one level
)

// levels returns the distance of each switch from the switches that carry
// hosts, or nil if the network is not layered: when more than maxFlat percent
// of the links join two switches of one level, when a switch cannot be
// reached, or when there is one level only. hosts is indexed by switch.
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

// groups returns the switches of list in groups that hang together below level
// top, without the links within a level: the pods of a fat tree. Those at
// level top and above are left out. Order is that of list.
func (c *canvas) groups(list []model.SwitchID, top int) [][]model.SwitchID {
	in := make(map[model.SwitchID]bool, len(list))
	for _, u := range list {
		in[u] = c.level[u] < top
	}
	of := make(map[model.SwitchID]int, len(list)) // group by switch, from 1
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

// flood marks what hangs together with u.
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

// gather orders switches so that those which hang together below level top
// stand together: the pods of a fat tree, and the pods within them. Order
// within a group is the order given.
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

// byMean orders the row at level l by the mean place of the neighbours below,
// exactly, in integers, so that ties keep their order on every machine.
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

// digits returns how many digits s begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
