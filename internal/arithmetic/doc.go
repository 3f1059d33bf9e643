// Package arithmetic searches for proofs that formulas of linear integer arithmetic have no solution,
// without Z3. Package verify/cert/everysize defines formulas and proofs, and checks them.
//
// Terms:
//
//   - A row is an inequality form >= 0.
//   - A case is one of the formulas of a disjunction.
//   - A model is integers that satisfy a formula.
//
// A first call:
//
//	s := &arithmetic.Search{}
//	err := s.Refute(&everysize.Obligation{Formula: f, Variables: 2})
//	// s.Proofs has the numbers of the proof
//
// Method: depth-first search over cases. At each node the rows are solved in rationals (package internal/linear). If they have
// no solution, their multipliers are a leaf. Otherwise the solution chooses a disjunction that it
// violates, or a variable that is no integer. A case of which the proof uses nothing is a proof without the
// disjunction. Cuts come from equations: they are solved for variables with coefficient 1, and a
// gcd that does not divide the constant is a cut (A. Schrijver, Theory of Linear and Integer Programming, 1986).
//
// The search is not complete: some formulas have neither a proof nor a model within its limits.
//
// Read first: search.go.
package arithmetic
