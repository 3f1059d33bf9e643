package engine

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// withoutClass is a relation that offers no class from some host, or to some destination.
type withoutClass struct {
	model.Relation
	from model.HostID
	to   model.DestID
}

// Inject implements model.Relation.
func (r withoutClass) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	if h == r.from || d == r.to {
		return buf
	}
	return r.Relation.Inject(h, d, buf)
}

// endless sends a packet to the next host, then to the one after that, without end.
type endless struct {
	hosts int
	sent  []int
}

// Next implements Source.
func (e *endless) Next(h model.HostID) (Packet, bool) {
	k := e.sent[h]
	e.sent[h]++
	to := (int(h) + 1 + k%(e.hosts-1)) % e.hosts
	return Packet{Created: Clock(10 * k), Source: h, Dest: model.DestID(to), Flits: 4}, true
}

// TestNoClass: packets for which the relation offers no class are not sent. A host that creates
// only such packets does not stop the simulation.
func TestNoClass(t *testing.T) {
	for _, spec := range []string{"ring:5,vcs=2", "line:5"} { // a network with two classes and one with a single class
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		dor, err := route.New("dor", n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := withoutClass{dor, 1, 3}
		for _, timing := range Timings() {
			to, from := make([]int, 5), make([]int, 5)
			s, err := New(r, &endless{5, make([]int, 5)}, Options{Timing: timing}, func(d Delivery) {
				to[d.Dest]++
				from[d.Source]++
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(context.Background(), 4000); err != nil {
				t.Fatal(err)
			}
			for _, err := range s.Check() {
				t.Error(err)
			}
			for h := range 5 {
				if none := h == 1; (from[h] == 0) != none {
					t.Errorf("%s, %s: %d packets from host %d", spec, timing, from[h], h)
				}
				if none := h == 3; (to[h] == 0) != none {
					t.Errorf("%s, %s: %d packets to host %d", spec, timing, to[h], h)
				}
			}
			if got, least := s.Dropped(), int64(4000/10+3*4000/40-4); got < least || got > least+8 { // all packets of host 1, and a fourth of those of the other hosts except host 3
				t.Errorf("%s, %s: %d packets dropped, want about %d", spec, timing, got, least)
			}
		}
	}
}
