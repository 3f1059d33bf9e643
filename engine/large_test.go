package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// BenchmarkLarge measures networks whose state does not fit into the caches: whole, in parts on one
// processor, and in parts on two.
func BenchmarkLarge(b *testing.B) {
	for _, c := range []struct {
		spec, routing string
		flits         int
		load          float64
	}{
		{"torus:64x64,vcs=2", "dor-booksim", 8, 0.027}, {"torus:64x64,vcs=2", "dor-booksim", 1, 0.0178},
		{"torus:128x128,vcs=2", "dor-booksim", 8, 0.0135}, {"torus:128x128,vcs=2", "dor-booksim", 1, 0.0088},
		{"dragonfly:a=16,g=129,h=8,p=8,vcs=2", "minimal", 8, 0.2}, {"dragonfly:a=16,g=129,h=8,p=8,vcs=2", "minimal", 1, 0.2},
	} {
		for workers := range 3 {
			b.Run(fmt.Sprintf("%s/flits=%d/workers=%d", c.spec, c.flits, workers), func(b *testing.B) {
				s := bench(b, c.spec, c.routing, c.load, c.flits)
				if s.parts = nil; workers > 0 {
					s.divide(len(s.vc)/partVCs, workers)
				}
				run := func(clocks Clock) {
					if err := s.Run(context.Background(), clocks); err != nil {
						b.Fatal(err)
					}
				}
				run(500)
				hops, began, wall := s.hops, userSeconds(), time.Now()
				b.ResetTimer()
				for range b.N {
					run(200)
				}
				b.ReportMetric(float64(s.hops-hops)/(userSeconds()-began)/1e6, "Mhops/user-s")
				b.ReportMetric(float64(s.hops-hops)/time.Since(wall).Seconds()/1e6, "Mhops/s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
