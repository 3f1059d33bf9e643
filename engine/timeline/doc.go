// Package timeline records a simulation in intervals of clocks: the flits of each link, the packets
// that arrive, the flits in buffers.
//
// Terms:
//
//   - interval: some consecutive clocks; the intervals of a run have the same length, except the
//     last;
//   - load of a channel: flits that enter it, per clock.
//
// A first call:
//
//	t := timeline.New(network, timeline.Options{Clocks: 50_000})
//	result, err := trial.Run(ctx, relation, trial.Settings{Load: 0.1, Flits: 8, Watchers: []trial.Watcher{t}})
//	fmt.Println(result.Accepted, len(t.Intervals()), "intervals")
//
// The record does not affect the simulation.
//
// Read first: timeline.go records intervals.
package timeline
