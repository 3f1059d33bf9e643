package layers_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/verify"
)

// Shortest paths on a ring close a cycle; a second layer breaks it, and one is too few.
func ExampleFind() {
	ctx := context.Background()
	net, err := topo.Parse("ring:6")
	if err != nil {
		panic(err)
	}
	table, err := layers.Shortest(net)
	if err != nil {
		panic(err)
	}
	routes, err := layers.Collect(ctx, table)
	if err != nil {
		panic(err)
	}
	r, err := layers.Find(ctx, routes, layers.Options{})
	if err != nil {
		panic(err)
	}
	layered, err := layers.Layered(table, routes, r.Of)
	if err != nil {
		panic(err)
	}
	before, err := verify.Check(ctx, table, verify.Options{})
	if err != nil {
		panic(err)
	}
	after, err := verify.Check(ctx, layered, verify.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println("as they are:", before.DeadlockFree.Verdict)
	fmt.Println("in", r.Layers, "layers:", after.DeadlockFree.Verdict)
	fmt.Println("no fewer than", r.Bound, "by", r.By)
	// Output:
	// as they are: refuted
	// in 2 layers: proved
	// no fewer than 2 by cycle
}
