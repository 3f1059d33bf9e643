package reroute_test

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/transition"
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
