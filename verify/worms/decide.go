package worms

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/reach"
)

// This file decides deadlock freedom under wormhole switching: worms are packets that hold any number of VCs.
//
// A solver chooses worms such that no two hold the same VC and each waits only for VCs that are held (clauses.go). A search then
// decides whether these worms can reach their places together (meet.go). If they cannot, a clause excludes the places, and the
// solver chooses again. If no choice is left, no deadlock exists, and the refutation of the clauses is the evidence.
//
// Premises: a VC holds flits of one packet at a time; all buffers between switches have the same
// size; packets may have any length, unless CanHold limits the VCs that a packet holds (long.go). docs/theorems/no-worms.md has the theorem.
// Promise: without a limit, a deadlock that is reached or a refutation. Cost: that of a SAT solver, and of the searches.

// Limit bounds the time of the decision, and maxFailures the choices whose worms the search gives up.
const (
	Limit       = 20 * time.Second
	maxFailures = 16
	// maxShrinking bounds the literals that the search for a smaller deadlock propagates.
	maxShrinking = 4_000_000
)

// Verdict is the result of a search: a deadlock, a refutation, or the reason why there is neither.
type Verdict struct {
	Deadlock []Packet // ascending by the VC of the head
	Schedule []int32  // the packets of Deadlock in the order of their moves
	Proof    []clausal.Step
	Why      string
}

// Packet is a packet of a deadlock.
type Packet struct {
	Packet *cdg.Packet
	Holds  int        // VCs that it holds, at the end of its path
	Chosen model.VCID // the VC that it has chosen, or -1
}

// Decide decides whether worms deadlock that hold as many VCs as canHold permits. If canHold is nil, they hold any number.
func (g *Graph) Decide(ctx context.Context, canHold CanHold) (Verdict, error) {
	g.canHold = canHold
	timed, stop := context.WithTimeout(ctx, Limit)
	defer stop()
	if bodies, way := g.findLocal(timed); bodies != nil {
		return g.deadlock(g.smaller(timed, bodies, way)), nil
	}
	f, failures := newFormula(g), 0
	for {
		switch result := f.Solver.Solve(timed); {
		case ctx.Err() != nil:
			return Verdict{}, ctx.Err()
		case result == clausal.Unknown:
			return Verdict{Why: fmt.Sprintf("the search for worms that block each other did not end within %v", Limit)}, nil
		case result == clausal.Unsat && failures > 0:
			return Verdict{Why: "worms of some packets would block each other, and it is open whether they can all reach their places"}, nil
		case result == clausal.Unsat:
			return Verdict{Proof: f.Solver.Refutation()}, nil
		}
		if f.addBrokenPairs() || f.AddRings() || f.addLong() {
			continue
		}
		bodies := f.closedBodies()
		switch way := g.meet(timed, statesOf(bodies)); way.Answer {
		case reach.Yes:
			return g.deadlock(g.smaller(timed, bodies, way)), nil
		case reach.No:
			apart := g.fewestApart(timed, statesOf(bodies))
			f.Solver.Add(StepApart, f.exclude(apart)...)
		default:
			if failures++; failures > maxFailures {
				return Verdict{Why: "worms of some packets would block each other, and it is open whether they can all reach their places"}, nil
			}
			f.Solver.Add(StepApart, f.exclude(statesOf(bodies))...)
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
func (f *formula) closedBodies() []body {
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
func (g *Graph) fewestClosed(all []body) (bodies []body) {
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
func (g *Graph) smaller(ctx context.Context, bodies []body, way reach.Result) ([]body, reach.Result) {
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
func (g *Graph) fewestApart(ctx context.Context, bodies [][]int32) [][]int32 {
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
func (g *Graph) deadlock(bodies []body, way reach.Result) (v Verdict) {
	order := make([]int, len(bodies))
	for k, b := range bodies {
		order[k] = k
		from := g.source[way.Paths[k][0]]
		channel, _ := g.network.Channel(from.VC)
		p := &cdg.Packet{Source: g.network.HostOf(channel), Dest: from.Dest, Path: []model.State{from}}
		for _, i := range way.Paths[k] {
			p.Path = append(p.Path, g.states[i])
		}
		v.Deadlock = append(v.Deadlock, Packet{p, len(b.states), b.chosen})
	}
	slices.SortFunc(order, func(a, b int) int { return int(v.Deadlock[a].headVC()) - int(v.Deadlock[b].headVC()) })
	place := make([]int32, len(bodies))
	sorted := make([]Packet, len(bodies))
	for k, i := range order {
		place[i], sorted[k] = int32(k), v.Deadlock[i]
	}
	for _, i := range way.Moves {
		v.Schedule = append(v.Schedule, place[i])
	}
	v.Deadlock = sorted
	return v
}

func (w *Packet) headVC() model.VCID { return w.Packet.Path[len(w.Packet.Path)-1].VC }

// Schedule returns the deadlock of packets that hold one VC each, at the ends of their paths, by any paths and with their
// moves, if they come together. chosen is the VC that each has chosen, or nil.
func (g *Graph) Schedule(ctx context.Context, packets []*cdg.Packet, chosen []model.VCID) (Verdict, reach.Answer) {
	var bodies []body
	for i, p := range packets {
		at := p.Path[len(p.Path)-1]
		k := slices.IndexFunc(g.on[at.VC], func(i int32) bool {
			return g.states[i].Class == at.Class && g.states[i].Dest == g.like[p.Dest]
		})
		b := body{states: []int32{g.on[at.VC][k]}, chosen: -1}
		if chosen != nil {
			b.chosen = chosen[i]
		}
		bodies = append(bodies, b)
	}
	way := g.meet(ctx, statesOf(bodies))
	if way.Answer != reach.Yes {
		return Verdict{}, way.Answer
	}
	return g.deadlock(bodies, way), way.Answer
}

// Clauses returns a solver with the clauses that worms of any lengths block each other, without those of pairs and rings
// that no model has needed.
func (g *Graph) Clauses() *clausal.Solver { return newFormula(g).Solver }

// PacketClauses returns a solver with the clauses that packets which hold one VC each block each other.
func (g *Graph) PacketClauses() *clausal.Solver { return newPacketFormula(g).Solver }
