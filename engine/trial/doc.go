// Package trial runs one simulation and measures it: a routing, a traffic, a load.
//
// A first call:
//
//	result, err := trial.Run(ctx, relation, trial.Settings{Load: 0.2, Flits: 8})
//	fmt.Println(result.Accepted, result.MeanLatency)
//
// Virtual cut-through and store-and-forward with one VC a channel in the papers'
// switch are run by packet events (engine/packets), all else flit by flit.
package trial
