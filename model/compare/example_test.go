package compare_test

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/topo"
)

// One cable of a mesh was removed.
func ExampleDiffNetworks() {
	old, err := topo.Parse("mesh:3x3")
	if err != nil {
		panic(err)
	}
	now, err := topo.Parse("mesh:3x3,fail=0-1")
	if err != nil {
		panic(err)
	}
	d := compare.DiffNetworks(old, now)
	fmt.Println("the same:", d.Same())
	fmt.Println("gone:", d.CablesGone)
	fmt.Println("new:", d.CablesNew)
	// Output:
	// the same: false
	// gone: [(0,0) port 1 - (1,0) port 2]
	// new: []
}

// One changed entry of a forwarding table sends packets in the other direction.
func ExampleDiffTables() {
	const fabric = "../../examples/fabrics/random16-d4-s2/"
	net, _, err := format.ReadNetwork(fabric+"topology.ibnetdiscover", format.Options{})
	if err != nil {
		panic(err)
	}
	old, _, err := lft.Read(fabric+"updn/opensm-lfts.dump.gz", net, format.Options{})
	if err != nil {
		panic(err)
	}
	now := old.Clone()
	now.SetPort(0, model.DestID(63), 1)
	diff := compare.DiffTables(old, now)
	fmt.Println(len(diff.Entries), "of", diff.Common, "entries,", diff.Paths, "of", diff.Pairs, "paths")
	for _, e := range diff.Entries {
		fmt.Println("switch", net.SwitchLabel(e.Switch), "LID", e.LID, "port", *e.Old, "is now", *e.New)
	}
	// Output:
	// 1 of 1024 entries, 4 of 4032 paths
	// switch S0 LID 80 port 3 is now 1
}
