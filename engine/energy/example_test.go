package energy_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/energy"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// Two hosts send a packet of 4 flits to each other. Each flit passes two crossbars, of 3 pJ each, and one link of 5 pJ.
func ExampleOf() {
	network, err := topo.Parse("line:2")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", network, route.Options{})
	if err != nil {
		panic(err)
	}
	pattern, err := traffic.NewPattern("uniform", network, 1)
	if err != nil {
		panic(err)
	}
	source, err := traffic.NewCollective(network, pattern, traffic.CollectiveOptions{Packets: 1, Flits: 4, Seed: 1})
	if err != nil {
		panic(err)
	}
	sim, err := engine.New(relation, source, engine.Options{BufferFlits: 8, MaxFlits: 4, Loads: true}, func(engine.Delivery) {})
	if err != nil {
		panic(err)
	}
	if err := sim.Run(context.Background(), 100); err != nil {
		panic(err)
	}
	report := energy.Of(sim, network, &energy.Costs{Crossbar: 3, Link: 5}, sim.Now(), 1)
	fmt.Println(report.Total, "pJ")
	// Output:
	// 88 pJ
}
