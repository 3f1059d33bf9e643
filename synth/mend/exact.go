package mend

import (
	"context"
	"time"

	"turnproof/cdg"
	"turnproof/model"
	"turnproof/synth/sat"
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
}

func newExact(p *problem) *exact {
	e := &exact{formula: newFormula(p.given), problem: p, depends: map[model.Turn]sat.Lit{}}
	e.dependency = e.variable
	for _, d := range p.lost {
		e.free(d)
	}
	return e
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

// ruleOut adds the clause of a cycle.
func (e *exact) ruleOut(cycle []model.VCID) {
	var clause []sat.Lit
	for _, dep := range cdg.Dependencies(cycle) {
		for _, d := range e.problem.users[dep] {
			e.free(d)
		}
		clause = append(clause, -e.variable(dep))
	}
	e.solver.Add(clause...)
}

// bound is how many entries change at least.
func (e *exact) bound() int { return e.wishes.Bound() }

// nearest returns the table and sat.Sat, or Unsat if no table will do, or Unknown when time is
// up or the bound has come to enough.
func (e *exact) nearest(ctx context.Context, until time.Time, enough int) (*model.Table, sat.Result, error) {
	for t := e.given; ; {
		g, err := cdg.Build(ctx, t)
		if err != nil {
			return nil, sat.Unknown, err
		}
		cycles := g.ShortCycles(cyclesAtOnce)
		if len(cycles) == 0 && (t != e.given || len(e.entry) == 0) { // nobody is lost in the solver's tables
			return t, sat.Sat, nil
		}
		for _, cycle := range cycles {
			e.ruleOut(cycle)
		}
		if r := e.wishes.Solve(ctx, until, enough); r != sat.Sat {
			return nil, r, ctx.Err()
		}
		t = e.given.Clone()
		e.apply(t)
	}
}
