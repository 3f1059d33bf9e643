// Package congestion repeats a study of flow limiting against congestion on a torus. It combines
// routing algorithms, traffic patterns, throttling and gating, for one-shot collectives and for
// rising loads.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, Utsunomiya University, section 4.
//
// A reading is a choice where the paper leaves a detail open. Study has the sizes and the
// readings. Collectives and Ramps list the simulations of the paper's figures. Run runs them and
// keeps the results in a journal, from which a later Run resumes.
//
// A first call:
//
//	points := congestion.Collectives(congestion.PatternNames(congestion.AllToAll), engine.VirtualControl)
//	results, err := congestion.Run(ctx, congestion.Default(), points, congestion.Options{Journal: "study.journal"})
package congestion
