package replay_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// Run injects the packets of a refutation at hosts of an empty network and reaches exactly the
// deadlock of the refutation.
func ExampleRun() {
	net, err := topo.Parse("ring:5")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	report, err := verify.Check(context.Background(), relation, verify.Options{})
	if err != nil {
		panic(err)
	}
	var held []replay.Held
	for _, p := range report.Configuration {
		// Under virtual cut-through a waiting packet holds only the last VC of its path.
		held = append(held, replay.Held{Source: p.Source, Dest: p.Dest, Path: p.Path, Holds: 1})
	}
	result, err := replay.Run(context.Background(), relation, held, replay.Options{Switching: model.CutThrough})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.DeadlockFree.Name, report.DeadlockFree.Verdict, "by", len(held), "packets")
	fmt.Println("reached:", result.Reached, "with packets", result.How)
	fmt.Println(len(result.Deadlock.Packets), "packets are frozen after clock", result.Deadlock.Clock)
	// Output:
	// deadlock-free refuted by 5 packets
	// reached: true with packets injected at the tails
	// 5 packets are frozen after clock 3
}

// Saturate runs a routing that is proved deadlock-free at full load.
func ExampleSaturate() {
	net, err := topo.Parse("ring:5,vcs=2")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	s, err := replay.Saturate(context.Background(), relation, replay.Options{Switching: model.CutThrough, Clocks: 5000})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f flits per clock and host, deadlock: %v\n", s.Accepted, s.Deadlock != nil)
	// Output:
	// 0.54 flits per clock and host, deadlock: false
}
