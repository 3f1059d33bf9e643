// Package changeover simulates networks under load while new forwarding tables replace old ones.
//
//   - entry: the port at which packets to a destination leave a switch. It changes once, in a clock of its own.
//   - part: entries that change in one clock.
//   - step: parts that change one after the other in random clocks, or together while no packets meet them.
//
// A head looks up its entry when it is routed, and keeps the port. Packets that are in the network when an entry changes stay there. A
// network in which some packets can never move again is frozen (engine.Deadlock).
//
// A first call:
//
//	r, err := changeover.Mixture(ctx, &changeover.Change{Old: old, New: now, Parts: parts}, changeover.Options{Runs: 20})
//	fmt.Println(r.Deadlock)
//
// Package verify/transition decides what this package only tries.
//
// Read first: tables.go (entries that change), mixture.go with cycle.go, steps.go.
package changeover
