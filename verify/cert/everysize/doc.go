// Package everysize judges what a routing program does on all networks of its family: that it is
// deadlock-free, connected and livelock-free on every mesh, for example.
//
// A certificate has the text of the program, classes of packets with conditions and ranks, and proofs. The
// judge runs the text on unknown numbers, lists what must be proved, and checks the proofs. It
// shares no code with the prover, and asks no solver.
//
// Terms:
//
//   - A path is one run of the program: conditions on place, destination and sizes, and outputs.
//   - A class is the channels of a direction, VC and kind, with packets of one header state.
//   - An obligation is a formula that must have no solution in integers.
//   - A proof is a tree of cases whose leaves are contradictory sums of inequalities.
//
// Reading order: scan.go and syntax.go (the text), machine.go, run.go, eval.go, operators.go, functions.go (its runs), family.go
// and channels.go (places and channels), obligations.go with ranks.go (the theorem), dimensions.go (any number of dimensions),
// formula.go and proof.go (arithmetic), judge.go with evidence.go (the certificate).
//
// It judges programs in a part of Starlark. Other programs are rejected.
//
// Read first: obligations.go with ranks.go, proof.go, dimensions.go with inorder.go, spread.go and phases.go
// (any number of dimensions); axes.go (hexagonal grids, brick walls, express meshes); flow.go (flow control of
// rings); length.go (bounds on paths), choices.go (deterministic, fully adaptive); syntax.go, eval.go, where.go
// (the program); judge.go.
package everysize
