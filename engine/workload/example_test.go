package workload_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine/workload"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// A broadcast of 64 bytes to four ranks on a line: 4 flits pass 3 switches from rank 0 to rank 2,
// and 2 switches from rank 2 to rank 3.
func ExampleRun() {
	net, err := topo.Parse("line:4")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	graph, err := workload.Open("collective:kind=broadcast,bytes=64", net.NumHosts())
	if err != nil {
		panic(err)
	}
	result, err := workload.Run(context.Background(), relation, graph, workload.Settings{})
	if err != nil {
		panic(err)
	}
	fmt.Println("ended after", result.End, "clocks")
	for i := len(result.Path) - 1; i >= 0; i-- {
		s := result.Path[i]
		fmt.Printf("%d to %d: rank %d, %s\n", s.From, s.To, graph.Ops[s.Op].Rank, graph.Describe(s.Op))
	}
	// Output:
	// ended after 37 clocks
	// 0 to 21: rank 2, receive of 64 bytes from rank 0, tag 0
	// 21 to 37: rank 3, receive of 64 bytes from rank 2, tag 1
}
