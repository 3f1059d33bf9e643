package traffic

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestWithoutSelf: no host sends to itself, and the other packets stay.
func TestWithoutSelf(t *testing.T) {
	n, err := topo.Parse("mesh:4x4")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"bit-reversal", "transpose", "uniform-self", "hotspot:0.5@3", "all-to-all"} {
		p, err := NewPattern(spec, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		silent := 0
		q, random := WithoutSelf(p), rand.New(rand.NewPCG(1, 1))
		for h := range model.HostID(16) {
			if Share(q, h) == 0 {
				silent++
				if d := p.Dest(h, random); d != h {
					t.Errorf("%s: host %d sends to %d no more", spec, h, d)
				}
				continue
			}
			for range 50 {
				if d := q.Dest(h, random); d == h || d == model.NoHost {
					t.Errorf("%s: host %d sends to %d", spec, h, d)
				}
			}
		}
		if want := map[string]int{"bit-reversal": 4, "transpose": 4}[spec]; silent != want {
			t.Errorf("%s: %d hosts are silent, want %d", spec, silent, want)
		}
	}
}
