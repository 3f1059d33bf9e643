package figure

// This file lays out layered networks (fat trees and their kin) in rows, each
// row in an order that keeps what belongs together side by side. We do that
// ourselves rather than with dot: dot's rows come in an order that hides pods.

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"turnproof/model"
)

// maxLevels bounds how deep a network may be and still be drawn in rows.
const maxLevels = 6

// levels returns the distance of each switch from the switches that carry
// hosts, or nil if the network is not layered: when a link joins two switches
// of one level, when a switch cannot be reached, or when there is one level
// only. hosts is indexed by switch.
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
			v := n.Head(c)
			if v == model.NoSwitch {
				continue
			}
			if level[v] == level[u] {
				return nil
			}
			if level[v] < 0 {
				level[v] = level[u] + 1
				queue = append(queue, v)
			}
		}
	}
	if leaves < 2 || len(queue) < n.NumSwitches() || leaves == len(queue) {
		return nil
	}
	if top := level[queue[len(queue)-1]]; top >= maxLevels {
		return nil
	}
	return level
}

// placeRows gives every drawn switch of a layered network its place. Each
// switch of the lowest row has room for so many hosts below it.
func (c *canvas) placeRows(hosts int) {
	var all []model.SwitchID
	for u, i := range c.node {
		if i >= 0 {
			all = append(all, model.SwitchID(u))
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(u, v model.SwitchID) int {
		return compareNames(c.n.SwitchLabel(u), c.n.SwitchLabel(v))
	})
	rows := make([][]model.SwitchID, maxLevels)
	for _, u := range c.gather(all, maxLevels-1) {
		rows[c.level[u]] = append(rows[c.level[u]], u)
	}
	place := make([]int, c.n.NumSwitches()) // within its row
	width := 0.0
	for l, row := range rows {
		if l > 0 {
			c.byMean(row, place, l)
		}
		for i, u := range row {
			place[u] = i
		}
		width = max(width, float64(len(row))*c.columnWidth(row, l, hosts))
	}
	gap := min(max(width/4, 1.4), 4)
	for l, row := range rows {
		for i, u := range row {
			n := &c.g.Nodes[c.node[u]]
			n.Pinned, n.X, n.Y = true, (float64(i)+0.5)*width/float64(len(row)), float64(l)*gap
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
	in := make(map[model.SwitchID]bool, len(list))
	var above, out []model.SwitchID
	for _, u := range list {
		if c.level[u] >= top {
			above = append(above, u)
		} else {
			in[u] = true
		}
	}
	for _, u := range list {
		if in[u] {
			out = append(out, c.gather(c.component(u, list, in), top-1)...)
		}
	}
	return append(out, above...)
}

// component takes the switches connected to u out of in and returns them in
// the order of list.
func (c *canvas) component(u model.SwitchID, list []model.SwitchID, in map[model.SwitchID]bool) []model.SwitchID {
	delete(in, u)
	found := map[model.SwitchID]bool{u: true}
	for queue := []model.SwitchID{u}; len(queue) > 0; queue = queue[1:] {
		for _, ch := range c.n.Out(queue[0]) {
			if v := c.n.Head(ch); v != model.NoSwitch && in[v] {
				delete(in, v)
				found[v] = true
				queue = append(queue, v)
			}
		}
	}
	if len(found) == len(list) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(v model.SwitchID) bool { return !found[v] })
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

// columnWidth returns the room that a switch of a row needs, in inches.
func (c *canvas) columnWidth(row []model.SwitchID, l, hosts int) float64 {
	w := 0.9 // "24 hosts" is in the label too
	for _, u := range row {
		w = max(w, 0.45+0.09*float64(min(utf8.RuneCountInString(c.n.SwitchLabel(u)), maxLabel)))
	}
	if l == 0 {
		w = max(w, 0.5*float64(hosts)+0.15)
	}
	return w
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
