package mend_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/synth/mend"
	"github.com/turnproof/turnproof/verify"
)

// The tables of a ring of four switches, dimension order, have a credit loop; some
// entries must change.
func ExampleFind() {
	ctx := context.Background()
	const fabric = "../../examples/fabrics/ring4/"
	net, _, err := format.ReadNetwork(fabric+"topology.ibnetdiscover", format.Options{})
	if err != nil {
		panic(err)
	}
	table, _, err := lft.Read(fabric+"dor/opensm-lfts.dump", net, format.Options{})
	if err != nil {
		panic(err)
	}
	m, err := mend.Find(ctx, table, mend.Options{})
	if err != nil {
		panic(err)
	}
	before, err := verify.Check(ctx, table, verify.Options{})
	if err != nil {
		panic(err)
	}
	after, err := verify.Check(ctx, m.Table, verify.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(before.Verdict(), "before,", after.Verdict(), "after", len(m.Changes), "changes of", table.Entries(), "entries")
	fmt.Println("no table has fewer changes:", m.Optimal())
	// Output:
	// refuted before, proved after 2 changes of 48 entries
	// no table has fewer changes: true
}
