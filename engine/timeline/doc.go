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
//	result, err := trial.Run(ctx, relation, trial.Settings{..., Watchers: []trial.Watcher{t}})
//	for _, x := range t.Intervals() { ... }
//
// The record does not affect the simulation.
package timeline
