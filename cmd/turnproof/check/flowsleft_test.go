package check

import (
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestFlowsLeft checks which flows are left after each failure of a switch, by the names of the hosts.
func TestFlowsLeft(t *testing.T) {
	for _, spec := range []string{"mesh:3x3", "random:switches=6,degree=3,hosts=2,seed=1", "star:4"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		var all []model.Flow
		for a := range model.HostID(n.NumHosts()) {
			for b := range model.HostID(n.NumHosts()) {
				if a != b {
					all = append(all, model.Flow{Source: a, Dest: b, Amount: 1})
				}
			}
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			left, err := n.Without(nil, []model.SwitchID{u})
			if err != nil {
				continue // no switch is left
			}
			want := map[string]bool{}
			for _, f := range all {
				if n.Host(f.Source).Switch != u && n.Host(f.Dest).Switch != u {
					want[n.HostLabel(f.Source)+" "+n.HostLabel(f.Dest)] = true
				}
			}
			got := map[string]bool{}
			for _, f := range flowsLeft(n, left, all) {
				got[left.HostLabel(f.Source)+" "+left.HostLabel(f.Dest)] = true
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s without switch %d: %v, want %v", spec, u, got, want)
			}
		}
	}
}
