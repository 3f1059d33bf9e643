package reroute_test

import (
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// TestTwoLanes: by a second lane, each pair of up*/down* tables on a mesh can change, and no VC carries packets of both lanes.
func TestTwoLanes(t *testing.T) {
	t.Parallel()
	list := tables(t, "mesh:3x3", "updown,root=#0", "updown,root=#4", "updown,root=#8")
	mixed := 0
	for i, old := range list {
		for j, now := range list {
			if i == j {
				continue
			}
			c, err := transition.New(old, now)
			if err != nil {
				t.Fatal(err)
			}
			m, err := c.Mixture(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if m.Cycle != nil {
				mixed++
			}
			l := reroute.TwoLanes(c)
			if l == nil || l.VCs != 2 || len(l.Changed()) != len(c.Destinations()) {
				t.Fatalf("%d to %d: %+v", i, j, l)
			}
			for _, table := range []*model.Table{l.Over, l.Back} {
				rep, err := verify.Check(t.Context(), table, verify.Options{Switching: model.CutThrough})
				if err != nil || rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
					t.Errorf("%d to %d: %v, %v", i, j, rep, err)
				}
			}
			for d, second := range l.Second {
				for _, at := range []struct {
					dest model.DestID
					lane int
				}{{model.DestID(d), 0}, {second, 1}} {
					if at.dest < 0 {
						continue
					}
					for _, k := range l.Over.Inject(0, at.dest, nil) {
						if l.Over.DestinationHost(at.dest) != 0 && int(k) != at.lane {
							t.Errorf("destination %d of lane %d has class %d", at.dest, at.lane, k)
						}
					}
				}
			}
		}
	}
	if mixed == 0 {
		t.Error("no change needs a second lane")
	}
}

// spare is a table with one VC on a network with more VCs.
type spare struct {
	*model.Table
	net *model.Network
}

func (s *spare) Network() *model.Network { return s.net }

func (s *spare) Next(at model.State, buf []model.Hop) []model.Hop {
	in, i := s.net.Channel(at.VC)
	if i > 0 {
		return buf
	}
	at.VC = s.Table.Network().VC(in, 0)
	from := len(buf)
	buf = s.Table.Next(at, buf)
	for k := range buf[from:] {
		out, _ := s.Table.Network().Channel(buf[from+k].VC)
		buf[from+k].VC = s.net.VC(out, 0)
	}
	return buf
}

// TestLanesOf: relations change by a second lane if the network has VCs to spare, and no VC carries packets of both lanes.
func TestLanesOf(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		vcs int
		why string
	}{{1, "it takes 2 VCs, and the network has 1"}, {2, ""}, {3, ""}} {
		list := tables(t, "mesh:3x3", "updown,root=#0", "updown,root=#8")
		old, now := &spare{list[0], list[0].Network().WithVCs(x.vcs)}, &spare{list[1], list[0].Network().WithVCs(x.vcs)}
		c, err := relations.New(t.Context(), old, now, relations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l, why := reroute.LanesOf(c)
		if why != x.why || (l == nil) != (why != "") {
			t.Errorf("%d VCs: %+v, %q, want %q", x.vcs, l, why, x.why)
		}
		if l == nil {
			continue
		}
		for _, r := range []model.Relation{l.Over, l.Back} {
			rep, err := verify.Check(t.Context(), r, verify.Options{Switching: model.CutThrough})
			if err != nil || rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
				t.Errorf("%d VCs: %v, %v", x.vcs, rep, err)
			}
			used, e := [2]int{}, cdg.NewExplorer(r)
			for d := range model.DestID(r.Destinations()) {
				for _, s := range e.Explore(d).States {
					if int(s.VC) >= r.Network().NumLinkVCs() {
						continue
					}
					lane := int(s.Class)
					if _, i := r.Network().Channel(s.VC); i != lane {
						t.Fatalf("%d VCs: a packet of lane %d is on VC %d", x.vcs, lane, i)
					}
					used[lane]++
				}
			}
			if used[0] == 0 || used[1] == 0 {
				t.Errorf("%d VCs: a lane is not used: %v", x.vcs, used)
			}
		}
	}
}
