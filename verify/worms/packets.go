package worms

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/reach"
)

// This file decides whether packets that hold one VC each reach any deadlock from the empty network. To exclude one
// deadlock is not enough: another one may be reached.
//
// A solver chooses packets that block each other. A search decides whether they reach their places together. If not,
// it finds few of the packets that do not, and a clause excludes these places together. All clauses hold in each state of
// the network that a run reaches. If they leave no deadlock, none is reached, and the refutation is the evidence.
//
// Variables: for each VC between switches, a packet of the deadlock holds it; for each state, a packet of the
// deadlock is there.
//
// Premise: a VC holds one packet at a time. docs/theorems/unreachable.md has the theorem.
// Promise: without a limit, a deadlock that is reached or a refutation. Cost: that of a SAT solver, and of the searches.

// packetFormula is the clauses about packets that block each other.
type packetFormula struct {
	*Graph
	Solver *clausal.Solver
}

func (f *packetFormula) held(v model.VCID) int32 { return int32(v) + 1 }
func (f *packetFormula) lies(i int32) int32      { return int32(len(f.on)) + i + 1 }

// newPacketFormula returns the clauses: some VC is held, a held VC has a packet in one of its states, and a packet
// waits for held VCs only.
func newPacketFormula(g *Graph) *packetFormula {
	f := &packetFormula{g, clausal.New(len(g.on) + len(g.states))}
	var some []int32
	for v, states := range g.on {
		some = append(some, f.held(model.VCID(v)))
		clause := []int32{-f.held(model.VCID(v))}
		for _, i := range states {
			clause = append(clause, f.lies(i))
		}
		f.Solver.Add(0, clause...)
	}
	f.Solver.Add(0, some...)
	for i := range int32(len(g.states)) {
		var next []int32
		for _, v := range g.nextVCs(i) {
			next = append(next, f.held(v))
		}
		switch {
		case g.commits[i]:
			f.Solver.Add(0, append(next, -f.lies(i))...)
		case g.leaves[i]:
			f.Solver.Add(0, -f.lies(i))
		default:
			for _, l := range next {
				f.Solver.Add(0, -f.lies(i), l)
			}
		}
	}
	return f
}

// bodies returns the packets of the model, one for each VC that is held.
func (f *packetFormula) bodies() (list []body) {
	for v, states := range f.on {
		if !f.Solver.True(f.held(model.VCID(v))) {
			continue
		}
		k := slices.IndexFunc(states, func(i int32) bool { return f.Solver.True(f.lies(i)) })
		b := body{states: states[k : k+1], waits: f.nextVCs(states[k]), chosen: -1}
		if f.commits[states[k]] {
			j := slices.IndexFunc(b.waits, func(v model.VCID) bool { return f.Solver.True(f.held(v)) })
			b.chosen, b.waits = b.waits[j], b.waits[j:j+1]
		}
		list = append(list, b)
	}
	return list
}

// DecidePackets decides whether packets that hold one VC each reach a deadlock. The reason in the result is not set.
func (g *Graph) DecidePackets(ctx context.Context) (Verdict, error) {
	timed, stop := context.WithTimeout(ctx, Limit)
	defer stop()
	f, failures := newPacketFormula(g), 0
	for failures <= maxFailures {
		switch result := f.Solver.Solve(timed); {
		case ctx.Err() != nil:
			return Verdict{}, ctx.Err()
		case result == clausal.Unknown || result == clausal.Unsat && failures > 0:
			return Verdict{}, nil
		case result == clausal.Unsat:
			return Verdict{Proof: f.Solver.Refutation()}, nil
		}
		bodies := g.fewestClosed(f.bodies())
		apart := statesOf(bodies)
		switch way := g.meet(timed, apart); way.Answer {
		case reach.Yes:
			return g.deadlock(bodies, way), nil
		case reach.No:
			apart = g.fewestApart(timed, apart)
		default:
			failures++
		}
		var clause []int32
		for _, b := range apart {
			clause = append(clause, -f.lies(b[0]))
		}
		f.Solver.Add(StepApart, clause...)
	}
	return Verdict{}, nil
}
