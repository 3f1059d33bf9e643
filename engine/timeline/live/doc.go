// Package live draws a running simulation as lines of text: a map of a grid with the load of its
// links, or the busiest links of another network, and a few figures. It writes to no terminal; the
// caller shows the lines.
//
// A first call:
//
//	v := live.New(network, live.Options{Title: "...", Show: func(lines []string) {}})
//	result, err := trial.Run(ctx, relation, trial.Settings{Load: 0.1, Flits: 8, Watchers: []trial.Watcher{v}})
//	v.End(result.Deadlock)
package live
