package ethernet_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine/ethernet"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// Four switches in a ring, each of which sends to the one after the next, all the same
// way round: with PAUSE this freezes.
func Example() {
	n, err := topo.Parse("torus:4")
	if err != nil {
		fmt.Println(err)
		return
	}
	var ways []route.Path
	var flows []ethernet.Flow
	for h := range model.HostID(4) {
		to := (h + 2) % 4
		ways = append(ways, route.Path{Source: h, Dest: to, VCs: []model.VCID{clockwise(n, h), clockwise(n, (h+1)%4)}})
		flows = append(flows, ethernet.Flow{Source: h, Dest: model.DestID(to), Rate: 820e6})
	}
	r, err := route.Paths(n, ways)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := ethernet.Run(context.Background(), r, flows, ethernet.Options{Control: ethernet.Pause})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d accounts frozen, %d frames lost\n", len(result.Deadlock.Blocked), result.Lost)
	for _, i := range result.Deadlock.Cycle {
		b := result.Deadlock.Blocked[i]
		fmt.Printf("host %d to %d waits on %d for %d\n", b.Source, b.Dest, b.Channel, b.WaitsFor.Channel)
	}
	// Output:
	// 8 accounts frozen, 0 frames lost
	// host 0 to 2 waits on 0 for 2
	// host 1 to 3 waits on 2 for 4
	// host 2 to 0 waits on 4 for 6
	// host 3 to 1 waits on 6 for 0
}

// clockwise returns the VC from the switch of host h to the next one.
func clockwise(n *model.Network, h model.HostID) model.VCID {
	u := n.Host(h).Switch
	for _, c := range n.Out(u) {
		if n.Head(c) == (u+1)%4 {
			return n.VC(c, 0)
		}
	}
	return model.NoVC
}
