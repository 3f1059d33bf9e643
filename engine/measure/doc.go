// Package measure turns deliveries into figures: latency, load, confidence,
// saturation.
//
// Five words:
//
//   - warm-up: the clocks before measuring, in which a network fills;
//   - window: the clocks that are measured;
//   - accepted load: flits that arrive, per clock and host;
//   - batch: clocks in a row whose mean is one sample of a confidence interval;
//   - saturation: the largest load with a latency of at most 3 times that of an
//     empty network.
//
// A first call:
//
//	m := measure.New(measure.Options{Warmup: 5000, Hosts: 64})
//	sim, err := engine.New(relation, source, engine.Options{}, m.Deliver)
//	...
//	fmt.Println(m.Result(sim.Now()))
//
// It keeps sums and counts: memory does not grow with the packets, but for a
// batch in a thousand clocks.
package measure
