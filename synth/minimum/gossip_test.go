package minimum

import (
	"testing"

	"pgregory.net/rapid"

	"turnproof/model/modeltest"
)

// TestGossip: no ranks that join all switches of a random network prohibit fewer turns than
// the theorem says, not even 2(m-n+1), one more.
func TestGossip(t *testing.T) {
	tight := 0
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 7)
		x := newInstance(n)
		bound := x.gossip()
		if bound == 0 {
			return
		}
		a := x.anneal(t.Context(), rapid.Uint64().Draw(t, "seed"), 3000*x.channels(), true, nil)
		if a.best == nil {
			return
		}
		if a.least < bound+1 {
			t.Fatalf("%d turns prohibited on %d switches with %d channels", a.least, x.switches, x.channels())
		}
		if a.least == bound+1 {
			tight++
		}
	})
	if tight == 0 {
		t.Error("2(m-n+1) was never met")
	}
}
