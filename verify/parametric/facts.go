package parametric

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// This file defines exact facts about small networks of the family: reachable states and
// dependencies. They guide the search for invariants and ranks, and tell whether an
// invariant or the template is too weak. They prove nothing.

// maxHopFacts bounds the hops of packets that are stored. Small networks come first.
const maxHopFacts = 20_000

// fact is a reachable, undelivered state on a channel. point has the coordinates of its head.
type fact struct {
	class class
	point []int64
}

// dependency is a pair of channels, each by node and tail.
type dependency struct {
	from, to         node
	fromTail, toTail []int64 // points of which only coordinates and sizes count
	first, last      bool    // in some state, the program names this output first, or last
}

type facts struct {
	states       []fact
	settings     [][]int
	moves        map[[2]class]bool
	taken        map[int]bool // paths
	dependencies []dependency
	relations    []model.Relation
}

func newFacts() *facts { return &facts{moves: map[[2]class]bool{}, taken: map[int]bool{}} }

func (f *facts) addHop(d dependency) {
	if len(f.dependencies) < maxHopFacts && d.from.dir != program.NoDir {
		f.dependencies = append(f.dependencies, d)
	}
}
