//go:build z3 && cgo

package smt_test

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/turnproof/turnproof/verify/smt"
)

// A path of three vertices has numbers that increase along it. One more edge closes a cycle.
func ExampleAcyclic() {
	edges := map[int32]int32{0: 1, 1: 2}
	a, err := smt.Acyclic(context.Background(), 3, maps.All(edges), smt.Limit{Time: time.Minute})
	if err != nil {
		panic(err)
	}
	fmt.Println("acyclic:", a.Result == smt.Sat, "rising:", a.Numbers[0] < a.Numbers[1] && a.Numbers[1] < a.Numbers[2])
	edges[2] = 0
	a, err = smt.Acyclic(context.Background(), 3, maps.All(edges), smt.Limit{Time: time.Minute})
	if err != nil {
		panic(err)
	}
	fmt.Println("a cycle:", a.Result == smt.Unsat)
	// Output:
	// acyclic: true rising: true
	// a cycle: true
}
