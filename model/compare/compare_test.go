package compare_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"turnproof/model"
	"turnproof/model/compare"
	"turnproof/model/topo"
)

// table forwards clockwise on a ring.
func table(t *testing.T, spec string) *model.Table {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	x := model.NewTable(n, model.AllAddresses(n))
	for d := range model.DestID(x.Destinations()) {
		h := x.DestinationHost(d)
		for u := range model.SwitchID(n.NumSwitches()) {
			c := n.Out(u)[0]
			if n.Host(h).Switch == u {
				c = n.EjectChannel(h)
			}
			x.SetPort(u, d, n.TailPort(c))
		}
	}
	return x
}

func TestSame(t *testing.T) {
	x := table(t, "ring:6,hosts=2")
	if d := compare.OfNetworks(x.Network(), x.Network()); !d.Same() {
		t.Errorf("%+v", d)
	}
	if d := compare.OfTables(x, x.Clone()); len(d.Entries) != 0 || d.Ways != 0 || d.Levels != 0 || d.Common != 72 || d.Pairs != 132 {
		t.Errorf("%+v", d)
	}
}

// TestTables changes entries at random and counts the pairs whose way has one of them.
func TestTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		old := table(t, "ring:6")
		now, n := old.Clone(), old.Network()
		changed := map[[2]int]bool{}
		for range rng.IntN(4) {
			u, d := model.SwitchID(rng.IntN(6)), model.DestID(rng.IntN(6))
			now.SetPort(u, d, n.TailPort(n.Out(u)[1]))
			changed[[2]int{int(d), int(u)}] = true
		}
		ways := int64(0)
		for d := range model.DestID(6) {
			for h := range model.HostID(6) {
				hit := model.DestID(h) == d
				for u := n.Host(h).Switch; !hit; {
					if changed[[2]int{int(d), int(u)}] {
						ways++
						hit = true
					}
					c := old.Row(d)[u]
					if int(c) >= n.NumLinkChannels() {
						break
					}
					u = n.Head(c)
				}
			}
		}
		got := compare.OfTables(old, now)
		if len(got.Entries) != len(changed) || got.Ways != ways {
			t.Fatalf("%d entries and %d ways, want %d and %d", len(got.Entries), got.Ways, len(changed), ways)
		}
		for _, e := range got.Entries {
			if e.Old == nil || e.New == nil || *e.Old == *e.New {
				t.Errorf("%+v", e)
			}
		}
	}
}

func TestNetworks(t *testing.T) {
	old, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	now, err := old.Without([]model.LinkID{0}, []model.SwitchID{8})
	if err != nil {
		t.Fatal(err)
	}
	d := compare.OfNetworks(old, now)
	if !slices.Equal(d.SwitchesGone, []string{"(2,2)"}) || len(d.HostsGone) != 1 || len(d.CablesGone) != 3 || len(d.SwitchesNew)+len(d.HostsNew)+len(d.CablesNew) != 0 {
		t.Errorf("%+v", d)
	}
	if back := compare.OfNetworks(now, old); !slices.Equal(back.CablesNew, d.CablesGone) || !slices.Equal(back.HostsNew, d.HostsGone) {
		t.Errorf("%+v", back)
	}
}
