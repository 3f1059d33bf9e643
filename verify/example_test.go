package verify_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

func ExampleCheck() {
	const fabric = "../examples/fabrics/random16-d4-s2/"
	net, _, err := format.ReadNetwork(fabric+"topology.ibnetdiscover", format.Options{})
	if err != nil {
		panic(err)
	}
	table, _, err := lft.Read(fabric+"updn/opensm-lfts.dump.gz", net, format.Options{})
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

func ExampleCheckTurns() {
	net, err := topo.Parse("ring:4")
	if err != nil {
		panic(err)
	}
	all := model.NewTurnSet(net).Complement()
	report, err := verify.CheckTurns(context.Background(), all, verify.TurnOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Acyclic.Verdict, "by the cycle", report.Cycle)
	fmt.Println(report.Connected.Verdict, "for", report.Pairs, "pairs")
	// Output:
	// refuted by the cycle [0 2 4 6]
	// proved for 12 pairs
}
