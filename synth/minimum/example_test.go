package minimum_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/topo"
	_ "github.com/turnproof/turnproof/synth/evaluate" // checks the bounds of journals, also in the tests of this package
	"github.com/turnproof/turnproof/synth/minimum"
)

// The fewest turns that a mesh of 3x3 must prohibit.
func ExampleFind() {
	net, err := topo.Parse("mesh:3x3")
	if err != nil {
		panic(err)
	}
	r, err := minimum.Find(context.Background(), net, minimum.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Least, "turns are prohibited, no set prohibits fewer than", r.Bound)
	// Output:
	// 8 turns are prohibited, no set prohibits fewer than 8
}
