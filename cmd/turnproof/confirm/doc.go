// Package confirm tests verdicts of the provers by simulation. It drives a refuted routing into
// its deadlock, and runs a proved routing at saturation.
//
// The simulator (folder engine) does not import the provers (folder verify). This package imports
// both.
//
// Example:
//
//	rep, err := verify.Check(ctx, routing, verify.Options{})
//	res, err := confirm.Report(ctx, rep, 1)
//
// An error that begins with "internal error" means that the simulation contradicts a proof.
//
// Read first: report.go; vlans.go, classturns.go.
package confirm
