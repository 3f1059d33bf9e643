package worms

import (
	"context"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/verify/reach"
)

// RefuteFalsely returns a refutation of the clauses of g that excludes deadlocks which worms reach, and their number.
func RefuteFalsely(ctx context.Context, g *Graph) (proof []clausal.Step, excluded int) {
	f := newFormula(g)
	for f.Solver.Solve(ctx) == clausal.Sat {
		if f.addBrokenPairs() || f.AddRings() {
			continue
		}
		bodies := statesOf(f.closedBodies())
		if g.meet(ctx, bodies).Answer == reach.Yes {
			excluded++
		} else {
			bodies = g.fewestApart(ctx, bodies)
		}
		f.Solver.Add(StepApart, f.exclude(bodies)...)
	}
	return f.Solver.Refutation(), excluded
}
