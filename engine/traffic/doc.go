// Package traffic creates packets: their sources and destinations (Pattern), their times (Steady,
// Collective) and their lengths, or all of these from a file (Trace).
//
// Terms:
//
//   - pattern: the destinations of a host's packets;
//   - share: the traffic of a host relative to that of the busiest host;
//   - steady: packets at random clocks, with or without bursts, at an average load;
//   - collective: all packets of a round exist at once;
//   - trace: packets and their clocks from a file.
//
// A first call:
//
//	p, err := traffic.NewPattern("transpose", network, seed)
//	source, err := traffic.New(network, p, traffic.Options{Load: 0.2, Flits: 8, Seed: 1})
//	sim, err := engine.New(relation, source, engine.Options{}, nil)
//
// Every host has its own stream of random numbers, so its packets do not depend on the times of
// other hosts. A source and its Pattern serve one run: both keep the position of each host.
//
// A pattern may send packets of a host to itself, as in BookSim 2 (uniform-self, the fixed points
// of transpose). They cross one switch.
//
// Read first: kinds.go is the table, places.go (hosts or switches), source.go, trace.go, collective.go.
package traffic
