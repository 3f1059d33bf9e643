// Package symmetric finds permutations that map a graph to itself, for fabrics with tiers: leaves of a pod, pods, planes and spines can be
// exchanged.
//
// It finds some of them, not all: it does not backtrack. Each is a symmetry, see Graph.Keeps.
//
// Read first: symmetric.go.
package symmetric

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Graph is an undirected graph. A neighbour that occurs twice has two edges.
type Graph struct {
	Near  [][]int // by vertex
	Color []int   // by vertex: a symmetry maps vertices to vertices of the same color
}

// Generators returns permutations of the vertices that map the graph to itself. First come those that exchange vertices with the same
// neighbours.
//
// Cost: O((vertices + edges) × depth) for each, where depth is the number of vertices that must be fixed until no symmetry is left, after
// vertices with the same neighbours have been joined.
func (g *Graph) Generators() (list [][]int) {
	sets := g.twins()
	for _, set := range sets {
		list = append(list, g.exchanges(set)...)
	}
	q := g.joined(sets)
	for _, p := range q.generators() {
		image := make([]int, len(g.Near))
		for x, set := range sets {
			for i, u := range set {
				image[u] = sets[p[x]][i]
			}
		}
		if g.Keeps(image) {
			list = append(list, image)
		}
	}
	return list
}

// Keeps reports whether a permutation maps the graph to itself.
func (g *Graph) Keeps(image []int) bool {
	var from, to []int
	for u, v := range image {
		from, to = from[:0], append(to[:0], g.Near[v]...)
		for _, w := range g.Near[u] {
			from = append(from, image[w])
		}
		slices.Sort(from)
		slices.Sort(to)
		if g.Color[u] != g.Color[v] || !slices.Equal(from, to) {
			return false
		}
	}
	return true
}

// twins returns the sets of vertices with the same color and neighbours, also those of one vertex.
func (g *Graph) twins() (sets [][]int) {
	of := map[string]int{}
	for u, near := range g.Near {
		sorted := slices.Sorted(slices.Values(near))
		key := fmt.Sprint(g.Color[u], sorted)
		i, ok := of[key]
		if !ok {
			i = len(sets)
			of[key] = i
			sets = append(sets, nil)
		}
		sets[i] = append(sets[i], u)
	}
	return sets
}

// exchanges returns the permutations that generate all those of a set.
func (g *Graph) exchanges(set []int) (list [][]int) {
	if len(set) < 2 {
		return nil
	}
	identity := make([]int, len(g.Near))
	for u := range identity {
		identity[u] = u
	}
	swap := slices.Clone(identity)
	swap[set[0]], swap[set[1]] = set[1], set[0]
	list = append(list, swap)
	if len(set) > 2 {
		turn := identity
		for i, u := range set {
			turn[u] = set[(i+1)%len(set)]
		}
		list = append(list, turn)
	}
	return list
}

// joined returns the graph whose vertices are the sets.
func (g *Graph) joined(sets [][]int) *Graph {
	of := make([]int, len(g.Near))
	for x, set := range sets {
		for _, u := range set {
			of[u] = x
		}
	}
	colors := map[[2]int]int{}
	q := &Graph{make([][]int, len(sets)), make([]int, len(sets))}
	for x, set := range sets {
		for _, v := range g.Near[set[0]] {
			q.Near[x] = append(q.Near[x], of[v])
		}
		key := [2]int{g.Color[set[0]], len(set)}
		if _, ok := colors[key]; !ok {
			colors[key] = len(colors)
		}
		q.Color[x] = colors[key]
	}
	return q
}

// mostFailed limits the searches for a symmetry that find none.
const mostFailed = 64

// generators returns symmetries until, as far as it finds, they map each vertex to each other one of its kind, and each edge.
func (g *Graph) generators() (list [][]int) {
	n := len(g.Near)
	type edge [2]int
	var edges []edge
	for u, near := range g.Near {
		for _, v := range near {
			if e := (edge{u, v}); !slices.Contains(edges[max(0, len(edges)-len(near)):], e) {
				edges = append(edges, e)
			}
		}
	}
	for u := range n {
		edges = append(edges, edge{u, u})
	}
	number := make(map[edge]int, len(edges))
	for i, e := range edges {
		number[e] = i
	}
	sets, failed := NewSets(len(edges)), 0
	a, b := g.begin(), g.begin()
	refine(g, a, b)
	first := map[[3]int][]int{} // by the colors of an edge: edges that no symmetry maps to each other, as far as found
	for i, e := range edges {
		same := 0
		if e[0] == e[1] {
			same = 1
		}
		key := [3]int{a[e[0]], a[e[1]], same}
		isNew := true
		for _, j := range first[key] {
			if sets.Find(i) == sets.Find(j) {
				isNew = false
				break
			}
			if failed > mostFailed {
				continue
			}
			p := g.match(edges[j], e)
			if p == nil {
				failed++
				continue
			}
			list = append(list, p)
			for k, x := range edges {
				sets.Join(k, number[edge{p[x[0]], p[x[1]]}])
			}
			isNew = false
			break
		}
		if isNew {
			first[key] = append(first[key], i)
		}
	}
	return list
}

// begin returns a coloring by the colors of the graph.
func (g *Graph) begin() []int { return slices.Clone(g.Color) }

// match returns a symmetry that maps both vertices of an edge to those of another one, or nil if it finds none.
func (g *Graph) match(from, to [2]int) []int {
	a, b := g.begin(), g.begin()
	fresh := slices.Max(g.Color) + 1
	for i := range from {
		a[from[i]], b[to[i]] = fresh+i, fresh+i
	}
	for {
		count, ok := refine(g, a, b)
		if !ok {
			return nil
		}
		if count == len(a) {
			break
		}
		seen, twice := make([]int, count), -1
		for u := range a {
			if seen[a[u]]++; seen[a[u]] == 2 {
				twice = a[u]
				break
			}
		}
		a[slices.Index(a, twice)], b[slices.Index(b, twice)] = count, count
	}
	at := make([]int, len(a))
	for v, c := range b {
		at[c] = v
	}
	image := make([]int, len(a))
	for u, c := range a {
		image[u] = at[c]
	}
	if !g.Keeps(image) {
		return nil
	}
	return image
}

// refine splits the colors of two colorings by the colors of the neighbours, until nothing changes. It returns the number of colors, which
// are 0, 1, 2, ... then. It fails if a color has different numbers of vertices in both.
func refine(g *Graph, a, b []int) (count int, ok bool) {
	for last := -1; ; last = count {
		number := map[string]int{}
		nextA, nextB := g.split(a, number), g.split(b, number)
		count = len(number)
		balance := make([]int, count)
		for u := range nextA {
			balance[nextA[u]]++
			balance[nextB[u]]--
		}
		copy(a, nextA)
		copy(b, nextB)
		if slices.ContainsFunc(balance, func(x int) bool { return x != 0 }) {
			return count, false
		}
		if count == last {
			return count, true
		}
	}
}

// split returns colors that tell apart vertices by their colors and those of their neighbours.
func (g *Graph) split(color []int, number map[string]int) []int {
	next := make([]int, len(color))
	var near []int
	var key []byte
	for u := range next {
		near = near[:0]
		for _, v := range g.Near[u] {
			near = append(near, color[v])
		}
		slices.Sort(near)
		key = binary.AppendUvarint(key[:0], uint64(color[u]))
		for _, c := range near {
			key = binary.AppendUvarint(key, uint64(c))
		}
		c, ok := number[string(key)]
		if !ok {
			c = len(number)
			number[string(key)] = c
		}
		next[u] = c
	}
	return next
}
