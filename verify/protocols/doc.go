// Package protocols decides whether the messages of a protocol block each other at hosts and in virtual networks.
//
// Terms:
//
//   - A place is a VC of a virtual network, the queues of a host for one, or the table of a join. Each place has a number.
//   - A wait is what a message at the front of a place, or a full table, waits for: one of several alternatives.
//     An alternative is a set of places.
//   - A place is eliminated if it always gets room at last.
//   - A deadlock is a set of places whose waits all lead into the set.
//
// A first call:
//
//	waits, err := protocols.Collect(protocols.NewPlaces(relation, protocol), nil)
//	proof := waits.Prove(false)
//
// If the proof is not complete, FindDeadlock searches short messages that block each other, and DecideByClauses is exact.
//
// The package reads no protocols (model/protocol), writes no certificates (verify does), and judges none (verify/cert/messages).
//
// Read first: rule.go, classes.go (lists), onflows.go; places.go, waits.go; sharing.go (how few virtual
// networks?); proof.go (an order), deadlock.go (short messages), states.go and clauses.go with bodies.go
// (messages of any lengths); tables.go, multicast.go, order.go (of virtual networks).
package protocols
