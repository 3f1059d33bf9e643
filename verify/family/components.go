package family

import "github.com/turnproof/turnproof/model/space"

// This file computes the strongly connected components of places.
//
// Source: R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on
// Computing 1(2), 1972. Components are numbered in topological order.

type parts struct {
	of      []int   // by place: its component
	members [][]int // by component: its places, ascending
}

func components(places int, steps []space.Step) *parts {
	next := make([][]int, places)
	for _, e := range steps {
		next[e.From] = append(next[e.From], e.To)
	}
	p := &parts{of: make([]int, places)}
	index, low, stack, on := make([]int, places), make([]int, places), []int{}, make([]bool, places)
	count, found := 0, 0
	var visit func(v int)
	visit = func(v int) { // at most MaxPlaces deep
		count++
		index[v], low[v], on[v] = count, count, true
		stack = append(stack, v)
		for _, w := range next[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] < index[v] {
			return
		}
		for {
			w := stack[len(stack)-1]
			stack, on[w], p.of[w] = stack[:len(stack)-1], false, found
			if w == v {
				break
			}
		}
		found++
	}
	for v := range places {
		if index[v] == 0 {
			visit(v)
		}
	}
	p.members = make([][]int, found)
	for v := range places {
		p.of[v] = found - 1 - p.of[v]
		p.members[p.of[v]] = append(p.members[p.of[v]], v)
	}
	return p
}
