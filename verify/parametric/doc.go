// Package parametric proves routing programs (model/program) for every size of their
// family, or finds the smallest network on which they fail.
//
// docs/routing-programs.md tells how. Five words:
//
//   - path: one way through the program on symbols: linear conditions on place,
//     destination and sizes, and the outputs that they lead to;
//   - class: the channels of a direction, VC and header state, wraparounds apart;
//   - invariant: where packets on a class can be, and want to;
//   - rank: for each class a tuple of linear forms that every dependency raises;
//   - obligation: a formula of which Z3 has to show that it has no solution.
//
// A first call:
//
//	p, err := program.Read("west-first.star")
//	r, err := parametric.Prove(ctx, p, parametric.Options{})
//	// r.Verdict, r.Ranks, r.Witness, r.Script
//
// The order of the files is that of a proof: paths.go with symbol.go (the program on
// symbols), system.go (classes), facts.go (small networks), houdini.go (invariants),
// rank.go with template.go (ranks), split.go, escape.go, detour.go, plan.go (which of
// these, when), obligations.go (what is proved), search.go (networks one by one), prove.go.
//
// What the search takes for true need not be: obligations begin from the paths alone.
package parametric
