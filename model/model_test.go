package model_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

func TestNetworkIsConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 8)
		for _, err := range n.Check() {
			t.Error(err)
		}
		for h := range model.HostID(n.NumEndpoints()) {
			in, out := n.InjectChannel(h), n.EjectChannel(h)
			e := n.Host(h)
			if n.Kind(in) != model.Inject || n.Kind(out) != model.Eject || n.Reverse(in) != out || n.HostOf(in) != h || n.HostOf(out) != h {
				t.Fatalf("endpoint %d: channels %d and %d", h, in, out)
			}
			if n.Head(in) != e.Switch || n.HeadPort(in) != e.Port || n.OutAt(e.Switch, e.Port) != out || n.Tail(in) != model.NoSwitch {
				t.Fatalf("endpoint %d is not at port %d of switch %d", h, e.Port, e.Switch)
			}
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			for i, c := range n.Out(u) {
				if n.Tail(c) != u || n.OutIndex(c) != i || n.InIndex(n.Reverse(c)) != i {
					t.Fatalf("switch %d: channel %d at place %d has indices %d and %d", u, c, i, n.OutIndex(c), n.InIndex(n.Reverse(c)))
				}
			}
		}
	})
}

func TestBuilderRefuses(t *testing.T) {
	two := func() *model.Builder {
		b := model.NewBuilder()
		b.AddSwitch(model.Switch{Name: "a"})
		b.AddSwitch(model.Switch{Name: "b", Ports: 4})
		return b
	}
	for want, spoil := range map[string]func(b *model.Builder){
		"link 0: no switch 2; want 0 to 1":                        func(b *model.Builder) { b.AddLink(0, 1, 2, 1) },
		"joins switch 0 to itself (ports 1 and 2)":                func(b *model.Builder) { b.AddLink(0, 1, 0, 2) },
		"port 1 of switch a has two cables":                       func(b *model.Builder) { b.AddLink(0, 1, 1, 1); b.AddLink(0, 1, 1, 2) },
		"port 5 of switch 1 is out of range; want 0 to 4":         func(b *model.Builder) { b.AddLink(0, 1, 1, 5) },
		"port -1 of switch 0":                                     func(b *model.Builder) { b.AddHost(model.Host{Name: "h", Switch: 0, Port: -1}) },
		"host h: no switch 7":                                     func(b *model.Builder) { b.AddHost(model.Host{Name: "h", Switch: 7}) },
		"0 virtual channels per channel":                          func(b *model.Builder) { b.SetVCs(0) },
		"port 70000 of switch 0 is out of range; want 0 to 65536": func(b *model.Builder) { b.AddLink(0, 70000, 1, 1) },
	} {
		b := two()
		spoil(b)
		if _, err := b.Build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := model.NewBuilder().Build(); err == nil {
		t.Error("a network without switches was built")
	}
}

func TestTableEntries(t *testing.T) {
	tab := modeltest.Torus(4, 1)
	n := tab.Network()
	if got := tab.Entries(); got != 256 {
		t.Errorf("%d entries, want 256", got)
	}
	bare := model.NewTable(n, modeltest.Destinations(n))
	if _, ok := bare.Port(0, 0); ok || bare.Entries() != 0 {
		t.Error("a new table has entries")
	}
	bare.SetPort(0, 3, 77) // no cable there
	if p, ok := bare.Port(0, 3); !ok || p != 77 || bare.Row(3)[0] >= 0 {
		t.Errorf("port %d %v, row %d", p, ok, bare.Row(3)[0])
	}
}

// TestVCsFollowClasses checks that a network has as many VCs as the classes can reach.
func TestVCsFollowClasses(t *testing.T) {
	tab := modeltest.Torus(3, 1)
	n := tab.Network()
	sets := make([]model.ClassSet, 81)
	for i := range sets {
		sets[i] = 1 << 2
	}
	tab.SetClasses(sets, nil)
	if got := tab.Classes(); got != 3 {
		t.Errorf("class 2: %d classes, want 3", got)
	}
	if got := tab.Network().VCs(); got != 3 {
		t.Errorf("identity, class 2: %d VCs, want 3", got)
	}
	m := model.NewVCMap(n)
	for u := range model.SwitchID(n.NumSwitches()) {
		for i := range n.Out(u) {
			for j := range n.Out(u) {
				m.Set(n, u, i, j, 0, 0)
				m.Set(n, u, i, j, 2, 1)
			}
		}
	}
	m.Set(n, 0, 0, 1, 2, model.DropVC)
	tab.SetClasses(sets, m)
	if got := tab.Network().VCs(); got != 2 {
		t.Errorf("class 2 on VC 1: %d VCs, want 2", got)
	}
	in, out := n.Reverse(n.Out(0)[0]), n.Out(0)[1]
	if got := tab.HopVC(in, out, 2); got != model.DropVC {
		t.Errorf("VC %d, want dropped", got)
	}
	toY := model.DestID(3) // a packet from (0,0) enters (0,1) through the cable with index 2
	out = n.Out(0)[2]
	want := []model.Hop{{VC: tab.Network().VC(out, 1), Class: 2}}
	if hops := tab.Next(model.State{VC: tab.Network().VC(in, 1), Dest: toY, Class: 2}, nil); !slices.Equal(hops, want) {
		t.Errorf("hops %v, want %v", hops, want)
	}
}

// TestHopsOfAnyState checks that all hops of a table leave the switch on a VC that exists, also
// in states of classes that no packet has.
func TestHopsOfAnyState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := modeltest.Table(t, modeltest.Network(t, 4), true)
		n := tab.Network()
		for v := range model.VCID(n.NumVCs()) {
			in, _ := n.Channel(v)
			for d := range model.DestID(tab.Destinations()) {
				for k := range model.Class(tab.Classes()) {
					for _, h := range tab.Next(model.State{VC: v, Dest: d, Class: k}, nil) {
						if out, _ := n.Channel(h.VC); int(h.VC) >= n.NumVCs() || n.Tail(out) != n.Head(in) {
							t.Fatalf("VC %d, destination %d, class %d of %d: to VC %d of %d", v, d, k, tab.Classes(), h.VC, n.NumVCs())
						}
					}
				}
			}
		}
	})
}

func TestTurnSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5).WithVCs(rapid.IntRange(1, 3).Draw(t, "VCs"))
		s, in := model.NewTurnSet(n), map[model.Turn]bool{}
		total := 0
		for turn := range model.Turns(n, false) {
			total++
			if turn.IsUTurn(n) {
				t.Fatalf("%v is a U-turn", turn)
			}
			if rapid.Bool().Draw(t, "in") {
				s.Add(turn)
				in[turn] = true
			}
		}
		seen := 0
		last := model.Turn{In: -1}
		for turn := range s.All() {
			if !in[turn] || turn.In < last.In {
				t.Fatalf("%v is out of place", turn)
			}
			last = turn
			seen++
		}
		if seen != len(in) || s.Len() != len(in) || s.Complement().Len() != total-len(in) {
			t.Fatalf("%d turns put in, %d listed, %d counted, %d of %d in the complement", len(in), seen, s.Len(), s.Complement().Len(), total)
		}
		c := s.Clone()
		for turn := range s.All() {
			c.Remove(turn)
		}
		if c.Len() != 0 || s.Len() != len(in) {
			t.Fatal("clone and set share their bits")
		}
		if s.Difference(s) != 0 || s.Difference(c) != len(in) || s.Difference(s.Complement()) != total {
			t.Fatalf("differences %d, %d, %d", s.Difference(s), s.Difference(c), s.Difference(s.Complement()))
		}
	})
}

// TestParallelTurns checks that only a turn back over the same cable is a U-turn, not a turn
// back over a parallel link.
func TestParallelTurns(t *testing.T) {
	b := model.NewBuilder()
	b.AddSwitch(model.Switch{})
	b.AddSwitch(model.Switch{})
	b.AddLink(0, 1, 1, 1)
	b.AddLink(0, 2, 1, 2)
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	turns, all := 0, 0
	for range model.Turns(n, false) {
		turns++
	}
	for range model.Turns(n, true) {
		all++
	}
	if turns != 4 || all != 8 {
		t.Errorf("%d turns, %d with U-turns; want 4 and 8", turns, all)
	}
}
