package infiniband_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/topo"
)

// TestAddressed: every port gets a different LID, and hosts, switches, links and channels keep
// their numbers.
func TestAddressed(t *testing.T) {
	n, err := topo.Parse("torus:3x3,vcs=2,hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	a, err := infiniband.Addressed(n)
	if err != nil {
		t.Fatal(err)
	}
	if errs := a.Check(); len(errs) > 0 {
		t.Error(errs)
	}
	if a.NumHosts() != 18 || a.NumEndpoints() != 27 || a.VCs() != 2 || a.Grid() == nil {
		t.Errorf("%d hosts, %d endpoints, %d VCs", a.NumHosts(), a.NumEndpoints(), a.VCs())
	}
	lids, guids := map[uint16]bool{}, map[uint64]bool{}
	for h := range model.HostID(a.NumEndpoints()) {
		e := a.Host(h)
		lids[e.LID], guids[e.PortGUID] = true, true
		if int(h) < n.NumHosts() && (e.Switch != n.Host(h).Switch || e.Port != n.Host(h).Port || e.Name != n.Host(h).Name) {
			t.Errorf("host %d is another", h)
		}
	}
	if lids[0] || guids[0] || len(lids) != 27 || len(guids) != 27 {
		t.Errorf("LIDs %v, GUIDs %v", lids, guids)
	}
	for c := range model.ChannelID(n.NumLinkChannels()) {
		if a.Tail(c) != n.Tail(c) || a.Head(c) != n.Head(c) || a.TailPort(c) != n.TailPort(c) {
			t.Errorf("channel %d is another", c)
		}
	}
	if again, err := infiniband.Addressed(a); again != a || err != nil {
		t.Errorf("a fabric is not left as it is: %v", err)
	}
}

func TestAddressedRefuses(t *testing.T) {
	build := func(hosts ...model.Host) *model.Network {
		b := model.NewBuilder()
		b.AddSwitch(model.Switch{})
		for _, h := range hosts {
			b.AddHost(h)
		}
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for says, n := range map[string]*model.Network{
		"all or none were expected": build(model.Host{Port: 1, LID: 3}, model.Host{Port: 2}),
		"at port 0":                 build(model.Host{Port: 0}),
		"at port 255":               build(model.Host{Port: 255}),
	} {
		if _, err := infiniband.Addressed(n); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}
