package trial_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func ExampleRun() {
	net, err := topo.Parse("mesh:4x4")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	for _, load := range []float64{0.1, 0.2, 0.3} {
		result, err := trial.Run(context.Background(), relation, trial.Settings{Load: load, Flits: 8, Clocks: 5000, Seed: 1})
		if err != nil {
			panic(err)
		}
		fmt.Printf("offered %.1f, accepted %.2f flits per clock and host, latency %.0f clocks\n", result.Offered, result.Accepted, result.MeanLatency)
	}
	// Output:
	// offered 0.1, accepted 0.10 flits per clock and host, latency 29 clocks
	// offered 0.2, accepted 0.20 flits per clock and host, latency 31 clocks
	// offered 0.3, accepted 0.30 flits per clock and host, latency 37 clocks
}

// In a collective, every host has packets for one other host. It is complete when all have
// arrived.
func ExampleRounds() {
	net, err := topo.Parse("torus:4x4,vcs=2")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	s := trial.Settings{Traffic: "transpose", Packets: 4, Flits: 8, Rounds: 2}
	result, err := trial.Rounds(context.Background(), relation, s, 100, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println("rounds took", result.Durations, "clocks, deadlock:", result.Deadlock != nil)
	// Output:
	// rounds took [107 107] clocks, deadlock: false
}
