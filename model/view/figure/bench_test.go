package figure

import (
	"context"
	"fmt"
	"testing"
)

func BenchmarkDOT(b *testing.B) {
	for _, k := range []int{8, 32, 100} {
		n := grid(k, k, true)
		b.Run(fmt.Sprintf("torus/%dx%d", k, k), func(b *testing.B) {
			for b.Loop() {
				b.SetBytes(int64(len(Network(n, Options{}).DOT())))
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	for _, c := range []struct {
		name string
		g    *Graph
	}{
		{"torus/8x8", Network(grid(8, 8, true), Options{})},
		{"irregular/64", Network(irregular(64, 5, 2, 3), Options{})},
		{"irregular/720", Network(irregular(720, 6, 2, 3), Options{})},
		{"fattree/720", Network(fatTree(24), Options{})},
	} {
		for _, format := range []string{"svg", "png"} {
			b.Run(c.name+"/"+format, func(b *testing.B) {
				for b.Loop() {
					out, err := Render(context.Background(), c.g, format)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(out)), "bytes")
				}
			})
		}
	}
}
