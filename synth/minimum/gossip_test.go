package minimum

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
)

// TestGossip checks the theorem on random networks: no ranks that connect all switches prohibit
// fewer turns. On small networks no set of turns does.
func TestGossip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 7)
		x := newInstance(n)
		a := x.anneal(t.Context(), rapid.Uint64().Draw(t, "seed"), 3000*x.channels(), true, nil, nil)
		if bound := x.gossip(); bound > 0 && a.best != nil && a.least < bound {
			t.Fatalf("%d turns prohibited on %d switches with %d channels", a.least, x.switches, x.channels())
		}
	})
	met, looked := 0, 0
	small := func(t *rapid.T) {
		x := newInstance(modeltest.Network(t, 5))
		bound := x.gossip()
		if bound == 0 || len(x.turns) > 16 {
			return
		}
		best := x.fewest(true)
		if best > len(x.turns) {
			return // not connected
		}
		if looked++; best < bound {
			t.Fatalf("%d turns prohibited on %d switches with %d channels", best, x.switches, x.channels())
		} else if best == bound {
			met++
		}
	}
	for range 10 {
		rapid.Check(t, small)
	}
	if looked < 20 || met == 0 {
		t.Errorf("%d networks, the bound was met on %d", looked, met)
	}
	for spec, want := range map[string]int{"ring:5": 2, "mesh:3x3": 8, "mesh:4x4": 18, "line:4": 0, "complete:4": 6, "mesh:3x3,hosts=0": 0} {
		if got := newInstance(network(t, spec)).gossip(); got != want {
			t.Errorf("%s: %d, want %d", spec, got, want)
		}
	}
}
