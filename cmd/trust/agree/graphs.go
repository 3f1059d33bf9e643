package agree

import (
	"iter"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file lists all connected graphs of few vertices, one of each kind: 1, 1, 2, 6, 21, 112
// for 1 to 6 vertices (OEIS A001349).
//
// Method: a graph is a bit for each pair of vertices; all are gone through, and of each that
// has not been seen all renumberings are marked as seen. Cost: n! for each graph kept, 0.2 s
// for 6 vertices.

// mostVertices is up to how many vertices there are lists.
const mostVertices = 6

// graph is its edges; vertices are numbered from 0.
type graph struct {
	vertices int
	edges    [][2]int
}

// connectedGraphs lists the connected graphs of n vertices.
func connectedGraphs(n int) (list []graph) {
	var pairs [][2]int
	number := map[[2]int]int{}
	for v := range n {
		for u := range v {
			number[[2]int{u, v}] = len(pairs)
			pairs = append(pairs, [2]int{u, v})
		}
	}
	orders := slices.Collect(permutations(n))
	seen := make([]bool, 1<<len(pairs))
	for set := range seen {
		if seen[set] {
			continue
		}
		g := graph{vertices: n}
		for i, p := range pairs {
			if set>>i&1 == 1 {
				g.edges = append(g.edges, p)
			}
		}
		for _, order := range orders {
			image := 0
			for _, e := range g.edges {
				u, v := order[e[0]], order[e[1]]
				image |= 1 << number[[2]int{min(u, v), max(u, v)}]
			}
			seen[image] = true
		}
		if g.connected() {
			list = append(list, g)
		}
	}
	return list
}

// permutations yields all orders of n numbers.
func permutations(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		order, used := make([]int, 0, n), make([]bool, n)
		var more func() bool
		more = func() bool {
			if len(order) == n {
				return yield(slices.Clone(order))
			}
			for v := range n {
				if used[v] {
					continue
				}
				used[v], order = true, append(order, v)
				ok := more()
				used[v], order = false, order[:len(order)-1]
				if !ok {
					return false
				}
			}
			return true
		}
		more()
	}
}

func (g graph) connected() bool {
	part := make([]int, g.vertices) // the least vertex that it is known to hang together with
	for v := range part {
		part[v] = v
	}
	for range g.vertices {
		for _, e := range g.edges {
			least := min(part[e[0]], part[e[1]])
			part[e[0]], part[e[1]] = least, least
		}
	}
	return slices.Max(part) == 0
}

// network has a switch with a host for each vertex.
func (g graph) network() *model.Network {
	c := Case{VCs: 1, Switches: g.vertices, Links: g.edges}
	for u := range g.vertices {
		c.Hosts = append(c.Hosts, u)
	}
	n, err := c.network()
	if err != nil {
		panic(err)
	}
	return n
}
