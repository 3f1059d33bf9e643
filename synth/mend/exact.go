package mend

import (
	"context"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file finds the nearest table without a cycle of dependencies.
//
// A table that nearest returns delivers all packets and has no cycle. No such table differs from
// the given one in fewer entries. Every such table differs in at least bound entries. Cycles
// become clauses as they are found. A destination enters the formula when one of its dependencies
// lies on a cycle that was found; until then its entries need not change.

// cyclesAtOnce is the largest number of cycles that become clauses before the solver runs again.
const cyclesAtOnce = 2000

type exact struct {
	*formula
	problem *problem
	depends map[model.Turn]sat.Lit
	room    int // number of further clauses that fit in memory
	least   int // lower bound of problem.lowerBound
}

// clauseBytes is the memory of a clause in the solver, including garbage that is not collected
// yet.
const clauseBytes = 200

func newExact(p *problem, memory int64) *exact {
	e := &exact{formula: newFormula(p.given), problem: p, depends: map[model.Turn]sat.Lit{}, least: len(p.lost)}
	e.room = int(memory / clauseBytes)
	e.dependency = e.variable
	return e
}

// open lets the entries of the listed destinations change. It returns false if memory or time is
// used up.
func (e *exact) open(ctx context.Context, list []model.DestID) bool {
	for _, d := range list {
		if _, ok := e.entry[d]; ok {
			continue
		}
		if e.room -= clauses(e.given); e.room < 0 || ctx.Err() != nil {
			return false
		}
		e.free(d)
	}
	return true
}

// variable returns the variable of a dependency. A dependency that returns to the switch where the
// packet just was is false: the packet would circulate forever.
func (e *exact) variable(dep model.Turn) sat.Lit {
	l, ok := e.depends[dep]
	if !ok {
		l = e.solver.Var()
		e.depends[dep] = l
		n := e.given.Network()
		in, _ := n.Channel(dep.In)
		out, _ := n.Channel(dep.Out)
		if n.Head(out) == n.Tail(in) {
			e.solver.Add(-l)
		}
	}
	return l
}

// ruleOut adds a clause against a cycle. It returns false if memory or time is used up.
func (e *exact) ruleOut(ctx context.Context, cycle []model.VCID) bool {
	var clause []sat.Lit
	for _, dep := range cdg.Dependencies(cycle) {
		if e.problem.fixed[dep] {
			continue
		}
		if !e.open(ctx, e.problem.users[dep]) {
			return false
		}
		clause = append(clause, -e.variable(dep))
	}
	e.solver.Add(clause...)
	return true
}

// bound returns a lower bound on the number of changes.
func (e *exact) bound() int { return max(e.least, e.wishes.Bound()) }

// nearest returns the nearest table and sat.Sat, or sat.Unsat if no valid table exists. It returns
// sat.Unknown if time or memory is used up, or if the bound has reached enough.
func (e *exact) nearest(ctx context.Context, until time.Time, enough int) (*model.Table, sat.Result, error) {
	limited, stop := context.WithDeadline(ctx, until)
	defer stop()
	for t := e.given; ; {
		g, err := cdg.BuildMulticast(limited, t, e.problem.multicast, nil)
		if err != nil {
			return nil, sat.Unknown, ctx.Err()
		}
		cycles := g.ShortCycles(limited, cyclesAtOnce)
		if len(cycles) == 0 && (t != e.given || len(e.problem.lost) == 0) { // tables of the solver lose no packets
			return t, sat.Sat, nil
		}
		if t == e.given {
			e.least = max(e.least, e.problem.lowerBound(cycles))
		}
		if e.bound() >= enough || !e.open(limited, e.problem.lost) {
			return nil, sat.Unknown, ctx.Err()
		}
		for _, cycle := range cycles {
			if !e.ruleOut(limited, cycle) {
				return nil, sat.Unknown, ctx.Err()
			}
		}
		if r := e.wishes.Solve(ctx, until, enough); r != sat.Sat {
			return nil, r, ctx.Err()
		}
		t = e.given.Clone()
		e.apply(t)
	}
}
