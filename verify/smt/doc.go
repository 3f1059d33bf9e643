// Package smt asks Z3 the questions that graph search also answers, so that
// two ways which share no code can be held against each other.
//
// Five words:
//
//   - session: one Z3 context with one solver, used for one question, then dropped;
//   - logic: which of Z3's arithmetic engines a session runs on;
//   - limit: the steps and the time a question may take;
//   - numbering: an integer per vertex that rises along every edge;
//   - unknown: Z3 gave up; the question is undecided, never refuted.
//
// A first call:
//
//	a, err := smt.Acyclic(ctx, n, edges, smt.Limit{Time: time.Minute})
//	if errors.Is(err, smt.ErrUnavailable) {
//		// built without Z3: say so, and rely on the certificate
//	}
//	switch a.Result {
//	case smt.Sat: // acyclic; a.Numbers rises along every edge
//	case smt.Unsat: // there is a cycle; Z3 does not say which
//	case smt.Unknown: // undecided; a.Reason says why
//	}
//
// Z3 is optional. The package asks it only under the build tag z3 and with
// cgo; every other build has the same functions, which return ErrUnavailable.
// It is the one importer of github.com/aclements/go-z3 and the only package
// that needs cgo.
//
// What the package does not do: it names no cycle (cdg does) and no verdict
// (verify does), and nothing it returns is evidence until verify/cert has
// accepted it.
package smt
