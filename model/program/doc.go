// Package program runs routing programs. A routing program is a routing function in a few lines
// of Starlark. The same file is checked, simulated and proved.
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
// docs/routing-programs.md is the manual. Five terms:
//
//   - program: a file that Parse has accepted.
//   - family: the networks that a program is for, one for each choice of sizes.
//   - instance: a program on one network of its family, or on a network with symbolic sizes.
//   - output: a next hop that route permits: direction, VC and header state.
//   - symbol: an unknown number. verify/parametric runs programs on symbols; in this package all
//     numbers are known.
//
// A first call:
//
//	p, err := program.Read("west-first.star")
//	r, notes, err := p.Relation(ctx, network)
//
// The language is Starlark without anything that could make two runs differ or a run endless:
// no while, no recursion, no load, no floats, no sets. Each call has a limit on its steps and
// on its memory. Before compilation the syntax tree is rewritten so that every operator is a
// call of this package (rewrite.go). Without the rewriting the interpreter would answer False
// to some comparisons with a symbol.
//
// Read first: doc.go, family.go, parse.go; where.go reads conditions on sizes, hyperx.go has the hops of HyperX
// networks, axes.go the links of hexagonal grids, brick walls and express meshes, rewrite.go makes every
// operator ours, toplevel.go and route.go run, relation.go compiles; anynetwork.go, view.go and switches.go for
// programs on any network, nettables.go for their tables.
package program
