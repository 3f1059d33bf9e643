package engine

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkLarge measures networks whose state does not fit into the caches.
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
		b.Run(fmt.Sprintf("%s/flits=%d", c.spec, c.flits), func(b *testing.B) {
			s := bench(b, c.spec, c.routing, c.load, c.flits)
			run := func(clocks Clock) {
				if err := s.Run(context.Background(), clocks); err != nil {
					b.Fatal(err)
				}
			}
			run(500)
			hops := s.hops
			began := userSeconds()
			b.ResetTimer()
			for range b.N {
				run(100)
			}
			d := userSeconds() - began
			b.ReportMetric(float64(s.hops-hops)/d/1e6, "Mhops/s")
			b.ReportMetric(float64(s.hops-hops)/float64(b.N)/100, "hops/clock")
			b.ReportMetric(0, "ns/op")
		})
	}
}
