package priorities

import (
	"cmp"
	"slices"
)

// This file finds circles of buffers.

// order compares buffers.
func (b buffer) order(c buffer) int {
	if d := cmp.Compare(b.c, c.c); d != 0 {
		return d
	}
	return cmp.Compare(b.p, c.p)
}

// left returns the buffers of a graph that are on circles or between them, ascending. It is empty iff there is no circle.
func (r *Routes) left(x *rules, g graph) []buffer {
	degree, before := map[buffer]int{}, map[buffer][]buffer{}
	var todo []buffer
	note := func(b buffer) {
		if _, ok := degree[b]; !ok {
			degree[b] = len(g[b])
			if degree[b] == 0 {
				todo = append(todo, b)
			}
		}
	}
	for b, list := range g {
		note(b)
		for _, u := range list {
			to := r.after(x, u)
			note(to)
			before[to] = append(before[to], b)
		}
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		delete(degree, b)
		for _, c := range before[b] {
			if degree[c]--; degree[c] == 0 {
				todo = append(todo, c)
			}
		}
	}
	list := make([]buffer, 0, len(degree))
	for b := range degree {
		list = append(list, b)
	}
	slices.SortFunc(list, buffer.order)
	return list
}

// circles returns circles that share no buffer, each a list of turns, as short as a search from its first buffer finds. It is empty iff
// there is none.
func (r *Routes) circles(x *rules, g graph) (list [][]use) {
	rest := r.left(x, g)
	in := map[buffer]bool{}
	for _, b := range rest {
		in[b] = true
	}
	for _, b := range rest {
		if !in[b] {
			continue
		}
		c := r.circleAt(x, g, b, in)
		if c == nil {
			continue
		}
		for _, u := range c {
			delete(in, r.after(x, u))
		}
		list = append(list, c)
	}
	return list
}

// circleAt returns a shortest circle through a buffer, within a set, or nil.
func (r *Routes) circleAt(x *rules, g graph, start buffer, in map[buffer]bool) []use {
	from := map[buffer]use{}
	for todo := []buffer{start}; len(todo) > 0; todo = todo[1:] {
		list := slices.Clone(g[todo[0]])
		slices.SortFunc(list, func(a, b use) int { return cmp.Compare(a.turn, b.turn) })
		for _, u := range list {
			to := r.after(x, u)
			if _, seen := from[to]; seen || !in[to] {
				continue
			}
			from[to] = u
			if to == start {
				return r.back(from, start)
			}
			todo = append(todo, to)
		}
	}
	return nil
}

// back returns the turns of a circle that a search has found.
func (r *Routes) back(from map[buffer]use, start buffer) (list []use) {
	for at := start; len(list) == 0 || at != start; {
		u := from[at]
		list = append(list, u)
		at = buffer{r.Turns[u.turn].In, u.p}
	}
	slices.Reverse(list)
	return list
}
