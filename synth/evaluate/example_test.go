package evaluate_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/evaluate"
)

func Example() {
	ctx := context.Background()
	net, err := topo.Parse("ring:5")
	if err != nil {
		panic(err)
	}
	made, err := synth.New(ctx, "updown", net, synth.Options{})
	if err != nil {
		panic(err)
	}
	set, err := evaluate.Evaluate(ctx, made, evaluate.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(set.Proof.Acyclic.Verdict, set.Proof.Connected.Verdict)
	fmt.Printf("%d prohibited turns, %.1f links on average\n", set.Count.Prohibited, set.Paths.MeanPath)
	// Output:
	// proved proved
	// 2 prohibited turns, 1.6 links on average
}
