package vlans_test

import (
	"testing"
	"time"

	"github.com/turnproof/turnproof/synth/vlans"
)

// BenchmarkFind reports the number of VLANs that Find returns after one second, and the lower
// bound.
func BenchmarkFind(b *testing.B) {
	for _, spec := range []string{"random:switches=16,degree=4,hosts=1,seed=1", "random:switches=64,degree=4,hosts=1,seed=1",
		"random:switches=256,degree=4,hosts=1,seed=1"} {
		b.Run(spec, func(b *testing.B) {
			p, err := vlans.Collect(b.Context(), ofMethod(b, "lturn-alpha", parse(b, spec)), 1, nil)
			if err != nil {
				b.Fatal(err)
			}
			var f *vlans.Found
			for b.Loop() {
				if f, err = vlans.Find(b.Context(), p, vlans.Options{Time: time.Second}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(f.VLANs), "VLANs")
			b.ReportMetric(float64(f.Bound), "bound")
			b.ReportMetric(float64(len(p.Demands)), "demands")
		})
	}
}

// BenchmarkCollect collects the paths of all pairs.
func BenchmarkCollect(b *testing.B) {
	rel := named(b, "dor", parse(b, "mesh:16x16"))
	for b.Loop() {
		if _, err := vlans.Collect(b.Context(), rel, 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}
