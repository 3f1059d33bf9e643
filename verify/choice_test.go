package verify_test

import (
	"testing"

	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// TestHasChoice: dimension order has a single next hop, minimal adaptive routing has several,
// and a limit that is too small answers true.
func TestHasChoice(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		routing string
		limit   int
		want    bool
	}{{"dor", 1 << 20, false}, {"minimal", 1 << 20, true}, {"dor", 1, true}} {
		r, err := route.New(c.routing, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := verify.HasChoice(r, c.limit); got != c.want {
			t.Errorf("%s, limit %d: %v, want %v", c.routing, c.limit, got, c.want)
		}
	}
}
