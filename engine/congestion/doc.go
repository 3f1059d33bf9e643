// Package congestion repeats a study of flow limiting against congestion on a torus. It combines
// routing algorithms, traffic patterns, throttling and gating, for one-shot collectives and for
// rising loads.
//
// Source: T. Yokota, K. Ohkawa, K. Ootsu and T. Baba, Utsunomiya University, section 4.
//
// A reading is a choice where the paper leaves a detail open. Study has the sizes and the
// readings. Collectives and Ramps list the simulations of the paper's figures. Study.Run runs one.
//
// A first call:
//
//	points := congestion.Collectives(congestion.PatternNames(congestion.AllToAll), engine.VirtualControl)
//	study := congestion.Default()
//	result, err := study.Run(ctx, points[0])
//
// Read first: study.go, run.go.
package congestion
