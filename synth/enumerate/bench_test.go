package enumerate

import (
	"testing"

	"github.com/turnproof/turnproof/model/space"
)

// BenchmarkOnePerCycle counts the choices of Glass and Ni's cycles: 4^12 sets in four
// dimensions, 4^20 in five, 4^30 in six.
func BenchmarkOnePerCycle(b *testing.B) {
	for _, name := range []string{"mesh:3", "mesh:4", "mesh:5", "mesh:6"} {
		b.Run(name, func(b *testing.B) {
			if name == "mesh:6" && testing.Short() {
				b.Skip("some 15 s")
			}
			e := enumerator(b, name, space.Options{})
			for b.Loop() {
				tally, err := e.Count(b.Context(), OnePerCycle)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(tally.Free.Int64()), "free")
			}
		})
	}
}

// BenchmarkAll counts all 2^24 sets of three dimensions.
func BenchmarkAll(b *testing.B) {
	e := enumerator(b, "mesh:3", space.Options{})
	for b.Loop() {
		if _, err := e.Count(b.Context(), All); err != nil {
			b.Fatal(err)
		}
	}
}
