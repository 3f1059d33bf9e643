// Package measure computes figures from the packets that a simulation delivers: latency, load,
// confidence intervals, saturation.
//
// Terms:
//
//   - warm-up: the clocks before measuring starts, in which the network fills;
//   - window: the clocks that are measured;
//   - accepted load: flits that arrive, per clock and host;
//   - batch: consecutive clocks whose mean is one sample of a confidence interval;
//   - saturation: the largest load with a mean latency of at most 3 times that of an
//     empty network.
//
// A first call:
//
//	m := measure.New(measure.Options{Warmup: 5000, Hosts: 64})
//	sim, err := engine.New(relation, source, engine.Options{}, m.Deliver)
//	...
//	fmt.Println(m.Result(sim.Now()))
//
// The package keeps sums and counts and no packets. Memory grows by one batch every 1000 clocks.
//
// Read first: meter.go; ramp.go for rising loads, flow.go for packets over time.
package measure
