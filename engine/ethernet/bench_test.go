package ethernet

import (
	"context"
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// BenchmarkMesh runs dimension order on square meshes, each host sending to the one
// transposed at 300 Mbit/s: events and frames' hops a second of real time.
func BenchmarkMesh(b *testing.B) {
	for _, side := range []int{4, 8, 16, 32} {
		n, err := topo.Parse(fmt.Sprintf("mesh:%dx%d", side, side))
		if err != nil {
			b.Fatal(err)
		}
		r, err := route.New("dor", n, route.Options{})
		if err != nil {
			b.Fatal(err)
		}
		var flows []Flow
		for h := range side * side {
			if d := h%side*side + h/side; d != h {
				flows = append(flows, Flow{Source: model.HostID(h), Dest: model.DestID(d), Class: FirstClass, Rate: 300e6})
			}
		}
		for _, c := range []Control{Drop, Pause} {
			b.Run(fmt.Sprintf("%s/%dx%d", c, side, side), func(b *testing.B) {
				events := int64(0)
				b.ReportAllocs()
				for b.Loop() {
					got, err := Run(context.Background(), r, flows, Options{Control: c, Window: 20 * Millisecond})
					if err != nil {
						b.Fatal(err)
					}
					events += got.Events
				}
				b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

// BenchmarkFrozen is a search for a freeze in the paper's ring, where there is one.
func BenchmarkFrozen(b *testing.B) {
	r, flows := cyclic(b, paperRing(b, 1), hostRate, 0)
	s, err := New(r, flows, Options{Control: Pause})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Run(context.Background(), Second); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if s.Frozen() == nil {
			b.Fatal("not frozen")
		}
	}
}
