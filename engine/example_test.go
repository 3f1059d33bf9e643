package engine_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// once is a source in which every host has at most one packet to send.
type once map[model.HostID]engine.Packet

// Next implements engine.Source.
func (o once) Next(h model.HostID) (engine.Packet, bool) {
	p, ok := o[h]
	delete(o, h)
	return p, ok
}

// One packet of 4 flits crosses the 3 switches of a line. The router of BookSim 2 takes 4 clocks a
// switch and 1 clock a link, so the packet arrives in clock 2 + 3*4 + 2*1 + 1 + 3 = 20; see
// engine.Delays.
func ExampleNew() {
	net, err := topo.Parse("line:3")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	source := once{0: {Source: 0, Dest: 2, Flits: 4}}
	sim, err := engine.New(relation, source, engine.Options{BufferFlits: 8}, func(d engine.Delivery) {
		fmt.Println("host", d.Source, "to", d.Dest, "arrived in clock", d.Arrived)
	})
	if err != nil {
		panic(err)
	}
	if err := sim.Run(context.Background(), 100); err != nil {
		panic(err)
	}
	fmt.Println(sim.Delivered(), "delivered,", sim.FlitHops(), "flit hops,", len(sim.Check()), "inconsistencies")
	// Output:
	// host 0 to 2 arrived in clock 20
	// 1 delivered, 12 flit hops, 0 inconsistencies
}

// Every host of a ring sends a long packet to the host two further on. Each packet
// holds the channel that the one behind it waits for.
func ExampleSim_Watch() {
	net, err := topo.Parse("ring:5")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	source := once{}
	for h := range model.HostID(net.NumHosts()) {
		source[h] = engine.Packet{Source: h, Dest: model.DestID((h + 2) % 5), Flits: 32}
	}
	sim, err := engine.New(relation, source, engine.Options{Switching: model.Wormhole, BufferFlits: 4}, nil)
	if err != nil {
		panic(err)
	}
	deadlock, err := sim.Watch(context.Background(), 1000)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(deadlock.Packets), "packets are frozen after clock", deadlock.Clock)
	for _, b := range deadlock.Packets {
		fmt.Println("host", b.Source, "to", b.Dest, "is on", b.On, "waits for", b.Waits)
	}
	// Output:
	// 5 packets are frozen after clock 4
	// host 0 to 2 is on [10 0] waits for [2]
	// host 1 to 3 is on [11 2] waits for [4]
	// host 2 to 4 is on [12 4] waits for [6]
	// host 3 to 0 is on [13 6] waits for [8]
	// host 4 to 1 is on [14 8] waits for [0]
}
