package verify

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/clausal"
	"github.com/turnproof/turnproof/verify/encode"
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
	*wormGraph
	solver *clausal.Solver
}

func (f *packetFormula) held(v model.VCID) int32 { return int32(v) + 1 }
func (f *packetFormula) lies(i int32) int32      { return int32(len(f.on)) + i + 1 }

// newPacketFormula returns the clauses: some VC is held, a held VC has a packet in one of its states, and a packet
// waits for held VCs only.
func newPacketFormula(g *wormGraph) *packetFormula {
	f := &packetFormula{g, clausal.New(len(g.on) + len(g.states))}
	var some []int32
	for v, states := range g.on {
		some = append(some, f.held(model.VCID(v)))
		clause := []int32{-f.held(model.VCID(v))}
		for _, i := range states {
			clause = append(clause, f.lies(i))
		}
		f.solver.Add(0, clause...)
	}
	f.solver.Add(0, some...)
	for i := range int32(len(g.states)) {
		var next []int32
		for _, v := range g.nextVCs(i) {
			next = append(next, f.held(v))
		}
		switch {
		case g.commits[i]:
			f.solver.Add(0, append(next, -f.lies(i))...)
		case g.leaves[i]:
			f.solver.Add(0, -f.lies(i))
		default:
			for _, l := range next {
				f.solver.Add(0, -f.lies(i), l)
			}
		}
	}
	return f
}

// bodies returns the packets of the model, one for each VC that is held.
func (f *packetFormula) bodies() (list []body) {
	for v, states := range f.on {
		if !f.solver.True(f.held(model.VCID(v))) {
			continue
		}
		k := slices.IndexFunc(states, func(i int32) bool { return f.solver.True(f.lies(i)) })
		b := body{states: states[k : k+1], waits: f.nextVCs(states[k]), chosen: -1}
		if f.commits[states[k]] {
			j := slices.IndexFunc(b.waits, func(v model.VCID) bool { return f.solver.True(f.held(v)) })
			b.chosen, b.waits = b.waits[j], b.waits[j:j+1]
		}
		list = append(list, b)
	}
	return list
}

// decideUnreachable returns a proof that packets which hold one VC each reach no deadlock. If they reach one, it replaces
// r.Configuration, and returns nil. It also returns nil if the question stays open, and sets r.NotReached to the reason. A schedule is
// one for buffers with several packets, too, but a proof is not.
func (r *Report) decideUnreachable(ctx context.Context) (*cert.Ints, error) {
	n := r.Relation.Network()
	_, isTable := r.Relation.(*model.Table)
	if r.noSearch {
		return nil, nil
	}
	g, err := newWormGraph(ctx, r.Relation, r.commits)
	if g == nil || err != nil {
		return nil, err
	}
	found, err := decidePackets(ctx, g)
	switch {
	case err != nil:
		return nil, err
	case found.deadlock != nil:
		r.setConfiguration(found)
	case found.proof == nil:
	case r.Multicast != nil:
		r.NotReached = "no deadlock of unicast packets is reached, and it is open for multicast packets"
	case isTable || !r.sizes.areAtomic() || n.IsInfiniBand():
		r.NotReached = "no deadlock is reached if a VC holds one packet at a time, and a VC may hold several"
	default:
		if r.Switching != model.Wormhole {
			r.DeadlockFree.Premises = append([]string{premiseAlone}, r.DeadlockFree.Premises...)
		}
		steps := encode.Steps(found.proof)
		r.proof = *steps
		return steps, nil
	}
	return nil, nil
}

// decidePackets decides whether packets that hold one VC each reach a deadlock. The reason in the result is not set.
func decidePackets(ctx context.Context, g *wormGraph) (wormVerdict, error) {
	timed, stop := context.WithTimeout(ctx, wormLimit)
	defer stop()
	f, failures := newPacketFormula(g), 0
	for failures <= maxFailures {
		switch result := f.solver.Solve(timed); {
		case ctx.Err() != nil:
			return wormVerdict{}, ctx.Err()
		case result == clausal.Unknown || result == clausal.Unsat && failures > 0:
			return wormVerdict{}, nil
		case result == clausal.Unsat:
			return wormVerdict{proof: f.solver.Refutation()}, nil
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
		f.solver.Add(stepApart, clause...)
	}
	return wormVerdict{}, nil
}
