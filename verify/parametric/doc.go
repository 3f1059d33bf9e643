// Package parametric proves routing programs (package model/program) for every size of
// their family, or finds the smallest network on which they fail.
//
// docs/routing-programs-proofs.md describes the method. Terms:
//
//   - A path is one execution of the program on symbols: linear conditions on place,
//     destination and sizes, and the outputs under these conditions.
//   - A class is the channels of a direction, VC and header state. Wraparound channels
//     are separate classes.
//   - An invariant says where packets on a class can be, and which destinations they have.
//   - A rank is a tuple of linear forms for each class. Every dependency increases it.
//   - An obligation is a formula that Z3 must show to have no solution.
//
// A first call:
//
//	p, err := program.Read("west-first.star")
//	r, err := parametric.Prove(ctx, p, parametric.Options{})
//	// r.Verdict, r.Ranks, r.Witness, r.Script
//
// Reading order: paths.go with run.go and symbol.go (the program on symbols), system.go with reachable.go
// (classes), facts.go (small networks), houdini.go (invariants), rank.go with template.go
// (ranks), cells.go (ranks in pieces), split.go, escape.go, detour.go, plan.go (the order of attempts), proof.go and
// obligations.go (the theorem), search.go (single networks), prove.go.
//
// Mistakes of the search cannot make a proof wrong: obligations depend on the paths,
// invariants and ranks only.
//
// Read first: prove.go is the way; symbol.go, run.go, paths.go (the program on symbols), system.go, reachable.go
// (classes), hyperx.go (their channels in HyperX networks), houdini.go, exclude.go (invariants), rank.go,
// cells.go with cellcases.go (ranks in pieces), split.go, escape.go, detour.go, bubble.go (flow control of
// rings), faults.go with cases.go (failed links and switches), extraclaims.go with minimal.go, choices.go,
// examples.go, degree.go (shortest paths and choices), eachclaim.go with pathclaims.go (claims without
// deadlock-free), length.go (bounds on paths), then proof.go, obligations.go: what is proved; tree.go: the
// decisions of a program for others; steps.go: why the ranks rise.
package parametric
