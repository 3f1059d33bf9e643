// Package gates decides routings whose packets wait at gates, under virtual cut-through: it finds rounds that exclude
// every deadlock, or packets that block each other and a way for them to get there.
//
// A packet waits for a VC and, if the hop has a gate, also for the buffers ahead. One of its next hops suffices, but
// that hop needs both. Package model/gate has the rules of gates.
//
// Terms:
//
//   - The bit of a VC is set while its buffer is nearly full. The bits ahead of a VC close its gate.
//   - A round excludes VCs that cannot stay taken for ever, and bits that cannot stay set for ever.
//   - A configuration is packets none of whose flits can move, in an order in which they can arrive one after the other.
//   - A run is the moves of flits from the empty network to such packets.
//   - A packet passes through a VC if its head is beyond it and some of its flits are before a gate.
//
// Decide tries, in this order: the rounds (rounds.go), a configuration of what they leave (configuration.go,
// arrival.go), then in stages packets that a solver chooses (gather.go), such packets after they have waited elsewhere
// (retreat.go), placed packets (placing.go), random runs (walk.go) and all states of a small network (search.go). Package
// verify/cert/gates judges the evidence, and has the proofs.
//
// Sources: the blocking rule extends that of package waits (J. Duato, IEEE Transactions on Parallel and Distributed
// Systems 7(8), 1996) by waits for all VCs of a set. The gates are those of T. Yokota, K. Ohkawa, K. Ootsu and T. Baba,
// flow limiting, section 4.4.
// Cost: O(reachable states × hops) once. With gates by flit also a set of VCs for each state of a destination.
//
// Read first: rule.go, decide.go; rounds.go with waits.go, passages.go and counted.go, configuration.go with
// arrival.go; sets.go, then search.go with order.go (all states), walk.go, placing.go, run.go (runs); gather.go
// with formula.go, chains.go, joins.go, chosen.go and periodic.go (a solver chooses the packets), retreat.go
// (backwards from them).
package gates
