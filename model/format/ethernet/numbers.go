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

// longestWay returns the largest number of hops of a frame, or a limit if frames may circle. A frame takes the routes to its destination, then may
// take those to the end of a tunnel. Cost: O((classes + ends) × switches).
func (c *classed) longestWay() int {
	plain, inside := 0, 0
	for k := range c.b.rows {
		hops, circles := longest(c.switches, func(u int, visit func(v int)) { c.b.nextSwitches(k, u, visit) })
		if circles {
			return min(mostLossy, 2*c.switches+2)
		}
		plain = max(plain, hops)
	}
	for _, next := range c.toEnd {
		hops, circles := longest(c.switches, func(u int, visit func(v int)) {
			for _, out := range next[u] {
				visit(int(c.net.Head(out)))
			}
		})
		if circles {
			return min(mostLossy, 2*c.switches+2)
		}
		inside = max(inside, hops)
	}
	return plain + inside
}

// longest returns the number of hops of the longest path, and whether there is a circle.
func longest(n int, next func(u int, visit func(v int))) (most int, circles bool) {
	hops := make([]int, n) // 1 + the longest path from a switch, or 0 if it is unknown, -1 if it is being found
	var find func(u int)
	find = func(u int) {
		hops[u] = -1
		far := 1
		next(u, func(v int) {
			if hops[v] == 0 && !circles {
				find(v)
			}
			circles = circles || hops[v] < 0
			far = max(far, hops[v]+1)
		})
		hops[u] = far
		most = max(most, far-1)
	}
	for u := range n {
		if hops[u] == 0 && !circles {
			find(u)
		}
	}
	return most, circles
}
