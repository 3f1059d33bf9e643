package mend_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/mend"
)

// TestTableOf reads random tables of steps back, and refuses relations that are no tables.
func TestTableOf(t *testing.T) {
	n, err := topo.Parse("torus:3x3,hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		s := route.Steps{Net: n, Classes: 1, BySwitch: true, Delivers: true}
		want := map[[2]int]model.Port{} // by switch and destination
		for h := range model.HostID(n.NumHosts()) {
			s.Dests = append(s.Dests, h)
			for u := range model.SwitchID(n.NumSwitches()) {
				if p := model.Port(r.IntN(5)); u == n.Host(h).Switch {
					want[[2]int{int(u), int(h)}] = n.Host(h).Port
				} else if p > 0 {
					want[[2]int{int(u), int(h)}] = p
					s.List = append(s.List, route.Step{Place: int32(u), Dest: model.DestID(h), Hop: model.Hop{VC: n.VC(n.OutAt(u, p), 0)}})
				}
			}
		}
		rel, err := route.FromSteps(s)
		if err != nil {
			t.Fatal(err)
		}
		table, err := mend.TableOf(rel)
		if err != nil {
			t.Fatal(err)
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			for d := range model.DestID(n.NumHosts()) {
				p, ok := table.Port(u, d)
				if q, stated := want[[2]int{int(u), int(d)}]; ok != stated || ok && p != q {
					t.Fatalf("switch %d, destination %d: port %d, %v; want %d, %v", u, d, p, ok, q, stated)
				}
			}
		}
	}
	rel, err := route.New("minimal", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mend.TableOf(rel); err == nil || !strings.Contains(err.Error(), "2 next hops at") {
		t.Error(err)
	}
}
