package cdg_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// Dimension-order routing on a ring with one virtual channel: every packet may wait for the
// next channel in its direction, around the whole ring.
func ExampleBuild() {
	net, err := topo.Parse("ring:5")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	g, err := cdg.Build(context.Background(), relation)
	if err != nil {
		panic(err)
	}
	cycle, err := g.ShortestCycle(context.Background())
	if err != nil {
		panic(err)
	}
	packets, err := cdg.Witnesses(relation, cdg.Dependencies(cycle))
	if err != nil {
		panic(err)
	}
	fmt.Println(g.NumDependencies(), "dependencies, a cycle of", len(cycle))
	for _, p := range packets {
		fmt.Println("a packet from host", p.Source, "to host", relation.DestinationHost(p.Dest))
	}
	// Output:
	// 10 dependencies, a cycle of 5
	// a packet from host 0 to host 2
	// a packet from host 1 to host 3
	// a packet from host 2 to host 4
	// a packet from host 3 to host 0
	// a packet from host 4 to host 1
}

// A second virtual channel and a dateline break the cycle. The numbering proves it.
func ExampleGraph_Numbering() {
	net, err := topo.Parse("ring:5,vcs=2")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	g, err := cdg.Build(context.Background(), relation)
	if err != nil {
		panic(err)
	}
	rank, acyclic := g.Numbering()
	raised := 0
	for t := range g.All() {
		if rank[t.In] < rank[t.Out] {
			raised++
		}
	}
	fmt.Println("acyclic:", acyclic)
	fmt.Println(raised, "of", g.NumDependencies(), "dependencies raise the rank")
	// Output:
	// acyclic: true
	// 10 of 10 dependencies raise the rank
}

// Order adds dependencies and refuses the dependency that closes a cycle.
func ExampleOrder() {
	net, err := topo.Parse("ring:3")
	if err != nil {
		panic(err)
	}
	o := cdg.NewOrder(net, nil)
	for t := range model.Turns(net, false) {
		fmt.Println(t.In, "->", t.Out, o.Add(t))
	}
	// Output:
	// 0 -> 2 true
	// 1 -> 5 true
	// 2 -> 4 true
	// 3 -> 1 true
	// 4 -> 0 false
	// 5 -> 3 false
}
