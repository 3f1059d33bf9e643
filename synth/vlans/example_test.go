package vlans_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/vlans"
	"github.com/turnproof/turnproof/verify"
)

// Find carries dimension-order routing on a 3x2 mesh in the smallest possible number of VLANs.
func ExampleFind() {
	ctx := context.Background()
	net, err := topo.Parse("mesh:3x2")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	paths, err := vlans.Collect(ctx, relation, 0, nil)
	if err != nil {
		panic(err)
	}
	found, err := vlans.Find(ctx, paths, vlans.Options{})
	if err != nil {
		panic(err)
	}
	set, err := vlans.Set(paths, found, vlans.Plan{FirstID: 2})
	if err != nil {
		panic(err)
	}
	report, err := verify.Check(ctx, set.Relation(), verify.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(found.VLANs, "VLANs for", paths.Pairs, "pairs, no fewer than", found.Bound, "by", found.By)
	fmt.Println("their routing is", report.Verdict())
	// Output:
	// 2 VLANs for 30 pairs, no fewer than 2 by count
	// their routing is proved
}
