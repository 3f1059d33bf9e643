package verify_test

import (
	"context"
	"fmt"

	"turnproof/model/format"
	"turnproof/verify"
)

func ExampleCheck() {
	const fabric = "../examples/fabrics/random16-d4-s2/"
	net, _, err := format.ReadNetwork(fabric+"topology.ibnetdiscover", format.Options{})
	if err != nil {
		panic(err)
	}
	table, _, err := format.ReadTable(fabric+"updn/opensm-lfts.dump.gz", net, format.Options{})
	if err != nil {
		panic(err)
	}
	report, err := verify.Check(context.Background(), table, verify.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Verdict())
	for _, claim := range report.Claims() {
		fmt.Println(claim.Name, claim.Verdict)
	}
	fmt.Println("cycle of", len(report.Cycle))
	// Output:
	// refuted
	// deadlock-free refuted
	// connected proved
	// livelock-free proved
	// cycle of 5
}
