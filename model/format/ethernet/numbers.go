package ethernet

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file numbers the headers of frames. The end of a tunnel is numbered among the ends for the destination, of which there are two at most if
// pairs of leaves have their servers. So the number of classes does not grow with the number of pairs.

// numbers are the classes of headers.
type numbers struct {
	list  []header // end is the number of the end, or -1
	index map[header]model.Class
	ends  [][]int // by class of destinations: the switches where tunnels for them end, ascending
}

// number numbers the headers.
func (c *classed) number() *numbers {
	n := &numbers{index: map[header]model.Class{}, ends: make([][]int, len(c.next))}
	most := 1
	for key := range c.tunnels {
		if list := n.ends[key[0]]; c.end[key[1]] >= 0 && !slices.Contains(list, c.end[key[1]]) {
			n.ends[key[0]] = append(list, c.end[key[1]])
			most = max(most, len(n.ends[key[0]]))
		}
	}
	for _, list := range n.ends {
		slices.Sort(list)
	}
	add := func(h header) {
		if _, ok := n.index[h]; !ok {
			n.list, n.index[h] = append(n.list, h), model.Class(len(n.list))
		}
	}
	for _, h := range c.headers {
		if h.end < 0 {
			add(h)
			continue
		}
		for h.end = range most {
			add(h)
		}
	}
	return n
}

// of returns the class of the header of a frame to a class of destinations.
func (n *numbers) of(destinations int32, h header) model.Class {
	if h.end >= 0 {
		h.end = slices.Index(n.ends[destinations], h.end)
	}
	return n.index[h]
}

// header returns the header of a class.
func (n *numbers) header(destinations int32, k model.Class) header {
	h := n.list[k]
	if ends := n.ends[destinations]; h.end >= len(ends) {
		h.end = -1 // no frame to these destinations has the class
	} else if h.end >= 0 {
		h.end = ends[h.end]
	}
	return h
}

// longestWay returns the largest number of hops of a frame that does not circle. A frame takes the routes to its destination, then may take those
// to the end of a tunnel. Cost: O((classes + ends) × switches).
func (c *classed) longestWay() int {
	plain, inside := 0, 0
	for k := range c.b.rows {
		plain = max(plain, longest(c.switches, func(u int, visit func(v int)) { c.b.nextSwitches(k, u, visit) }))
	}
	for _, next := range c.toEnd {
		inside = max(inside, longest(c.switches, func(u int, visit func(v int)) {
			for _, out := range next[u] {
				visit(int(c.net.Head(out)))
			}
		}))
	}
	return plain + inside
}

// longest returns the number of hops of the longest path from a switch from which no path leads into a circle.
func longest(n int, next func(u int, visit func(v int))) (most int) {
	left, before := make([]int, n), make([][]int, n) // next switches whose path is not known yet
	for u := range n {
		next(u, func(v int) {
			left[u]++
			before[v] = append(before[v], u)
		})
	}
	hops := make([]int, n)
	var known []int
	for u := range n {
		if left[u] == 0 {
			known = append(known, u)
		}
	}
	for len(known) > 0 {
		v := known[len(known)-1]
		known = known[:len(known)-1]
		most = max(most, hops[v])
		for _, u := range before[v] {
			hops[u] = max(hops[u], hops[v]+1)
			if left[u]--; left[u] == 0 {
				known = append(known, u)
			}
		}
	}
	return most
}
