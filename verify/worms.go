package verify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/clausal"
	"github.com/turnproof/turnproof/verify/reach"
)

// This file decides deadlock freedom under wormhole switching: worms are packets that hold any number of VCs.
//
// A solver chooses worms such that no two hold the same VC and each waits only for VCs that are held
// (wormclauses.go). A search then decides whether these worms can reach their places together
// (wormretreat.go). If they cannot, a clause excludes the places, and the solver chooses again. If no choice is left, no deadlock exists, and
// the refutation of the clauses is the evidence.
//
// Premises: a VC holds flits of one packet at a time; all buffers between switches have the same
// size; packets may have any length. docs/theorems/no-worms.md has the theorem.
// Promise: without a limit, a deadlock that is reached or a refutation. Cost: that of a SAT solver, and of the searches.

// wormLimit bounds the time of the decision, and maxFailures the choices whose worms the search gives up.
const (
	wormLimit   = 20 * time.Second
	maxFailures = 16
	// maxShrinking bounds the literals that the search for a smaller deadlock propagates.
	maxShrinking = 4_000_000
)

// wormVerdict is the result of decideWorms: a deadlock, a refutation, or the reason why there is neither.
type wormVerdict struct {
	deadlock []wormPacket // ascending by the VC of the head
	schedule []int32      // the packets of deadlock in the order of their moves
	proof    []clausal.Step
	why      string
}

// wormPacket is a packet of a deadlock.
type wormPacket struct {
	packet *cdg.Packet
	holds  int        // VCs that it holds, at the end of its path
	chosen model.VCID // the VC that it has chosen, or -1
}

// decideWorms decides whether worms of any lengths deadlock.
func decideWorms(ctx context.Context, g *wormGraph) (wormVerdict, error) {
	timed, stop := context.WithTimeout(ctx, wormLimit)
	defer stop()
	if bodies, way := g.findLocalWorms(timed); bodies != nil {
		return g.deadlock(g.smaller(timed, bodies, way)), nil
	}
	f, failures := newWormFormula(g), 0
	for {
		switch result := f.solver.Solve(timed); {
		case ctx.Err() != nil:
			return wormVerdict{}, ctx.Err()
		case result == clausal.Unknown:
			return wormVerdict{why: fmt.Sprintf("the search for worms that block each other did not end within %v", wormLimit)}, nil
		case result == clausal.Unsat && failures > 0:
			return wormVerdict{why: "worms of some packets would block each other, and it is open whether they can all reach their places"}, nil
		case result == clausal.Unsat:
			return wormVerdict{proof: f.solver.Refutation()}, nil
		}
		if f.addBrokenPairs() || f.addRings() {
			continue
		}
		bodies := f.closedBodies()
		switch way := g.meet(timed, statesOf(bodies)); way.Answer {
		case reach.Yes:
			return g.deadlock(g.smaller(timed, bodies, way)), nil
		case reach.No:
			apart := g.fewestApart(timed, statesOf(bodies))
			f.solver.Add(stepApart, f.exclude(apart)...)
		default:
			if failures++; failures > maxFailures {
				return wormVerdict{why: "worms of some packets would block each other, and it is open whether they can all reach their places"}, nil
			}
			f.solver.Add(stepApart, f.exclude(statesOf(bodies))...)
		}
	}
}

// statesOf returns the states of worms.
func statesOf(bodies []body) (list [][]int32) {
	for _, b := range bodies {
		list = append(list, b.states)
	}
	return list
}

// closedBodies returns the fewest worms of the model that form a deadlock without the others. They hold no
// VC behind the last one that worms wait for.
func (f *wormFormula) closedBodies() []body {
	bodies := f.fewestClosed(f.bodies())
	awaited := map[model.VCID]bool{}
	for _, b := range bodies {
		for _, v := range b.waits {
			awaited[v] = true
		}
	}
	for k := range bodies {
		b := &bodies[k]
		for len(b.states) > 1 && !awaited[f.states[b.states[0]].VC] {
			b.states = b.states[1:]
		}
	}
	return bodies
}

// fewestClosed returns the fewest worms of a deadlock that form a deadlock without the others.
func (g *wormGraph) fewestClosed(all []body) (bodies []body) {
	holder := map[model.VCID]int{}
	for k, b := range all {
		for _, i := range b.states {
			holder[g.states[i].VC] = k
		}
	}
	var best []int
	for k := range all {
		list, seen := []int{k}, map[int]bool{k: true}
		for n := 0; n < len(list); n++ {
			for _, v := range all[list[n]].waits {
				if j := holder[v]; !seen[j] {
					seen[j] = true
					list = append(list, j)
				}
			}
		}
		if best == nil || len(list) < len(best) {
			best = list
		}
	}
	for _, k := range best {
		bodies = append(bodies, all[k])
	}
	return bodies
}

// smaller returns a deadlock that holds fewer VCs, with the moves of its worms, if it finds one on the
// same VCs. It tries to do without each VC, until a limit of work.
func (g *wormGraph) smaller(ctx context.Context, bodies []body, way reach.Result) ([]body, reach.Result) {
	within := make([]bool, len(g.on))
	mark := func() (vcs []model.VCID) {
		clear(within)
		for _, b := range bodies {
			for _, i := range b.states {
				within[g.states[i].VC] = true
				vcs = append(vcs, g.states[i].VC)
			}
		}
		return vcs
	}
	left := int64(maxShrinking)
	for _, v := range mark() {
		if !within[v] || ctx.Err() != nil || left <= 0 {
			continue
		}
		within[v] = false
		part := g.part(within)
		fewer := part.findWorms(ctx, left)
		within[v] = true
		if left -= part.work; fewer == nil {
			continue
		}
		if found := g.meet(ctx, statesOf(fewer)); found.Answer == reach.Yes {
			bodies, way = fewer, found
			mark()
		}
	}
	return bodies, way
}

// fewestApart returns some of the worms, or worms on parts of their places, that cannot come there together either.
func (g *wormGraph) fewestApart(ctx context.Context, bodies [][]int32) [][]int32 {
	isApart := func(list [][]int32) bool {
		return g.meet(ctx, list).Answer == reach.No
	}
	for k := 0; k < len(bodies); {
		if fewer := slices.Delete(slices.Clone(bodies), k, k+1); len(fewer) > 0 && isApart(fewer) {
			bodies = fewer
			continue
		}
		k++
	}
	for k := range bodies {
		for _, cut := range []func(b []int32) []int32{
			func(b []int32) []int32 { return b[1:] }, func(b []int32) []int32 { return b[:len(b)-1] },
		} {
			for len(bodies[k]) > 1 {
				shorter := slices.Clone(bodies)
				shorter[k] = cut(bodies[k])
				if !isApart(shorter) {
					break
				}
				bodies = shorter
			}
		}
	}
	return bodies
}

// deadlock returns the packets of worms that reach their places by some moves.
func (g *wormGraph) deadlock(bodies []body, way reach.Result) (v wormVerdict) {
	order := make([]int, len(bodies))
	for k, b := range bodies {
		order[k] = k
		from := g.source[way.Paths[k][0]]
		channel, _ := g.network.Channel(from.VC)
		p := &cdg.Packet{Source: g.network.HostOf(channel), Dest: from.Dest, Path: []model.State{from}}
		for _, i := range way.Paths[k] {
			p.Path = append(p.Path, g.states[i])
		}
		v.deadlock = append(v.deadlock, wormPacket{p, len(b.states), b.chosen})
	}
	slices.SortFunc(order, func(a, b int) int { return int(v.deadlock[a].headVC()) - int(v.deadlock[b].headVC()) })
	place := make([]int32, len(bodies))
	sorted := make([]wormPacket, len(bodies))
	for k, i := range order {
		place[i], sorted[k] = int32(k), v.deadlock[i]
	}
	for _, i := range way.Moves {
		v.schedule = append(v.schedule, place[i])
	}
	v.deadlock = sorted
	return v
}

func (w *wormPacket) headVC() model.VCID { return w.packet.Path[len(w.packet.Path)-1].VC }
