// Package sat asks whether clauses can be satisfied. It needs neither cgo nor
// anything installed.
//
// Five words:
//
//   - literal: a variable, 1, 2, ..., or its negation, the same number below zero;
//   - clause: literals of which one at least must be true;
//   - assumption: a literal that must be true in one question only;
//   - model: values under which every clause and assumption holds;
//   - core: assumptions that the clauses do not allow together.
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
// The engine is github.com/go-air/gini; this package is its one importer. What
// it does not do: an Unsat comes without a proof that another program could
// check, only as the answer of an exhaustive search.
package sat
