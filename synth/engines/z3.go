// Package engines selects a solver for package sat by its name: the embedded gini, or Z3.
package engines

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/synth/sat"
	"github.com/turnproof/turnproof/verify/smt"
)

// Engine is a solver that has a name.
type Engine struct {
	Name, About string
	New         func() sat.Solver // nil if the build does not include the solver
}

// Engines returns the solvers, the default first.
func Engines() []Engine {
	list := []Engine{{"gini", "go-air/gini, which every build includes", sat.New}, {Name: "z3", About: "Z3, in builds with the tag z3"}}
	if smt.Available() {
		list[1].New = Z3
	}
	return list
}

// Find returns the engine of a name. It fails with smt.ErrUnavailable if the build does not include
// the solver.
func Find(name string) (Engine, error) {
	e, err := registry.Find("engine", name, Engines(), func(e Engine) string { return e.Name })
	if err == nil && e.New == nil {
		return Engine{}, smt.ErrUnavailable
	}
	return e, err
}

// Z3 returns an empty solver. Each call of Solve sends all clauses to Z3 again. Core returns nil.
// In a build without Z3, Solve returns Unknown.
func Z3() sat.Solver { return &z3Solver{} }

type z3Solver struct {
	vars    int
	clauses [][]int32
	values  []bool
}

// Var implements sat.Solver.
func (z *z3Solver) Var() sat.Lit {
	z.vars++
	return sat.Lit(z.vars)
}

// Add implements sat.Solver.
func (z *z3Solver) Add(clause ...sat.Lit) {
	c := []int32{}
	for _, l := range clause {
		c = append(c, int32(l))
	}
	z.clauses = append(z.clauses, c)
}

// Solve implements sat.Solver.
func (z *z3Solver) Solve(ctx context.Context, limit sat.Limit, assumptions ...sat.Lit) sat.Result {
	all := slices.Clone(z.clauses)
	for _, l := range assumptions {
		all = append(all, []int32{int32(l)})
	}
	r, values, err := smt.Satisfy(ctx, z.vars, slices.Values(all), smt.Limit{Time: limit.Time})
	if err != nil {
		return sat.Unknown
	}
	z.values = values
	return map[smt.Result]sat.Result{smt.Sat: sat.Sat, smt.Unsat: sat.Unsat}[r]
}

// True implements sat.Solver.
func (z *z3Solver) True(l sat.Lit) bool {
	if l < 0 {
		return !z.values[-l-1]
	}
	return z.values[l-1]
}

// Core implements sat.Solver. It always returns nil.
func (z *z3Solver) Core() []sat.Lit { return nil }
