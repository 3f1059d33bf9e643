package engine

import (
	"context"
	"reflect"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestWatch: Watch reports the first clock after which looking at every clock finds a frozen
// packet. The run is the same as without Watch.
func TestWatch(t *testing.T) {
	step := 3
	if longtest.On() {
		step = 1
	}
	for _, c := range []struct{ spec, routing string }{{"ring:6", "dor"}, {"torus:4x4", "dor"}, {"mesh:4x4", "minimal"}, {"mesh:4x4", "dor"},
		{"mesh:3x3,vcs=2", "minimal"}} {
		for i := 6; i < 17; i += step {
			o := everyOption(i)
			o.BufferFlits = 12
			n, err := topo.Parse(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			r, err := route.New(c.routing, n, route.Options{})
			if err != nil {
				t.Fatal(err)
			}
			make := func(report func(Delivery)) *Sim {
				s, err := New(r, burst(n, 150, 12, uint64(i)), o, report)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			var a, b []Delivery
			watched := make(func(d Delivery) { a = append(a, d) })
			found, err := watched.Watch(context.Background(), 6000)
			if err != nil {
				t.Fatal(err)
			}
			plain := make(func(d Delivery) { b = append(b, d) })
			want := Clock(-1)
			for plain.Now() < watched.Now() {
				if err := plain.Run(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				if found == nil && plain.Now()%500 != 0 {
					continue // skipped, as looking at every clock takes long
				}
				if frozen := plain.Frozen(); frozen != nil && want < 0 {
					if want = plain.Now() - 1; found == nil || found.Clock != want || !reflect.DeepEqual(found.Packets, frozen) {
						t.Fatalf("%s, %s, %+v: %+v, clock %d was expected", c.spec, c.routing, o, found, want)
					}
				}
			}
			if (found != nil) != (want >= 0) || !reflect.DeepEqual(a, b) {
				t.Errorf("%s, %s, %+v: %+v, clock %d; %d and %d deliveries", c.spec, c.routing, o, found, want, len(a), len(b))
			}
		}
	}
}
