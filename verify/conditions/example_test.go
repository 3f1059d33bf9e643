package conditions_test

import (
	"context"
	"fmt"
	"log"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	_ "github.com/turnproof/turnproof/verify/conditions"
)

// Dimension order on a torus without datelines has a credit loop. Bubble flow control keeps a free slot in each ring.
func Example() {
	network, err := topo.Parse("torus:4x4")
	if err != nil {
		log.Fatal(err)
	}
	relation, err := route.New("dor", network, route.Options{})
	if err != nil {
		log.Fatal(err)
	}
	flow := &bubble.Flow{Rule: bubble.Rule{Kind: bubble.Local}, Packet: 4, Buffer: 8}
	for _, conditions := range [][]model.Condition{nil, {flow}} {
		report, err := verify.Check(context.Background(), relation, verify.Options{Conditions: conditions})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(conditions), "conditions:", report.DeadlockFree.Verdict)
	}
	// Output:
	// 0 conditions: refuted
	// 1 conditions: proved
}
