package worms

import (
	"iter"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
)

// Edges is the edges between states on which a worm, or a message under wormhole switching, can lie.
type Edges struct {
	First []int32 // by state: its first edge; one more entry at the end
	To    []int32 // by edge: the next state
}

// edges returns the states that the edges of state i lead to. It also works while first lacks its last entry.
func (g *Edges) edges(i int32) []int32 {
	if int(i)+1 < len(g.First) {
		return g.To[g.First[i]:g.First[i+1]]
	}
	return g.To[g.First[i]:]
}

// along returns the edges between states that follow each other.
func (g *Edges) along(states []int32) (edges []int32) {
	for k, i := range states[:len(states)-1] {
		edges = append(edges, g.First[i]+int32(slices.Index(g.edges(i), states[k+1])))
	}
	return edges
}

// EdgeClauses is clauses with a variable for each edge: a worm lies on both of its states.
type EdgeClauses struct {
	Solver  *clausal.Solver
	Graph   *Edges
	Smaller int32 // the number of variables before those of edges
}

func (c *EdgeClauses) Goes(e int32) int32 { return c.Smaller + e + 1 }

// Without returns the clause: no worm lies on all of these states, which follow each other.
func (c *EdgeClauses) Without(states []int32) (clause []int32) {
	for _, e := range c.Graph.along(states) {
		clause = append(clause, -c.Goes(e))
	}
	return clause
}

// NextStates returns, by state, the state that its worm in the model goes on to, or -1.
func (c *EdgeClauses) NextStates() []int32 {
	next := make([]int32, len(c.Graph.First)-1)
	for i := range next {
		next[i] = -1
		for e := c.Graph.First[i]; e < c.Graph.First[i+1] && next[i] < 0; e++ {
			if c.Solver.True(c.Goes(e)) {
				next[i] = c.Graph.To[e]
			}
		}
	}
	return next
}

// AddRings adds a clause for each ring of edges in the model, and reports whether there are any.
func (c *EdgeClauses) AddRings() bool {
	next := c.NextStates()
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
		c.Solver.Add(StepRing, c.Without(ring)...)
	}
	return len(rings) > 0
}

// AddBrokenAmong adds the pairs of literals of a group that are both true in the model, and reports whether there are any.
// Of each group at most one literal may be true.
func (c *EdgeClauses) AddBrokenAmong(groups iter.Seq[[]int32]) bool {
	var broken [][2]int32
	for literals := range groups {
		literals = slices.DeleteFunc(literals, func(l int32) bool { return !c.Solver.True(l) })
		for k, l := range literals {
			for _, m := range literals[:k] {
				broken = append(broken, [2]int32{-m, -l})
			}
		}
	}
	for _, pair := range broken {
		c.Solver.Add(StepPair, pair[:]...)
	}
	return len(broken) > 0
}
