package route_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// TestFullyAdaptive checks that every shortest path is permitted and that all relations are
// free of deadlock under every switching technique. 4n-2 channels per switch suffice with a
// cyclic graph, (n+1)*2^(n-1) with an acyclic one.
func TestFullyAdaptive(t *testing.T) {
	for _, c := range []struct {
		name     string
		sides    []int
		vcs      int
		channels int // used channels at an inner switch
		acyclic  bool
	}{
		{"fully-adaptive", []int{4, 4}, 2, 6, false},
		{"fully-adaptive", []int{3, 3, 3}, 2, 10, false},
		{"linder-harden", []int{4, 4}, 2, 6, true},
		{"linder-harden", []int{3, 3, 3}, 4, 16, true},
	} {
		t.Run(fmt.Sprint(c.name, c.sides), func(t *testing.T) {
			n := grid(t, c.vcs, false, c.sides)
			r := build(t, c.name, n, route.Options{})
			modeltest.Conformance(t, r)
			for _, s := range []model.Switching{model.CutThrough, model.Wormhole} {
				rep, err := verify.Check(context.Background(), r, verify.Options{Switching: s})
				if err != nil {
					t.Fatal(err)
				}
				if rep.Verdict() != verify.Proved || (rep.Acyclic.Verdict == verify.Proved) != c.acyclic {
					t.Errorf("%s: %s, acyclic %s", s, rep.Verdict(), rep.Acyclic.Verdict)
				}
				if got := usedAt(n, rep, inner(n)); got != c.channels {
					t.Errorf("%d channels are used at an inner switch, want %d", got, c.channels)
				}
			}
			minimal := build(t, "minimal", grid(t, 1, false, c.sides), route.Options{})
			for h := range model.HostID(n.NumHosts()) {
				for d := range model.DestID(n.NumHosts()) {
					if a, b := pathsOf(r, h, d), pathsOf(minimal, h, d); a != b {
						t.Fatalf("%d to %d: %d ways, of %d", h, d, a, b)
					}
				}
			}
		})
	}
}

// inner returns the switch with coordinates (1,1,...).
func inner(n *model.Network) model.SwitchID {
	coords := make([]int, n.Grid().Dims())
	for d := range coords {
		coords[d] = 1
	}
	return n.Grid().At(coords)
}

// usedAt counts the VCs out of switch u that some packet can use.
func usedAt(n *model.Network, rep *verify.Report, u model.SwitchID) (used int) {
	for _, c := range n.Out(u) {
		for i := range n.VCs() {
			if v := n.VC(c, i); n.IsLinkVC(v) && rep.Graph.Used(v) {
				used++
			}
		}
	}
	return used
}

// pathsOf counts the sequences of switches that packets from h to d can take.
func pathsOf(r model.Relation, h model.HostID, d model.DestID) int {
	if !model.Sends(r, h, d) {
		return 0
	}
	n, seen := r.Network(), map[string]bool{}
	var follow func(s model.State, way string)
	follow = func(s model.State, way string) {
		c, _ := n.Channel(s.VC)
		if n.Kind(c) == model.Eject {
			seen[way] = true
			return
		}
		for _, k := range r.Next(s, nil) {
			o, _ := n.Channel(k.VC)
			follow(model.State{VC: k.VC, Dest: d, Class: k.Class}, fmt.Sprint(way, " ", n.Head(o)))
		}
	}
	for _, k := range r.Inject(h, d, nil) {
		follow(model.InjectState(r, h, d, k), "")
	}
	return len(seen)
}
