package worms

import (
	"iter"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
)

// This file states as clauses that a deadlock of worms exists. docs/theorems/no-worms.md has the theorem.
//
// Variables: for each VC between switches, a worm of the deadlock holds it; for each state, a worm lies on
// it; for each edge, a worm lies on both its states, one directly behind the other.
//
// Clauses: some VC is held. Only a VC with a worm on one of its states is held. A worm on a state
// also lies on a next state, or its head is there and waits: all next VCs are held, or one of
// them if the state commits. An edge has both its states. At most one state of a VC is used, and at most
// one edge into a state. The edges contain no ring.
//
// The clauses about pairs and rings are added when a model needs them, unless the pairs are few.

// The kinds of clauses in a refutation, as in the certificate. Clauses of kind 0 follow from the relation.
const (
	StepPair  = 1 // two states of one VC, or two edges into one state
	StepApart = 2 // worms that cannot reach these places together
	StepRing  = 3 // edges of a ring
	StepLong  = 4 // edges of a worm that holds more VCs than a packet fills
)

// maxPairs is the largest number of pairs that are added at once.
const maxPairs = 1 << 20

// formula is the clauses of a Graph.
type formula struct {
	*Graph
	EdgeClauses
}

func (f *formula) held(v model.VCID) int32 { return int32(v) + 1 }
func (f *formula) lies(i int32) int32      { return int32(len(f.on)) + i + 1 }

// newFormula returns the clauses of g.
func newFormula(g *Graph) *formula {
	places := len(g.on) + len(g.states)
	f := &formula{g, EdgeClauses{clausal.New(places + len(g.To)), &g.Edges, int32(places)}}
	some := make([]int32, len(g.on))
	for v, states := range g.on {
		some[v] = f.held(model.VCID(v))
		clause := []int32{-some[v]}
		for _, i := range states {
			clause = append(clause, f.lies(i))
		}
		f.Solver.Add(0, clause...)
	}
	f.Solver.Add(0, some...)
	for i := range int32(len(g.states)) {
		f.addState(i)
	}
	if f.Solver.Settle() {
		f.addPairs()
	}
	return f
}

// addState adds the clauses of a state and of its edges.
func (f *formula) addState(i int32) {
	clause := []int32{-f.lies(i)}
	for e := f.First[i]; e < f.First[i+1]; e++ {
		f.Solver.Add(0, -f.Goes(e), f.lies(i))
		f.Solver.Add(0, -f.Goes(e), f.lies(f.To[e]))
		clause = append(clause, f.Goes(e))
	}
	vcs := f.nextVCs(i)
	switch {
	case f.commits[i]:
		for _, v := range vcs {
			clause = append(clause, f.held(v))
		}
		f.Solver.Add(0, clause...)
	case f.leaves[i]:
		f.Solver.Add(0, clause...)
	default:
		for _, v := range vcs {
			f.Solver.Add(0, append(slices.Clone(clause), f.held(v))...)
		}
	}
}

// addPairs adds the pairs that may be used, unless they are too many.
func (f *formula) addPairs() {
	var groups [][]int32
	pairs := 0
	for literals := range f.exclusive() {
		literals = slices.DeleteFunc(literals, func(l int32) bool { return f.Solver.True(-l) })
		groups = append(groups, literals)
		pairs += len(literals) * (len(literals) - 1) / 2
	}
	if pairs > maxPairs {
		return
	}
	for _, literals := range groups {
		for k, l := range literals {
			for _, m := range literals[:k] {
				f.Solver.Add(StepPair, -m, -l)
			}
		}
	}
}

// exclusive yields groups of literals of which at most one may be true: the states of a VC, and the edges into a state.
func (f *formula) exclusive() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for _, states := range f.on {
			var literals []int32
			for _, i := range states {
				literals = append(literals, f.lies(i))
			}
			if !yield(literals) {
				return
			}
		}
		for i := range int32(len(f.states)) {
			var literals []int32
			for _, e := range f.edgesInto(i) {
				literals = append(literals, f.Goes(e))
			}
			if !yield(literals) {
				return
			}
		}
	}
}

// addBrokenPairs adds the pairs that the model breaks, and reports whether there are any.
func (f *formula) addBrokenPairs() bool { return f.AddBrokenAmong(f.exclusive()) }

// exclude returns the clause: not all of these worms lie at their places.
func (f *formula) exclude(bodies [][]int32) (clause []int32) {
	for _, b := range bodies {
		if len(b) == 1 {
			clause = append(clause, -f.lies(b[0]))
		}
		clause = append(clause, f.Without(b)...)
	}
	return clause
}

// body is a worm of a deadlock: its states, that of its tail first, and the VCs that it waits for.
type body struct {
	states []int32
	waits  []model.VCID
	chosen model.VCID // the VC that it has chosen, or -1
}

// bodies returns the worms of the model.
func (f *formula) bodies() (list []body) {
	next := f.NextStates()
	follows := make([]bool, len(next))
	for _, j := range next {
		if j >= 0 {
			follows[j] = true
		}
	}
	for i := range int32(len(next)) {
		if !f.Solver.True(f.lies(i)) || follows[i] {
			continue
		}
		b := body{chosen: -1}
		for at := i; at >= 0; at = next[at] {
			b.states = append(b.states, at)
		}
		head := b.states[len(b.states)-1]
		b.waits = f.nextVCs(head)
		if f.commits[head] {
			k := slices.IndexFunc(b.waits, func(v model.VCID) bool { return f.Solver.True(f.held(v)) })
			b.chosen, b.waits = b.waits[k], b.waits[k:k+1]
		}
		list = append(list, b)
	}
	return list
}
