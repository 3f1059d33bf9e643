// Package replay tries to reproduce a refutation in the simulator: it starts with an empty
// network, injects packets at hosts only, and checks whether the deadlock of the refutation
// occurs. A witness shows that each of its packets can be at its place. Replay tests whether all
// of them can be there at the same time.
//
// A first call:
//
//	result, err := replay.Run(ctx, relation, held, replay.Options{Switching: model.CutThrough})
//	if result.Reached { fmt.Println(result.Deadlock.Clock) }
//
// If Reached is true, the deadlock is confirmed: the simulator shares no code with the provers,
// and packets that it reports as frozen can never move. If Reached is false, the attempts failed,
// which does not prove that the deadlock cannot occur.
//
// Read first: replay.go, stand.go, script.go.
package replay
