package engine

import (
	"math"
	"reflect"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestColumns: the small tables of large networks have the same answers as a table of all states.
func TestColumns(t *testing.T) {
	grids, columns := 0, 0
	for _, c := range []struct {
		spec, routing string
		o             route.Options
	}{
		{"torus:5x4,vcs=2", "dor-booksim", route.Options{}}, {"torus:5x4,vcs=2", "dor", route.Options{Order: []int{1, 0}}},
		{"torus:6x3,vcs=3", "dor-booksim", route.Options{}}, {"torus:4x4,vcs=3", "dor", route.Options{VCRule: route.RuleBalanced, BothWays: true}},
		{"mesh:4x3", "dor", route.Options{}}, {"mesh:4x3,vcs=2,hosts=3", "dor", route.Options{}}, {"torus:3x4x5,vcs=2", "dor", route.Options{}},
		{"torus:5x1x4,vcs=2", "dor", route.Options{}}, {"hypercube:4", "e-cube", route.Options{}}, {"mesh:4x4,vcs=2", "duato", route.Options{}},
		{"dragonfly:a=4,h=2,p=2,vcs=2", "minimal", route.Options{}}, {"fattree:k=4,levels=3", "updown", route.Options{}},
		{"torus:2x5,vcs=2", "dor", route.Options{}}, {"torus:5x5,vcs=2", "dor", route.Options{VCRule: route.RulePosition}},
	} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New(c.routing, n, c.o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(r, &listSource{lists: make([][]Packet, n.NumHosts())}, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, got := newRoutes(&s.state, r, math.MaxInt), newRoutes(&s.state, r, 0)
		if want.columns != nil {
			t.Errorf("%s: a full table has columns", c.spec)
		}
		if got.columns != nil {
			columns++
			if got.columns.grid != nil {
				grids++
			}
		}
		for v := range s.vc {
			if s.port[s.vc[v].in].eject {
				continue
			}
			for d := range model.DestID(r.Destinations()) {
				for class := range model.Class(r.Classes()) {
					a, b := want.sets[want.of(&s.state, int32(v), d, class)], got.sets[got.of(&s.state, int32(v), d, class)]
					if !reflect.DeepEqual(a, b) {
						t.Fatalf("%s, %s: VC %d, destination %d, class %d: %v, want %v", c.spec, c.routing, v, d, class, b, a)
					}
				}
			}
		}
	}
	if grids < 9 || columns < 12 {
		t.Errorf("%d grids and %d tables with columns", grids, columns)
	}
}
