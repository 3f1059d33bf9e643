// Package trial runs one simulation of a routing with a traffic and a load, and measures it.
//
// A first call:
//
//	result, err := trial.Run(ctx, relation, trial.Settings{Load: 0.2, Flits: 8})
//	fmt.Println(result.Accepted, result.MeanLatency)
//
// With one VC a channel, the papers' switch, and virtual cut-through or store-and-forward, the
// simulation uses packet events (package engine/packets), which is faster and exact. In all other
// cases it simulates flit by flit.
//
// Read first: settings.go, run.go; watch.go (who sees a run), rounds.go, ramp.go.
package trial
