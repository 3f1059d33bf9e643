// Package worms decides whether packets of any lengths block each other under wormhole switching, and whether they reach such a
// deadlock from the empty network.
//
// Decide is about worms that hold any number of VCs, DecidePackets about packets that hold one VC each. Both end with a deadlock
// and its moves, or with a refutation of clauses as evidence. Escape finds an escape of any hops, if one exists.
// docs/theorems/no-worms.md and docs/theorems/unreachable.md have the theorems.
//
// Read first: doc.go, decide.go; graph.go (the states), clauses.go with edges.go, packets.go (the formulas),
// local.go (near one switch), meet.go, escape.go.
package worms
