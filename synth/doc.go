// Package synth makes turn sets: which turns of a network to allow, so that the
// allowed ones close no cycle and leave a way for every pair.
//
// Five words:
//
//   - method: a way to choose, by name; Methods lists them;
//   - prohibited, allowed: the two states of a turn; U-turns are neither;
//   - conditional turn: prohibited only where it lies on a cycle (DA);
//   - turn traffic: what would pass a turn if nothing were prohibited;
//   - release: to allow again what closes no cycle.
//
// A first call:
//
//	r, err := synth.New(ctx, "lturn-alpha", network, synth.Options{})
//	ways, err := synth.MeasureWays(ctx, r.Allowed, demand)
//	rel := route.FromTurns(synth.Lift(r.Allowed, network), false)
//
// The package promises nothing that it does not say at the method: whether a set
// is acyclic and connected is proved by verify.CheckTurns, set by set.
package synth
