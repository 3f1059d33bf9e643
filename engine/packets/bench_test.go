package packets

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
)

// BenchmarkPaper runs a network of the size in the 2-D turn model paper: 64 switches of degree 4
// with 4 hosts each, up*/down*, packets of 128 flits, buffers of one packet, below and above
// saturation. It reports the time of a packet's hop through a switch and of a million clocks, and
// the accepted load.
func BenchmarkPaper(b *testing.B) {
	for _, load := range []float64{0.02, 0.05} {
		b.Run(fmt.Sprintf("load=%v", load), func(b *testing.B) {
			r := relation(b, "random:switches=64,degree=4,hosts=4", "updown")
			p, err := traffic.NewPattern("uniform", r.Network(), 1)
			if err != nil {
				b.Fatal(err)
			}
			clocks, flits, hops := engine.Clock(0), int64(0), int64(0)
			for b.Loop() {
				source, err := traffic.New(r.Network(), p, traffic.Options{Load: load, Flits: 128, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				s, err := New(r, source, paper(engine.Options{MaxFlits: 128}), nil)
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Run(context.Background(), 1_000_000); err != nil {
					b.Fatal(err)
				}
				clocks, flits, hops = clocks+s.Now(), flits+128*s.Delivered(), hops+s.FlitHops()
			}
			b.ReportMetric(float64(b.Elapsed())/float64(hops/128), "ns/packethop")
			b.ReportMetric(float64(b.Elapsed())/float64(time.Second)/float64(clocks)*1e6, "s/Mclocks")
			b.ReportMetric(float64(flits)/float64(clocks)/256, "flits/clock/host")
		})
	}
}
