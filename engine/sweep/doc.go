// Package sweep runs experiments: simulations of every combination of the given networks,
// routings, traffics, loads and seeds, on all processors. An interrupted experiment can be
// resumed.
//
// Terms:
//
//   - experiment: lists of networks, routings, traffics, loads and seeds, and the
//     settings that all simulations share;
//   - point: one simulation: one entry of each list;
//   - journal: a file to which each finished point is appended, so that no point is
//     run twice;
//   - result: a point with its measured figures;
//   - curve: the results of a network, routing and traffic, by load.
//
// A first call:
//
//	e, err := sweep.Read("experiment.yaml", nil)
//	results, err := sweep.Run(ctx, e, sweep.Options{Journal: "experiment.journal"}, simulate)
//	err = sweep.WriteCSV(file, results)
//	err = sweep.DrawLatency("latency.svg", sweep.Curves(results), sweep.Drawing{})
//
// The package does not simulate: the caller passes the function that runs a point (here simulate),
// which decides what the names of networks, routings and traffics mean. From the engine it uses
// only the names of settings. The results do not depend on the number of processors if those of
// simulate do not.
//
// Read first: experiment.go, run.go, draw.go, panels.go; messages.go (requests and replies).
package sweep
