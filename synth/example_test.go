package synth_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/verify"
)

// The turns that two published methods prohibit on one irregular network, and what
// becomes of the ways.
func ExampleNew() {
	ctx := context.Background()
	net, err := topo.Parse("random:switches=16,degree=4,seed=1")
	if err != nil {
		panic(err)
	}
	demand := model.NewDemand(net, model.UniformTraffic(net))
	for _, method := range []string{"updown", "lturn-alpha"} {
		r, err := synth.New(ctx, method, net, synth.Options{})
		if err != nil {
			panic(err)
		}
		ways, err := synth.MeasurePaths(ctx, r.Allowed, demand)
		if err != nil {
			panic(err)
		}
		proof, err := verify.CheckTurns(ctx, r.Allowed, verify.TurnOptions{})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s prohibits %d turns, mean path %.2f links; acyclic %s, connected %s\n",
			method, synth.Count(r.Allowed).Prohibited, ways.MeanPath, proof.Acyclic.Verdict, proof.Connected.Verdict)
	}
	// Output:
	// updown prohibits 48 turns, mean path 2.08 links; acyclic proved, connected proved
	// lturn-alpha prohibits 54 turns, mean path 2.14 links; acyclic proved, connected proved
}

// Forwarding tables within a turn set: one in-tree for each destination.
func ExampleInTrees() {
	ctx := context.Background()
	net, err := topo.Parse("random:switches=16,degree=4,seed=1")
	if err != nil {
		panic(err)
	}
	r, err := synth.New(ctx, "turn-addition", net, synth.Options{})
	if err != nil {
		panic(err)
	}
	f, err := synth.InTrees(ctx, r.Allowed, synth.TreeOptions{})
	if err != nil {
		panic(err)
	}
	report, err := verify.Check(ctx, f.Table, verify.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(f.Pairs, "pairs, the table is", report.Verdict())
	// Output:
	// 240 pairs, the table is proved
}
