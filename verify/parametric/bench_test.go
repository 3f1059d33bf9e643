package parametric

import (
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// BenchmarkProve proves the published programs in two dimensions, Duato's for wormhole
// switching, too.
func BenchmarkProve(b *testing.B) {
	needZ3(b)
	for _, f := range published.All() {
		for _, switching := range []model.Switching{model.CutThrough, model.Wormhole} {
			if switching == model.Wormhole && f.Name != "duato" {
				continue
			}
			b.Run(f.Path+"/"+string(switching), func(b *testing.B) {
				p, err := program.Parse(f.Path, f.Text)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					r, err := Prove(b.Context(), p, Options{Switching: switching})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(r.Obligations)), "obligations")
				}
			})
		}
	}
}
