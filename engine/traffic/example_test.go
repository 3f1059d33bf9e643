package traffic_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// Transpose sends from (x,y) to (y,x): on a mesh of 4x4 from host x+4y to y+4x.
func ExampleNewPattern() {
	net, err := topo.Parse("mesh:4x4")
	if err != nil {
		panic(err)
	}
	pattern, err := traffic.NewPattern("transpose", net, 1)
	if err != nil {
		panic(err)
	}
	for h := range model.HostID(4) {
		fmt.Println(h, "sends to", pattern.Dest(h, rand.New(rand.NewPCG(1, 1))))
	}
	_, err = traffic.NewPattern("transpos", net, 1)
	said, _, _ := strings.Cut(err.Error(), ", known are") // all patterns follow
	fmt.Println(said)
	// Output:
	// 0 sends to 0
	// 1 sends to 4
	// 2 sends to 8
	// 3 sends to 12
	// traffic: no pattern "transpos" (did you mean transpose?)
}

// At a load of 0.2 flits per clock a host creates a packet of 8 flits every 40 clocks
// in the mean.
func ExampleNew() {
	net, err := topo.Parse("mesh:4x4")
	if err != nil {
		panic(err)
	}
	pattern, err := traffic.NewPattern("uniform", net, 1)
	if err != nil {
		panic(err)
	}
	source, err := traffic.New(net, pattern, traffic.Options{Load: 0.2, Flits: 8, Seed: 1})
	if err != nil {
		panic(err)
	}
	const packets = 10_000
	var last model.DestID
	clock := 0.0
	for range packets {
		p, _ := source.Next(0)
		clock, last = float64(p.Created), p.Dest
	}
	fmt.Printf("offered %.2f; a packet every %.0f clocks; the last goes to host %d\n", source.Offered(), clock/packets, last)
	// Output:
	// offered 0.20; a packet every 40 clocks; the last goes to host 2
}

// In a collective all packets of a round are there at once.
func ExampleNewCollective() {
	net, err := topo.Parse("ring:4")
	if err != nil {
		panic(err)
	}
	pattern, err := traffic.NewPattern("all-to-all", net, 1)
	if err != nil {
		panic(err)
	}
	source, err := traffic.NewCollective(net, pattern, traffic.CollectiveOptions{Packets: 3, Flits: 8})
	if err != nil {
		panic(err)
	}
	fmt.Println(source.Packets(), "packets in all")
	for p, ok := source.Next(0); ok; p, ok = source.Next(0) {
		fmt.Println("clock", p.Created, "host", p.Source, "to", p.Dest, "flits", p.Flits)
	}
	// Output:
	// 12 packets in all
	// clock 0 host 0 to 1 flits 8
	// clock 0 host 0 to 2 flits 8
	// clock 0 host 0 to 3 flits 8
}
