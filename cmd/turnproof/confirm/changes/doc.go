// Package changes tests verdicts on changes of tables by simulation. It drives a refuted mixture into a deadlock, and performs proved
// changes under load.
//
// Example:
//
//	m, err := change.MixtureOf(ctx, transition.Entry, false)
//	res, err := changes.Mixture(ctx, change, m, changeover.Options{})
//
// An error that begins with "internal error" means that the simulation contradicts a proof.
//
// Read first: changes.go.
package changes
