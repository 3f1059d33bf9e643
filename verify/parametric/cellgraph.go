package parametric

import "slices"

// This file ranks the strongly connected components of a graph of cells (cells.go).

// change is the hops from one spot or cell to another, and what the sums do on them.
type change struct {
	hops    int
	rising  uint32 // bit i: sum i rises on all of them
	falling uint32 // bit i: sum i falls on some of them
}

// join adds hops.
func (c *change) join(more change) {
	if c.hops == 0 {
		c.rising = ^uint32(0)
	}
	c.hops += more.hops
	c.rising &= more.rising
	c.falling |= more.falling
}

// maxDepth bounds the numbers of a rank: two for each depth.
const maxDepth = 6

// cellGraph is the hops between cells.
type cellGraph struct {
	cells    int
	sums     int
	links    []change
	unranked [][]int // components
	left     int     // hops in them
}

func newCellGraph(cells, sums int) *cellGraph {
	return &cellGraph{cells: cells, sums: sums, links: make([]change, cells*cells)}
}

func (h *cellGraph) link(a, b int) *change { return &h.links[a*h.cells+b] }

func (h *cellGraph) all() []int {
	list := make([]int, h.cells)
	for i := range list {
		list[i] = i
	}
	return list
}

// rank ranks the components of some cells, and removes the hops on which a sum rises. It collects the components that are
// not ranked. If found is not nil, rank calls it for each cell with the number of its component and the sum, or -1.
func (h *cellGraph) rank(list []int, depth int, found func(cell, number, sum int)) {
	for number, part := range h.components(list) {
		sum, inner := -1, h.inner(part)
		if inner > 0 {
			if sum = h.bestSum(part); sum < 0 || depth == maxDepth {
				h.unranked = append(h.unranked, part)
				h.left += inner
				continue
			}
		}
		if found != nil {
			for _, i := range part {
				found(i, number, sum)
			}
		}
		if inner == 0 {
			continue
		}
		left := 0
		for l := range h.within(part) {
			if l.rising>>sum&1 == 1 {
				l.hops = 0
			}
			left += l.hops
		}
		if left > 0 {
			h.rank(part, depth+1, found)
		}
	}
}

// within yields the links between cells of a list that have hops.
func (h *cellGraph) within(list []int) func(yield func(*change) bool) {
	return func(yield func(*change) bool) {
		for _, a := range list {
			for _, b := range list {
				if l := h.link(a, b); l.hops > 0 && !yield(l) {
					return
				}
			}
		}
	}
}

// inner returns the number of hops between cells of a list.
func (h *cellGraph) inner(list []int) (count int) {
	for l := range h.within(list) {
		count += l.hops
	}
	return count
}

// pairs returns the number of pairs of spots in cells with a hop between them. sizes has the spots of each cell.
func (h *cellGraph) pairs(sizes []int) (count int) {
	for a := range h.cells {
		for b := range h.cells {
			if h.link(a, b).hops > 0 {
				count += sizes[a] * sizes[b]
			}
		}
	}
	return count
}

// bestSum returns the sum that falls on no hop of a component and rises on most of them, or -1.
func (h *cellGraph) bestSum(part []int) int {
	var falling uint32
	rises := make([]int, h.sums)
	for l := range h.within(part) {
		falling |= l.falling
		for i := range rises {
			rises[i] += l.hops * int(l.rising>>i&1)
		}
	}
	best := -1
	for i, n := range rises {
		if falling>>i&1 == 0 && n > 0 && (best < 0 || n > rises[best]) {
			best = i
		}
	}
	return best
}

// components returns the strongly connected components of a list of cells in topological order
// (R. Tarjan, SIAM Journal on Computing 1(2), 1972).
func (h *cellGraph) components(list []int) (parts [][]int) {
	order, low, on := make([]int, h.cells), make([]int, h.cells), make([]bool, h.cells)
	count := 0
	var stack []int
	var visit func(v int)
	visit = func(v int) {
		count++
		order[v], low[v], on[v] = count, count, true
		stack = append(stack, v)
		for _, w := range list {
			switch {
			case h.link(v, w).hops == 0:
			case order[w] == 0:
				visit(w)
				low[v] = min(low[v], low[w])
			case on[w]:
				low[v] = min(low[v], order[w])
			}
		}
		if low[v] == order[v] {
			i := slices.Index(stack, v)
			part := slices.Clone(stack[i:])
			stack = stack[:i]
			for _, w := range part {
				on[w] = false
			}
			slices.Sort(part)
			parts = append(parts, part)
		}
	}
	for _, v := range list {
		if order[v] == 0 {
			visit(v)
		}
	}
	slices.Reverse(parts)
	return parts
}
