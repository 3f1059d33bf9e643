package measure_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func ExampleNew() {
	net, err := topo.Parse("mesh:4x4")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	pattern, err := traffic.NewPattern("uniform", net, 1)
	if err != nil {
		panic(err)
	}
	source, err := traffic.New(net, pattern, traffic.Options{Load: 0.1, Flits: 4, Seed: 1})
	if err != nil {
		panic(err)
	}
	m := measure.New(measure.Options{Warmup: 1000, Hosts: net.NumHosts()})
	sim, err := engine.New(relation, source, engine.Options{}, m.Deliver)
	if err != nil {
		panic(err)
	}
	if err := sim.Run(context.Background(), 6000); err != nil {
		panic(err)
	}
	r := m.Result(sim.Now())
	fmt.Printf("accepted %.3f flits per clock and host, mean latency %.1f clocks\n", r.Accepted, r.MeanLatency)
	fmt.Println("within the interval around the offered load:", r.Accepted-r.AcceptedError < 0.1 && 0.1 < r.Accepted+r.AcceptedError)
	// Output:
	// accepted 0.100 flits per clock and host, mean latency 24.4 clocks
	// within the interval around the offered load: true
}

// With a latency of 10/(1-2x) clocks at load x, the latency is three times that of an empty
// network at load 1/3.
func ExampleSaturation() {
	s, err := measure.Saturation(func(load float64) (latency float64, ok bool) {
		return 10 / (1 - 2*load), load < 0.5
	}, measure.SaturationOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("saturated at %.3f, above %.1f clocks, after %d runs\n", s.Load, s.Limit, len(s.Tried))
	// Output:
	// saturated at 0.331, above 30.3 clocks, after 10 runs
}
