package vlan

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestChoices compares choices with a walk over all paths of each pair of hosts.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		network, routing string
		most             int // pairs with a choice
	}{
		{"mesh:3x3", "dor", 0}, {"mesh:3x3", "minimal", 36}, {"mesh:3x2", "west-first", 6}, {"line:4", "minimal", 0}, {"ring:6", "minimal", 6},
		{"complete:5", "minimal", 0},
	} {
		n, err := topo.Parse(c.network)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for d := range model.DestID(r.Destinations()) {
			w := choices{rel: r, dest: d, known: map[model.State]bool{}}
			for h := range model.HostID(r.Sources()) {
				if h == r.DestinationHost(d) {
					continue
				}
				want := false
				for _, k := range r.Inject(h, d, nil) {
					want = want || forks(r, model.InjectState(r, h, d, k))
				}
				if got := w.fromHost(h); got != want {
					t.Errorf("%s, %s: from %d to %d: %v, want %v", c.network, c.routing, h, d, got, want)
				}
				if want {
					count++
				}
			}
		}
		if count != c.most {
			t.Errorf("%s, %s: %d pairs with several next hops, want %d", c.network, c.routing, count, c.most)
		}
	}
}

// forks reports whether some path from s has a state with several next hops.
func forks(r model.Relation, s model.State) bool {
	hops := r.Next(s, nil)
	if len(hops) > 1 {
		return true
	}
	for _, hop := range hops {
		if c, _ := r.Network().Channel(hop.VC); r.Network().Kind(c) != model.Eject && forks(r, model.State{VC: hop.VC, Dest: s.Dest, Class: hop.Class}) {
			return true
		}
	}
	return false
}
