// Package seams draws whole command lines of check, and judges them where features meet.
//
//   - A line is a command line of check with its files, drawn from a seed and a number: a network, a routing, and any
//     subset of the other flags.
//   - The answer of a line is what check says, and the certificate that it writes.
//   - A judge compares an answer with another source: runs of the simulator, the checker, the moves of a certificate
//     under the stated sizes, the dependency graph of a fabric by its files.
//   - A finding is a line that a judge calls wrong. It is shrunk before it is recorded.
//
// To judge line 4711 of seed 1:
//
//	found, err := judgeLine(ctx, dir, draw(1, 4711))
//
// Read first: doc.go; states (all states for all features), exhaustive (verdicts against them); gatedfiles.go
// with gatedplaces.go (gates on BookSim configurations).
package seams

import "github.com/turnproof/turnproof/cmd/trust/stage"

// Stage judges random command lines.
var Stage = stage.Stage{Name: "seams", Title: "Random command lines, where features meet",
	Run: stage.Tests("cmd/trust/seams", "^TestSeams$"), Divisible: true, Merge: merge}
