package gate_test

import (
	"fmt"

	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// Gates at turns, closed if the buffers ahead are nearly full: f4 of the paper, where a buffer
// with at most 8 free slots is nearly full.
func ExampleParse() {
	rule, err := gate.Parse("turn,f=f4,level=8")
	if err != nil {
		panic(err)
	}
	net, err := topo.Parse("torus:4x4,vcs=2")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	gates, err := rule.On(relation)
	if err != nil {
		panic(err)
	}
	east, north := net.OutAt(0, 1), net.OutAt(1, 3) // E out of switch 0, then N out of switch 1
	fmt.Println("a gate straight on:", gates.Has(east, net.VC(net.OutAt(1, 1), 0)))
	fmt.Println("a gate at the turn:", gates.Has(east, net.VC(north, 0)))
	for _, info := range []uint64{0, 0b1, 0b1111, 0b11111} {
		fmt.Printf("VCinfo %05b closes it: %v\n", info, gates.Closed(info))
	}
	// Output:
	// a gate straight on: false
	// a gate at the turn: true
	// VCinfo 00000 closes it: false
	// VCinfo 00001 closes it: false
	// VCinfo 01111 closes it: false
	// VCinfo 11111 closes it: true
}

// An evaluation function in integers: the weight of each bit of VCinfo, and the sum above which
// a gate is closed.
func ExampleFunc_Weights() {
	f, err := gate.ParseFunc("f2")
	if err != nil {
		panic(err)
	}
	weights, most, err := f.Weights(4)
	if err != nil {
		panic(err)
	}
	fmt.Println(f, weights, "closed above", most)
	// Output:
	// f2:0.2>1.1 [5 4 3 2] closed above 5
}
