package simrun

import (
	"math"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/synth/resolve"
)

// TestBound compares bounds with those of W. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004, section 3.3,
// and with counts by hand.
func TestBound(t *testing.T) {
	for _, c := range []struct {
		network, routing, traffic string
		want                      float64
	}{
		{"mesh:8x8", "dor", "transpose", 1.0 / 7},    // seven sources of a row share its last channel
		{"mesh:8x8,vcs=2", "dor", "uniform", 0.5},    // with packets to the sender itself: 4/k
		{"mesh:4x4", "dor", "uniform", 1},            // the links of hosts are full first
		{"torus:8,vcs=2", "dor", "tornado", 1.0 / 3}, // three links, all in one direction
		{"ring:6", "minimal", "neighbour", 1},        // one link each
		{"line:4", "dor", "shift:2", 0.5},            // two packets on the middle link
		{"line:4", "dor", "bit-complement", 0.5},     // the same
		{"mesh:4x4", "minimal", "transpose", 0},      // several paths
		{"mesh:4x4,vcs=2", "o1turn", "transpose", 0}, // two
		{"mesh:4x4", "dor", "hotspot:0.5@3", 0},      // unequal probabilities
		{"complete:4", "minimal", "permutation", 1},  // a link each
	} {
		w := &Sweeper{Made: map[[2]string]*resolve.Subject{}}
		got, err := w.Bound(t.Context(), sweep.Point{Network: c.network, Routing: c.routing, Traffic: c.traffic,
			Settings: sweep.Settings{Model: engine.BookSim}})
		if err != nil {
			t.Fatalf("%s: %v", c.network, err)
		}
		if math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, %s, %s: %v, want %v", c.network, c.routing, c.traffic, got, c.want)
		}
	}
}
