package agree

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file lists all connected graphs of few vertices, without isomorphic ones: 1, 1, 2, 6, 21 and
// 112 graphs of 1 to 6 vertices (OEIS A001349).
//
// Method: a graph is a number with a bit for each pair of vertices. For each number that is not yet
// marked, the numbers of all isomorphic graphs are marked. Cost: n! for each graph, 0.2 s for 6
// vertices.

// mostVertices is the largest number of vertices that the stage uses.
const mostVertices = 6

// graph is a list of edges between vertices 0, 1, ....
type graph struct {
	vertices int
	edges    [][2]int
}

// connectedGraphs returns the connected graphs of n vertices.
func connectedGraphs(n int) (list []graph) {
	var pairs [][2]int
	number := map[[2]int]int{}
	for v := range n {
		for u := range v {
			number[[2]int{u, v}] = len(pairs)
			pairs = append(pairs, [2]int{u, v})
		}
	}
	seen, orders := make([]bool, 1<<len(pairs)), permutations(n)
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

// permutations returns all orders of 0 to n-1.
func permutations(n int) (list [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for i := range n {
			list = append(list, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return list
}

func (g graph) connected() bool {
	part := make([]int, g.vertices) // the least vertex of the part that is known so far
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

// network returns a network with a switch and a host for each vertex.
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
