// Package traffic creates packets: who sends to whom (Pattern), when (Steady,
// Collective), how long they are, or all of that from a file (Trace).
//
// Five words:
//
//   - pattern: where the packets of a host go;
//   - share: how much a host sends, as a part of what the busiest host sends;
//   - steady: packets at random clocks, in bursts or not, at a load in the mean;
//   - collective: all packets of a round are there at once;
//   - trace: packets with their clocks, from a file.
//
// A first call:
//
//	p, err := traffic.NewPattern("transpose", network, seed)
//	source, err := traffic.New(network, p, traffic.Options{Load: 0.2, Flits: 8, Seed: 1})
//	sim, err := engine.New(relation, source, engine.Options{}, nil)
//
// Every host draws from a stream of its own, so what it sends does not depend
// on when others do. A source and the Pattern in it serve one run: both remember
// how far each host is.
//
// Packets to the sender itself are made where a pattern says so, as BookSim 2
// does (uniform-self, the fixed points of transpose). They cross one switch.
package traffic
