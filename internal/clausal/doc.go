// Package clausal decides whether clauses can be satisfied. If they cannot, it writes a refutation that
// another program checks by unit propagation alone.
//
// Five words:
//
//   - literal: a variable, 1, 2, ..., or its negation, the negative number;
//   - clause: literals of which at least one must be true;
//   - unit propagation: a clause whose literals are all false except one makes this one true;
//   - learned clause: a clause that follows from earlier ones by unit propagation (RUP);
//   - refutation: learned clauses, the last of which is empty.
//
// A first call:
//
//	s := clausal.New(2)
//	s.Add(0, 1, 2)
//	s.Add(0, -1)
//	switch s.Solve(ctx) {
//	case clausal.Sat: // s.True(2)
//	case clausal.Unsat: // s.Refutation() lists the steps
//	case clausal.Unknown: // ctx ended
//	}
//
// Package synth/sat wraps gini, which writes no refutations.
//
// Read first: solver.go, learn.go.
package clausal
