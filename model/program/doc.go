// Package program runs routing programs: routing functions that are written once,
// in a few lines of Starlark, and then checked, simulated and proved from the same
// file.
//
//	family = mesh(n, m)
//
//	def route(cur, dst, inp):
//	    if dst.x < cur.x:
//	        return [W]
//	    out = []
//	    if dst.x > cur.x: out.append(E)
//	    if dst.y > cur.y: out.append(N)
//	    if dst.y < cur.y: out.append(S)
//	    return out
//
// docs/routing-programs.md is the manual. Five words:
//
//   - program: a file, read and found to keep to the language (Parse);
//   - family: the networks that it is for, one for each choice of sizes;
//   - instance: the program on one network of the family, or on one whose sizes are
//     symbols;
//   - output: what route permits next: a direction, a VC, a header state;
//   - symbol: a number that is not known yet (verify/parametric runs programs on
//     those); here all numbers are known.
//
// A first call:
//
//	p, err := program.Read("west-first.star")
//	r, notes, err := p.Relation(ctx, network)
//
// The language is Starlark without what could make two runs differ or one run never
// end: no while, no recursion, no load, no floats, no sets; and each call has a limit
// of steps and of what it may allocate. The syntax tree is rewritten before it is
// compiled, so that every operator is a call of ours (rewrite.go): only so can a
// comparison with a symbol not be answered False behind our back.
package program
