package model_test

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestWithout compares the result with networks that are built without the failed parts.
func TestWithout(t *testing.T) {
	for _, c := range []struct {
		whole, failed string
		links         [][2]model.SwitchID
		switches      []model.SwitchID
	}{
		{"mesh:4x3,vcs=2,hosts=2", "mesh:4x3,vcs=2,hosts=2,fail=1-2", [][2]model.SwitchID{{1, 2}}, nil},
		{"torus:4x4", "torus:4x4,fail=5", nil, []model.SwitchID{5}},
		{"complete:5", "complete:5,fail=0-4+3", [][2]model.SwitchID{{0, 4}}, []model.SwitchID{3}},
		{"ring:5", "ring:5", nil, nil},
	} {
		whole, err := topo.Parse(c.whole)
		if err != nil {
			t.Fatal(err)
		}
		want, err := topo.Parse(c.failed)
		if err != nil {
			t.Fatal(err)
		}
		var links []model.LinkID
		for l := range model.LinkID(whole.NumLinks()) {
			for _, p := range c.links {
				if x := whole.Link(l); x.A == p[0] && x.B == p[1] || x.A == p[1] && x.B == p[0] {
					links = append(links, l)
				}
			}
		}
		got, err := whole.Without(links, c.switches)
		if err != nil {
			t.Fatal(err)
		}
		if got.NumSwitches() != want.NumSwitches() || got.NumHosts() != want.NumHosts() || got.NumLinks() != want.NumLinks() || got.VCs() != want.VCs() {
			t.Fatalf("%s: %d switches, %d hosts, %d links, want %d, %d, %d", c.failed, got.NumSwitches(), got.NumHosts(), got.NumLinks(), want.NumSwitches(), want.NumHosts(), want.NumLinks())
		}
		for l := range model.LinkID(got.NumLinks()) {
			if got.Link(l) != want.Link(l) {
				t.Errorf("%s: link %d is %v, want %v", c.failed, l, got.Link(l), want.Link(l))
			}
		}
		for h := range model.HostID(got.NumHosts()) {
			if a, b := got.Host(h), want.Host(h); a.Switch != b.Switch || a.Port != b.Port { // names do not change: without switch 5, host h6 is still h6
				t.Errorf("%s: host %d is %v, want %v", c.failed, h, a, b)
			}
		}
		for u := range model.SwitchID(got.NumSwitches()) {
			if got.SwitchName(u) != want.SwitchName(u) {
				t.Errorf("%s: switch %d is %s, want %s", c.failed, u, got.SwitchName(u), want.SwitchName(u))
			}
			if got.Grid() == nil {
				continue
			}
			for d := range got.Grid().Dims() {
				if got.Grid().Coord(u, d) != want.Grid().Coord(u, d) {
					t.Errorf("%s: switch %d is at another place", c.failed, u)
				}
			}
		}
		if errs := got.Check(); len(errs) > 0 {
			t.Errorf("%s: %v", c.failed, errs)
		}
	}
}
