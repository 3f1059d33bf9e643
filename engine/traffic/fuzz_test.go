package traffic

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// FuzzPattern: a pattern is refused, or sends every packet to a host.
func FuzzPattern(f *testing.F) {
	n, err := topo.Parse("mesh:4x4")
	if err != nil {
		f.Fatal(err)
	}
	for _, k := range Kinds() {
		f.Add(k.Name, uint64(1))
	}
	for _, spec := range []string{"shift:5", "hotspot:0.3@1+5", "hotspot:NaN@0", "random-pair:3", "shift:-1"} {
		f.Add(spec, uint64(2))
	}
	f.Fuzz(func(t *testing.T, spec string, seed uint64) {
		if name, _, _ := strings.Cut(spec, ":"); name == "permutation" || name == "matrix" {
			return // names a file
		}
		p, err := NewPattern(spec, n, seed)
		if err != nil {
			return
		}
		random := rand.New(rand.NewPCG(seed, 1))
		for h := range model.HostID(n.NumHosts()) {
			if d := p.Dest(h, random); d != model.NoHost && (d < 0 || int(d) >= n.NumHosts()) {
				t.Fatalf("%q sends from %d to %d", spec, h, d)
			}
			if s := Share(p, h); !(s >= 0 && s <= 1) {
				t.Fatalf("%q: a share of %v", spec, s)
			}
		}
	})
}
