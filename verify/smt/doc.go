// Package smt asks Z3 the questions that graph search also answers. The two methods share
// no code, so each checks the other.
//
// Terms:
//
//   - A session is one Z3 context with one solver, used for one question.
//   - A logic selects one of Z3's arithmetic engines.
//   - A limit bounds the steps and the time of a question.
//   - A numbering is an integer for each vertex that increases along every edge.
//   - Unknown means that Z3 gave up: the question is undecided, not refuted.
//
// A first call:
//
//	a, err := smt.Acyclic(ctx, n, edges, smt.Limit{Time: time.Minute})
//	if errors.Is(err, smt.ErrUnavailable) {
//		// built without Z3
//	}
//	switch a.Result {
//	case smt.Sat: // acyclic; a.Numbers increases along every edge
//	case smt.Unsat: // there is a cycle; Z3 does not say which
//	case smt.Unknown: // undecided; a.Reason says why
//	}
//
// Z3 is optional. The package needs the build tag z3 and cgo. In other builds all functions
// return ErrUnavailable. It is the only importer of github.com/aclements/go-z3 and the only
// package that needs cgo.
//
// The package returns no cycles (cdg does) and no verdicts (verify does). Its results are
// evidence only after verify/cert has accepted them.
//
// Read first: answer.go; variables.go for many constraints, script.go for questions in SMT-LIB 2.
package smt
