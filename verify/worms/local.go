package worms

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/reach"
)

// This file searches for a deadlock of worms near one switch, in large networks. Such deadlocks are frequent
// and have few VCs, and the formula of a part is small.

const (
	localStates = 5000 // graphs with fewer states have no local search
	maxCentres  = 24   // switches around which is searched, spread over the network
	maxRadius   = 3    // hops between a switch and the VCs near it
	localWork   = 400_000
)

// findLocal returns a deadlock on VCs near some switch, with the moves of its worms, or nil.
func (g *Graph) findLocal(ctx context.Context) ([]body, reach.Result) {
	switches := g.network.NumSwitches()
	step := max(1, switches/maxCentres)
	for radius := 1; radius <= maxRadius && len(g.states) > localStates; radius++ {
		for u := step / 2; u < switches && ctx.Err() == nil; u += step {
			part := g.part(g.vcsNear(model.SwitchID(u), radius))
			bodies := part.findWorms(ctx, localWork)
			if bodies == nil {
				continue
			}
			if way := g.meet(ctx, statesOf(bodies)); way.Answer == reach.Yes {
				return bodies, way
			}
		}
	}
	return nil, reach.Result{}
}

// vcsNear marks the VCs between switches at most radius hops away from u.
func (g *Graph) vcsNear(u model.SwitchID, radius int) []bool {
	n := g.network
	near, list := map[model.SwitchID]bool{u: true}, []model.SwitchID{u}
	for range radius {
		for _, v := range slices.Clone(list) {
			for _, c := range n.Out(v) {
				if w := n.Head(c); n.Kind(c) == model.SwitchToSwitch && !near[w] {
					near[w] = true
					list = append(list, w)
				}
			}
		}
	}
	within := make([]bool, len(g.on))
	for v := range within {
		c, _ := n.Channel(model.VCID(v))
		within[v] = near[n.Tail(c)] && near[n.Head(c)]
	}
	return within
}

// findWorms returns worms that block each other in the part, with their states in the whole graph. If there are none, or the
// solver propagates more than work literals, it returns nil.
func (p *subgraph) findWorms(ctx context.Context, work int64) []body {
	f := newFormula(p.Graph)
	f.Solver.Limit(work)
	result := f.Solver.Solve(ctx)
	for result == clausal.Sat && (f.addBrokenPairs() || f.AddRings() || f.addLong()) {
		result = f.Solver.Solve(ctx)
	}
	p.work = f.Solver.Work()
	if result != clausal.Sat {
		return nil
	}
	bodies := f.closedBodies()
	for k := range bodies {
		bodies[k].states = p.whole(bodies[k].states)
	}
	return bodies
}
