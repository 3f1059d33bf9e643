// Package measure turns deliveries into figures: latency, load, confidence.
//
// A first call:
//
//	m := measure.New(measure.Options{Warmup: 5000, Hosts: 64})
//	sim, err := engine.New(relation, source, engine.Options{}, m.Deliver)
//	...
//	fmt.Println(m.Result(sim.Now()))
package measure
