package model_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// TestPossible compares the classes of each pair with a walk that asks the relation for each
// hop.
func TestPossible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5)
		tab := modeltest.Table(t, n, true)
		m := tab.VCMap()
		if m == nil {
			m = model.NewVCMap(n)
		}
		distinct := m.Distinct(n)
		for a := range model.Class(model.MaxClasses) {
			first := true
			for b := range a {
				first = first && !sameVCs(n, m, a, b)
			}
			if first != (distinct>>a&1 == 1) {
				t.Fatalf("class %d: %v", a, !first)
			}
		}
		possible := tab.Possible(model.AllClasses, m)
		all := tab.Clone()
		every := make([]model.ClassSet, tab.Destinations()*n.NumHosts())
		for i := range every {
			every[i] = model.AllClasses
		}
		all.SetClasses(every, m)
		for d := range model.DestID(tab.Destinations()) {
			for h := range model.HostID(n.NumHosts()) {
				for k := range model.Class(model.MaxClasses) {
					got := possible(h, d)>>k&1 == 1
					if want := !dropped(all, h, d, k); got != want {
						t.Fatalf("host %d to %d, class %d: %v, want %v", h, d, k, got, want)
					}
				}
			}
		}
	})
}

// dropped reports whether a packet is dropped at a switch whose entry has a cable.
func dropped(t *model.Table, h model.HostID, d model.DestID, k model.Class) bool {
	s := model.InjectState(t, h, d, k)
	for range t.Network().NumSwitches() + 1 {
		c, _ := t.Network().Channel(s.VC)
		u := t.Network().Head(c)
		if u == model.NoSwitch {
			return false
		}
		hops := t.Next(s, nil)
		if len(hops) == 0 {
			return t.Row(d)[u] >= 0
		}
		s.VC = hops[0].VC
	}
	return false
}

// sameVCs reports whether two classes have the same VCs between every two cables of a switch.
func sameVCs(n *model.Network, m *model.VCMap, a, b model.Class) bool {
	inside := func(c model.ChannelID) bool {
		h := n.HostOf(c)
		return h != model.NoHost && n.Host(h).Management
	}
	for in := range model.ChannelID(n.NumChannels()) {
		for out := range model.ChannelID(n.NumChannels()) {
			if n.Head(in) == model.NoSwitch || n.Tail(out) != n.Head(in) || inside(in) || inside(out) {
				continue
			}
			x, y := m.VC(n, in, out, a), m.VC(n, in, out, b)
			if x != y && (n.Kind(out) != model.Eject || x == model.DropVC || y == model.DropVC) {
				return false
			}
		}
	}
	return true
}
