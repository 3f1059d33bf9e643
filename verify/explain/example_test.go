package explain_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

func Example() {
	net, err := topo.Parse("ring:4")
	if err != nil {
		panic(err)
	}
	rel, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	rep, err := verify.Check(context.Background(), rel, verify.Options{})
	if err != nil {
		panic(err)
	}
	for _, c := range rep.Claims() {
		fmt.Printf("%s %s: %s\n", c.Name, c.Verdict, explain.ClaimNote(c, rep))
	}
	fmt.Println(explain.PacketText(rel, rep.CyclePackets[0]))
	// Output:
	// deadlock-free refuted: 4 packets can hold 4 virtual channels and wait for each other
	// connected proved: 12 pairs of hosts
	// livelock-free proved: no packet passes more than 3 switches
	// packet h0 -> h2
}
