package sat

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// This file wraps gini, a CDCL solver in Go (github.com/go-air/gini, MIT license).
//
// gini checks each model again before it returns sat. Without a limit, the same clauses and calls
// give the same models. When a clause is added, gini 1.0.4 forgets that the earlier clauses had no
// model, and may then panic over a wrong model. So this file records that there is none.

// New returns a solver without clauses.
func New() Solver { return &engine{g: gini.New()} }

type engine struct {
	g     *gini.Gini
	unsat bool // whether the clauses have no model under any assumptions
	core  []Lit
}

func (e *engine) lit(l Lit) z.Lit { return z.Dimacs2Lit(int(l)) }

// Var implements Solver.
func (e *engine) Var() Lit { return Lit(e.g.Lit().Dimacs()) }

// Add implements Solver.
func (e *engine) Add(clause ...Lit) {
	e.unsat = e.unsat || len(clause) == 0
	if e.unsat {
		return
	}
	for _, l := range clause {
		e.g.Add(e.lit(l))
	}
	e.g.Add(z.LitNull)
}

// Solve implements Solver.
func (e *engine) Solve(ctx context.Context, limit Limit, assumptions ...Lit) Result {
	e.core = nil
	if e.unsat {
		return Unsat
	}
	for _, l := range assumptions {
		e.g.Assume(e.lit(l))
	}
	switch e.wait(ctx, limit) {
	case 1:
		return Sat
	case -1:
		for _, l := range e.g.Why(nil) {
			e.core = append(e.core, Lit(l.Dimacs()))
		}
		e.unsat = len(e.core) == 0
		return Unsat
	}
	return Unknown
}

// wait runs gini in the background and polls for its answer at growing intervals. gini itself
// checks for a stop every 20,000 propagations.
func (e *engine) wait(ctx context.Context, limit Limit) int {
	if ctx.Done() == nil && limit.Time == 0 {
		return e.g.Solve()
	}
	if limit.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit.Time)
		defer cancel()
	}
	run := e.g.GoSolve()
	for looks := range math.MaxInt {
		if result, done := run.Test(); done {
			return result
		}
		if ctx.Err() != nil {
			break
		}
		if looks < 100 {
			runtime.Gosched()
		} else {
			time.Sleep(min(time.Duration(looks)*time.Microsecond, 10*time.Millisecond))
		}
	}
	return run.Stop()
}

// True implements Solver.
func (e *engine) True(l Lit) bool { return e.g.Value(e.lit(l)) }

// Core implements Solver.
func (e *engine) Core() []Lit { return e.core }
