package packets_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/packets"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// The example simulates the same network, traffic and options flit by flit and packet by packet.
// Every packet leaves its host and arrives in the same clocks.
func ExampleNew() {
	net, err := topo.Parse("mesh:4x4")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	run := func(byPackets bool) (arrived []engine.Delivery) {
		pattern, err := traffic.NewPattern("uniform", net, 1)
		if err != nil {
			panic(err)
		}
		source, err := traffic.New(net, pattern, traffic.Options{Load: 0.3, Flits: 16, Seed: 1})
		if err != nil {
			panic(err)
		}
		report := func(d engine.Delivery) { arrived = append(arrived, d) }
		o := engine.Options{Timing: engine.Paper, Switching: model.CutThrough, MaxFlits: 16}
		var sim interface {
			Run(context.Context, engine.Clock) error
		}
		if byPackets {
			sim, err = packets.New(relation, source, o, report)
		} else {
			sim, err = engine.New(relation, source, o, report)
		}
		if err != nil {
			panic(err)
		}
		if err := sim.Run(context.Background(), 5000); err != nil {
			panic(err)
		}
		slices.SortFunc(arrived, func(a, b engine.Delivery) int { return int(a.ID - b.ID) })
		return arrived
	}
	events, flits := run(true), run(false)
	fmt.Println(len(events), "packets arrived; the same in the same clocks:", slices.Equal(events, flits))
	// Output:
	// 1488 packets arrived; the same in the same clocks: true
}

// New rejects several virtual channels; package engine simulates them.
func ExampleNew_refused() {
	net, err := topo.Parse("ring:4,vcs=2")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	_, err = packets.New(relation, nil, engine.Options{Timing: engine.Paper, Switching: model.CutThrough}, nil)
	fmt.Println(err)
	// Output:
	// packets: 2 VCs share a channel flit by flit, only one is simulated by packets
}
