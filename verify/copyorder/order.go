// Package copyorder ranks places and the packets that hold them, such that packets that are copied on their paths do not block each other.
// verify/cert/copyorder.go has the theorem, and judges the order with other code.
//
// Read first: order.go; the judge: verify/cert/copyorder.go.
package copyorder

import (
	"slices"
	"sort"
)

// Tree is the places of packets of one source, which are copied where their paths part. A place occurs once.
type Tree struct {
	Places []int32
	Before []int32   // by index in Places: the index of the place before it on the paths, or -1
	Needs  [][]int32 // by index in Places: places that must get room before the copy there is consumed
}

// graph is the holders of places, and the places that they wait for. Its vertices are:
//
//	p                  packets without a tree hold place p
//	places + p         packets without a tree, or hosts, wait for place p
//	first[k] + 2i      packets of tree k hold its place i
//	first[k] + 2i + 1  packets of tree k wait for its place i
type graph struct {
	waits [][]int32
	trees []Tree
	first []int
	hold  [][][2]int32 // by place: the trees that hold it, and the index of the place in them
	size  int
}

// Find returns ranks by place for packets without a tree, then for each tree by its places. It returns nil if there are none. waits
// has, by place, the places that packets without a tree wait for.
// Cost: for each tree the square of its places; for each place the square of the trees that hold it.
func Find(waits [][]int32, trees []Tree) []int32 {
	g := &graph{waits: waits, trees: trees, hold: make([][][2]int32, len(waits)), size: 2 * len(waits)}
	for k, t := range trees {
		g.first = append(g.first, g.size)
		g.size += 2 * len(t.Places)
		for i, p := range t.Places {
			g.hold[p] = append(g.hold[p], [2]int32{int32(k), int32(i)})
		}
	}
	position := g.sort()
	if position == nil {
		return nil
	}
	ranks := slices.Clone(position[:len(waits)])
	for k, t := range trees {
		for i := range t.Places {
			ranks = append(ranks, position[g.first[k]+2*i])
		}
	}
	return ranks
}

// sort returns the position of each vertex in a topological order (Kahn 1962), or nil if there is a cycle.
func (g *graph) sort() []int32 {
	before, position := make([]int32, g.size), make([]int32, g.size)
	for v := range g.size {
		g.each(v, func(w int) { before[w]++ })
	}
	var order []int
	for v, n := range before {
		if n == 0 {
			order = append(order, v)
		}
	}
	for k := 0; k < len(order); k++ {
		position[order[k]] = int32(k)
		g.each(order[k], func(w int) {
			if before[w]--; before[w] == 0 {
				order = append(order, w)
			}
		})
	}
	if len(order) < g.size {
		return nil
	}
	return position
}

// each calls f for the vertices after vertex v.
func (g *graph) each(v int, f func(int)) {
	places := len(g.waits)
	switch {
	case v < places:
		for _, p := range g.waits[v] {
			f(places + int(p))
		}
		return
	case v < 2*places:
		g.eachHolder(int32(v-places), -1, f)
		return
	}
	k := sort.Search(len(g.first), func(k int) bool { return g.first[k] > v }) - 1
	t, i := &g.trees[k], (v-g.first[k])/2
	if (v-g.first[k])%2 == 1 {
		g.eachHolder(t.Places[i], int32(k), f)
		return
	}
	given := make([]bool, len(t.Places))
	for j := int32(i); j >= 0; j = t.Before[j] {
		given[j] = true
	}
	for j := range t.Places {
		if !given[j] {
			f(g.first[k] + 2*j + 1)
		}
		for _, p := range t.Needs[j] {
			f(places + int(p))
		}
	}
}

// eachHolder calls f for the vertices that hold place p, except those of a tree.
func (g *graph) eachHolder(p, tree int32, f func(int)) {
	f(int(p))
	for _, h := range g.hold[p] {
		if h[0] != tree {
			f(g.first[h[0]] + 2*int(h[1]))
		}
	}
}
