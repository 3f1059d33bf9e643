// Package sat decides whether clauses can be satisfied. It needs neither cgo nor an installed
// solver.
//
// Five words:
//
//   - literal: a variable, 1, 2, ..., or its negation, the negative number;
//   - clause: literals of which at least one must be true;
//   - assumption: a literal that must be true in one call of Solve only;
//   - model: values under which every clause and assumption is true;
//   - core: assumptions that cannot all be true under the clauses.
//
// A first call:
//
//	s := sat.New()
//	x, y := s.Var(), s.Var()
//	s.Add(x, y)
//	s.Add(-x)
//	switch s.Solve(ctx, sat.Limit{Time: time.Minute}) {
//	case sat.Sat: // s.True(y)
//	case sat.Unsat: // no values satisfy the clauses
//	case sat.Unknown: // stopped before it was known
//	}
//
// The solver is github.com/go-air/gini, which only this package imports. An Unsat has no proof
// that another program could check. It relies on the exhaustive search of the solver.
//
// Read first: solver.go, fewest.go.
package sat
