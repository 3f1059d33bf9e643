package verify

import (
	"iter"
	"slices"

	"github.com/turnproof/turnproof/verify/clausal"
)

// stateEdges is the edges between states on which a worm, or a message under wormhole switching, can lie.
type stateEdges struct {
	first []int32 // by state: its first edge; one more entry at the end
	to    []int32 // by edge: the next state
}

// edges returns the states that the edges of state i lead to. It also works while first lacks its last entry.
func (g *stateEdges) edges(i int32) []int32 {
	if int(i)+1 < len(g.first) {
		return g.to[g.first[i]:g.first[i+1]]
	}
	return g.to[g.first[i]:]
}

// along returns the edges between states that follow each other.
func (g *stateEdges) along(states []int32) (edges []int32) {
	for k, i := range states[:len(states)-1] {
		edges = append(edges, g.first[i]+int32(slices.Index(g.edges(i), states[k+1])))
	}
	return edges
}

// edgeClauses is clauses with a variable for each edge: a worm lies on both of its states.
type edgeClauses struct {
	solver  *clausal.Solver
	graph   *stateEdges
	smaller int32 // the number of variables before those of edges
}

func (c *edgeClauses) goes(e int32) int32 { return c.smaller + e + 1 }

// without returns the clause: no worm lies on all of these states, which follow each other.
func (c *edgeClauses) without(states []int32) (clause []int32) {
	for _, e := range c.graph.along(states) {
		clause = append(clause, -c.goes(e))
	}
	return clause
}

// nextStates returns, by state, the state that its worm in the model goes on to, or -1.
func (c *edgeClauses) nextStates() []int32 {
	next := make([]int32, len(c.graph.first)-1)
	for i := range next {
		next[i] = -1
		for e := c.graph.first[i]; e < c.graph.first[i+1] && next[i] < 0; e++ {
			if c.solver.True(c.goes(e)) {
				next[i] = c.graph.to[e]
			}
		}
	}
	return next
}

// addRings adds a clause for each ring of edges in the model, and reports whether there are any.
func (c *edgeClauses) addRings() bool {
	next := c.nextStates()
	var rings [][]int32
	seen := make([]bool, len(next))
	for i := range next {
		var ring []int32
		at := int32(i)
		for ; at >= 0 && !seen[at]; at = next[at] {
			seen[at] = true
			ring = append(ring, at)
		}
		if k := slices.Index(ring, at); at >= 0 && k >= 0 {
			rings = append(rings, append(ring[k:], at))
		}
	}
	for _, ring := range rings {
		c.solver.Add(stepRing, c.without(ring)...)
	}
	return len(rings) > 0
}

// addBrokenAmong adds the pairs of literals of a group that are both true in the model, and reports whether there are any.
// Of each group at most one literal may be true.
func (c *edgeClauses) addBrokenAmong(groups iter.Seq[[]int32]) bool {
	var broken [][2]int32
	for literals := range groups {
		literals = slices.DeleteFunc(literals, func(l int32) bool { return !c.solver.True(l) })
		for k, l := range literals {
			for _, m := range literals[:k] {
				broken = append(broken, [2]int32{-m, -l})
			}
		}
	}
	for _, pair := range broken {
		c.solver.Add(stepPair, pair[:]...)
	}
	return len(broken) > 0
}
