package priorities

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file finds circles of buffers.

// left reports for each buffer whether it is on a circle or between circles. It removes buffers that wait for none.
func (g *graph) left() (is []bool) {
	n := len(g.turnsFrom()) * g.k
	degree, first := make([]int32, n), make([]int32, n+1) // first: of the buffers before one, in before
	edges := func(visit func(i, to int)) {
		g.used.each(func(u use) {
			if t := g.Turns[u.turn]; t.In != model.NoChannel {
				visit(g.index(buffer{t.In, u.p}), g.index(buffer{t.Out, int8(g.x.at(u.turn, int(u.p)))}))
			}
		})
	}
	edges(func(i, to int) {
		degree[i]++
		first[to+1]++
	})
	for i := range n {
		first[i+1] += first[i]
	}
	before, put := make([]int32, first[n]), slices.Clone(first)
	edges(func(i, to int) {
		before[put[to]] = int32(i)
		put[to]++
	})
	var todo []int32
	for i, d := range degree {
		if d == 0 {
			todo = append(todo, int32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range before[first[i]:first[i+1]] {
			if degree[j]--; degree[j] == 0 {
				todo = append(todo, j)
			}
		}
	}
	is = make([]bool, n)
	for i, d := range degree {
		is[i] = d > 0
	}
	return is
}

// circles returns circles that share no buffer, each a list of turns, as short as a search from its first buffer finds. It is empty iff
// there is none.
func (g *graph) circles() (list [][]use) {
	in := g.left()
	for i := range in {
		if !in[i] {
			continue
		}
		c := g.circleAt(g.at(i), in)
		for _, u := range c {
			in[g.index(buffer{g.Turns[u.turn].In, u.p})] = false
		}
		if c != nil {
			list = append(list, c)
		}
	}
	return list
}

// circleAt returns a shortest circle through a buffer, within a set, or nil.
func (g *graph) circleAt(start buffer, in []bool) []use {
	from, isClosed := map[buffer]use{}, false
	for todo := []buffer{start}; len(todo) > 0 && !isClosed; todo = todo[1:] {
		g.waits(todo[0], func(u use, to buffer) {
			if _, seen := from[to]; seen || !in[g.index(to)] || isClosed {
				return
			}
			from[to] = u
			isClosed = to == start
			todo = append(todo, to)
		})
	}
	if !isClosed {
		return nil
	}
	return g.back(from, start)
}

// back returns the turns of a circle that a search has found.
func (g *graph) back(from map[buffer]use, start buffer) (list []use) {
	for at := start; len(list) == 0 || at != start; {
		u := from[at]
		list = append(list, u)
		at = buffer{g.Turns[u.turn].In, u.p}
	}
	slices.Reverse(list)
	return list
}
