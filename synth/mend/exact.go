package mend

import (
	"context"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file asks for the nearest table without a cycle of dependencies.
//
// Promise: a table that nearest returns delivers all packets, has no cycle, and no such table
// differs from the given one in fewer entries; bound entries differ in every such table.
// Method: cycles become clauses as they turn up, and so do destinations: as long as no
// dependency of a destination is in a cycle that turned up, its entries need not change.

// cyclesAtOnce bounds how many cycles are ruled out before the solver is asked again.
const cyclesAtOnce = 2000

type exact struct {
	*formula
	problem *problem
	depends map[model.Turn]sat.Lit
	room    int // clauses that memory has room for
	least   int // changes, by problem.lowerBound
}

// clauseBytes is what a clause takes in the solver, with its share of what the garbage collector
// has not freed yet.
const clauseBytes = 200

func newExact(p *problem, memory int64) *exact {
	e := &exact{formula: newFormula(p.given), problem: p, depends: map[model.Turn]sat.Lit{}, least: len(p.lost)}
	e.room = int(memory / clauseBytes)
	e.dependency = e.variable
	return e
}

// open lets the entries for the destinations change, and reports false when memory or time is up.
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

// variable returns that of a dependency. One that leads back to where the packet was just now
// is false: it would go round for ever.
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

// ruleOut adds the clause of a cycle, and reports false when memory or time is up.
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

// bound is how many entries change at least.
func (e *exact) bound() int { return max(e.least, e.wishes.Bound()) }

// nearest returns the table and sat.Sat, or Unsat if no table will do, or Unknown when time or
// memory is up or the bound has come to enough.
func (e *exact) nearest(ctx context.Context, until time.Time, enough int) (*model.Table, sat.Result, error) {
	limited, stop := context.WithDeadline(ctx, until)
	defer stop()
	for t := e.given; ; {
		g, err := cdg.BuildMulticast(limited, t, e.problem.multicast)
		if err != nil {
			return nil, sat.Unknown, ctx.Err()
		}
		cycles := g.ShortCycles(limited, cyclesAtOnce)
		if len(cycles) == 0 && (t != e.given || len(e.problem.lost) == 0) { // nobody is lost in the solver's tables
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
