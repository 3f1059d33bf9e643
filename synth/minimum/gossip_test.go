package minimum

import (
	"testing"

	"pgregory.net/rapid"

	"turnproof/model/modeltest"
)

// TestGossip: no ranks that join all switches of a random network prohibit fewer turns than
// the theorem says, not even 2(m-n+1), one more.
func TestGossip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 7)
		x := newInstance(n)
		a := x.anneal(t.Context(), rapid.Uint64().Draw(t, "seed"), 3000*x.channels(), true, nil)
		if bound := x.gossip(); bound > 0 && a.best != nil && a.least < bound+1 {
			t.Fatalf("%d turns prohibited on %d switches with %d channels", a.least, x.switches, x.channels())
		}
	})
	for spec, want := range map[string]int{"ring:5": 1, "mesh:3x3": 7, "mesh:4x4": 17, "line:4": 0, "complete:4": 5, "mesh:3x3,hosts=0": 0} {
		if got := newInstance(network(t, spec)).gossip(); got != want {
			t.Errorf("%s: %d, want %d", spec, got, want)
		}
	}
}
