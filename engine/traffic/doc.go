// Package traffic creates packets: who sends to whom (Pattern), when
// (injection), how long they are, or all of that from a file (Trace).
//
// A first call:
//
//	p, err := traffic.NewPattern("transpose", network, seed)
//	source, err := traffic.New(network, p, traffic.Options{Load: 0.2, Flits: 8, Seed: 1})
//	sim, err := engine.New(relation, source, engine.Options{}, nil)
//
// Every host draws from a stream of its own, so what it sends does not depend
// on when others do.
package traffic
