package multicast

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestUnreached: a line connects its members, a ring brings copies twice, and a line without its middle connects no host.
func TestUnreached(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	entries := func(skip ...int) *model.Multicast {
		g := model.MulticastGroup{MLID: 0xc001}
		left := map[model.ChannelID]bool{}
		for _, l := range skip {
			left[model.ChannelID(2*l)], left[model.ChannelID(2*l+1)] = true, true
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			e := model.MulticastEntry{Switch: u}
			for _, c := range n.Out(u) {
				if !left[c] {
					e.Ports = append(e.Ports, n.TailPort(c))
				}
			}
			g.Entries = append(g.Entries, e)
		}
		return &model.Multicast{Groups: []model.MulticastGroup{g}}
	}
	for want, m := range map[string]*model.Multicast{
		"": entries(0),
		"packets of h0 come twice to h1; of 12 pairs of members 0 are not connected, 12 get copies twice": entries(),
		"of 12 pairs of members 8 are not connected, 0 get copies twice":                                  entries(0, 2),
		"of 12 pairs of members 12 are not connected":                                                     entries(0, 1, 2, 3),
	} {
		got := strings.Join(Unreached(n, m), "; ")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
