//go:build z3 && cgo

package vcrule

import (
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
)

// TestFind: dimension order needs two VCs on tori (Dally and Seitz 1987), minimal adaptive routing two on meshes and three on
// tori (Duato 1993), and one VC is enough for dimension order on meshes.
func TestFind(t *testing.T) {
	order := "def route(cur, dst, inp):\n    for d in range(len(cur)):\n        if cur[d] != dst[d]:\n            return [towards(cur, dst, d)]\n    return []\n"
	adaptive := "def route(cur, dst, inp):\n    return productive(cur, dst)\n"
	for _, c := range []struct {
		text string
		vcs  int
		long bool
	}{
		{"family = mesh(n, m)\n\n" + order, 1, false},
		{"family = ring(n)\n\n" + order, 2, false},
		{"family = torus(n, n)\n\n" + order, 2, true},
		{"family = mesh(n, m)\n\n" + adaptive, 2, true},
		{"family = torus(n, n)\n\n" + adaptive, 3, true},
	} {
		if c.long && !longtest.On() {
			continue
		}
		p, err := program.Parse("x.star", c.text)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Find(t.Context(), p, Options{Switching: "vct"})
		if err != nil {
			t.Fatal(err)
		}
		if found.Program == nil || found.Program.VCs != c.vcs || !found.Fewest {
			t.Errorf("%s%+v; want %d VCs", c.text, found, c.vcs)
		}
		for _, l := range found.Levels[:len(found.Levels)-1] {
			if l.Refuted != l.Rules || l.Largest == "" {
				t.Errorf("%s%+v", c.text, l)
			}
		}
	}
}
