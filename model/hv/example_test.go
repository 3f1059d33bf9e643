package hv_test

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/topo"
)

// The H/V graph of a mesh of 2x3, from the switch in the middle of the first column.
func ExampleNew() {
	net, err := topo.Parse("mesh:2x3")
	if err != nil {
		panic(err)
	}
	tree, err := hv.NewTree(net, 2, hv.Options{})
	if err != nil {
		panic(err)
	}
	graph, err := hv.New(tree)
	if err != nil {
		panic(err)
	}
	for u := range model.SwitchID(net.NumSwitches()) {
		fmt.Println("switch", net.SwitchLabel(u), "at spread", tree.Spread[u], "depth", tree.Depth[u])
	}
	in, out := net.OutAt(0, 1), net.OutAt(1, 3) // E, then N
	turn, _ := graph.ClassTurn(in, out)
	fmt.Println("east is", graph.Dir(in), "north is", graph.Dir(out), "the turn", turn)
	// Output:
	// switch (0,0) at spread 1 depth 1
	// switch (1,0) at spread 2 depth 2
	// switch (0,1) at spread 0 depth 0
	// switch (1,1) at spread 3 depth 1
	// switch (0,2) at spread 5 depth 1
	// switch (1,2) at spread 4 depth 2
	// east is RD north is RU the turn RD>RU
}

func ExampleCenter() {
	net, err := topo.Parse("line:7")
	if err != nil {
		panic(err)
	}
	fmt.Println(hv.Center(net, 0), hv.Hops(net, 0))
	// Output:
	// 3 [0 1 2 3 4 5 6]
}
