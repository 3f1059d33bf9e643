// Package confirm runs the simulator on what a prover decided. It drives a refuted routing into its
// deadlock, and runs a proved one at saturation.
//
// The simulator (folder engine) does not import the provers. This package imports both.
//
// A first call:
//
//	rep, err := verify.Check(ctx, routing, verify.Options{})
//	res, err := confirm.Report(ctx, rep, 1)
//
// An error that begins with "internal error" means that the simulator contradicts a proof.
package confirm
