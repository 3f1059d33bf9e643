// Package replay drives a refutation into its deadlock: from the empty network,
// by injecting packets at hosts only. A witness shows that each of its packets can
// be where it is; whether all of them can be there at once is what is tried here.
//
// A first call:
//
//	result, err := replay.Run(ctx, relation, held, replay.Options{Switching: model.CutThrough})
//	if result.Reached { fmt.Println(result.Deadlock.Clock) }
//
// Reached is a fact: the simulator shares no code with the provers, and what it
// calls frozen can never move. Not reached is none: it only says what was tried.
package replay
