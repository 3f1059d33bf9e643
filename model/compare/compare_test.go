package compare_test

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	"github.com/turnproof/turnproof/model/topo"
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
	if d := compare.DiffNetworks(x.Network(), x.Network()); !d.Same() {
		t.Errorf("%+v", d)
	}
	if d := compare.DiffTables(x, x.Clone()); len(d.Entries) != 0 || d.Paths != 0 || d.Levels != 0 || d.Common != 72 || d.Pairs != 132 {
		t.Errorf("%+v", d)
	}
}

// TestTables changes entries at random and counts the pairs whose path uses a changed entry.
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
		got := compare.DiffTables(old, now)
		if len(got.Entries) != len(changed) || got.Paths != ways {
			t.Fatalf("%d entries and %d ways, want %d and %d", len(got.Entries), got.Paths, len(changed), ways)
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
	d := compare.DiffNetworks(old, now)
	if !slices.Equal(d.SwitchesGone, []string{"(2,2)"}) || len(d.HostsGone) != 1 || len(d.CablesGone) != 3 || len(d.SwitchesNew)+len(d.HostsNew)+len(d.CablesNew) != 0 {
		t.Errorf("%+v", d)
	}
	if back := compare.DiffNetworks(now, old); !slices.Equal(back.CablesNew, d.CablesGone) || !slices.Equal(back.HostsNew, d.HostsGone) {
		t.Errorf("%+v", back)
	}
}

// readdressed returns a forwarding table of a ring of four in which the hosts have the given
// LIDs.
func readdressed(t *testing.T, lids []uint16) *model.Table {
	t.Helper()
	b := model.NewBuilder()
	for u := range model.SwitchID(4) {
		b.AddSwitch(model.Switch{GUID: uint64(0x200 + u)})
	}
	for u := range model.SwitchID(4) {
		b.AddLink(u, 1, (u+1)%4, 2)
	}
	for u := range model.SwitchID(len(lids)) {
		b.AddHost(model.Host{Switch: u, Port: 3, PortGUID: uint64(0x100 + u), LID: lids[u]})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var dests []model.Destination
	for h, lid := range lids {
		dests = append(dests, model.Destination{Host: model.HostID(h), LID: lid})
	}
	tb := model.NewTable(n, dests)
	for d := range model.DestID(tb.Destinations()) {
		to := n.Host(tb.DestinationHost(d)).Switch
		for u := range model.SwitchID(4) {
			if u == to {
				tb.SetPort(u, d, 3)
			} else {
				tb.SetPort(u, d, 1)
			}
		}
	}
	return tb
}

// TestMovedLIDs checks that paths follow the hosts and entries follow the LIDs.
func TestMovedLIDs(t *testing.T) {
	old := readdressed(t, []uint16{1, 2, 3, 4})
	d := compare.DiffTables(old, readdressed(t, []uint16{4, 2, 3, 1}))
	if d.Pairs != 12 || d.Paths != 0 || d.PairsGone+d.PairsNew != 0 || d.LIDsElsewhere != 2 || len(d.Moved) != 2 {
		t.Errorf("swapped: %+v", d)
	}
	if d.Moved[0] != (compare.MovedHost{Host: 0, OldLID: 1, NewLID: 4}) || len(d.Entries) != 4 {
		t.Errorf("swapped: %+v", d)
	}
	d = compare.DiffTables(old, readdressed(t, []uint16{1, 2, 3}))
	if d.Pairs != 12 || d.PairsGone != 6 || d.PairsNew != 0 || d.Common != 16 || len(d.Entries) != 4 {
		t.Errorf("host gone: %+v", d)
	}
}

// TestTablesOnProcessors: the difference is the same on one and on three processors.
func TestTablesOnProcessors(t *testing.T) {
	old := table(t, "ring:40,hosts=3")
	now, n := old.Clone(), old.Network()
	for d := range model.DestID(now.Destinations()) {
		if u := model.SwitchID(7 * d % 40); d%5 == 0 {
			now.SetPort(u, d, n.TailPort(n.Out(u)[1]))
		}
	}
	var diffs [2]*compare.TableDiff
	for i, k := range []int{1, 3} {
		before := runtime.GOMAXPROCS(k)
		diffs[i] = compare.DiffTables(old, now)
		runtime.GOMAXPROCS(before)
	}
	if diffs[0].Paths == 0 || !reflect.DeepEqual(diffs[0], diffs[1]) {
		t.Errorf("on one processor %+v, on three %+v", diffs[0], diffs[1])
	}
}
