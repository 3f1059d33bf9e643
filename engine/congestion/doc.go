// Package congestion is the study of flow limiting against congestion on a torus:
// routing algorithms, patterns, throttling and gating, each with each, one-shot
// collectives and rising loads.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, Utsunomiya University, section 4.
//
// A Study says how large and which readings; Collectives and Ramps list its simulations,
// Run runs them, keeps them in a journal and goes on with one.
//
// A first call:
//
//	points := congestion.Collectives(congestion.PatternNames(congestion.AllToAll), engine.VirtualControl)
//	results, err := congestion.Run(ctx, congestion.Default(), points, congestion.Options{Journal: "study.journal"})
package congestion
