// Package sweep runs experiments: every network with every routing, traffic, load
// and seed, on all processors, to be broken off and gone on with at any time.
//
// Five words:
//
//   - experiment: lists of networks, routings, traffics, loads and seeds, and the
//     settings that all share;
//   - point: one of each, one simulation;
//   - journal: a file to which each finished point is added, so that no point is
//     run twice;
//   - result: a point with its figures;
//   - curve: the results of a network, routing and traffic over the load.
//
// A first call:
//
//	e, err := sweep.Read("experiment.yaml", nil)
//	results, err := sweep.Run(ctx, e, sweep.Options{Journal: "experiment.journal"}, simulate)
//	err = sweep.WriteCSV(file, results)
//	err = sweep.DrawLatency("latency.svg", sweep.Curves(results), sweep.Drawing{})
//
// It knows the names of the engine's settings and no more of it: what a point
// means is up to the function that runs it. The results of an experiment do not
// depend on the number of processors if that function's do not.
package sweep
