package bounds

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/turns"
)

// oneLink returns the channels of two switches that one cable joins.
func oneLink(t *testing.T) *cert.Wiring {
	t.Helper()
	w, err := cert.Rebuild(&cert.Network{VCs: 1, Switches: []string{"a", "b"}, Links: cert.Ints{0, 0, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestManyTurns checks that networks with too many turns are rejected before the first step.
func TestManyTurns(t *testing.T) {
	x := &turns.Set{Wiring: oneLink(t)}
	x.Enters, x.Outs = []int32{0, 0}, []int{mostTurns + 2}
	if err := refute(x, &cert.Claim{Steps: &cert.Ints{}}, false); err == nil || !strings.Contains(err.Error(), "turns") || strings.Contains(err.Error(), "step") {
		t.Error(err)
	}
}

// TestPathNeedsHosts checks that both switches of a path clause must have hosts.
func TestPathNeedsHosts(t *testing.T) {
	for _, c := range []struct {
		from, to int32
		wrong    bool
	}{{0, 1, false}, {0, 2, true}, {2, 0, true}, {0, 0, true}, {-1, 0, true}, {0, -1, true}, {3, 0, true}, {0, 3, true}} {
		x := &turns.Set{Wiring: &cert.Wiring{VCs: 1, Switches: 3}, HostsAt: []int64{1, 1, 0}}
		r := &refutation{Set: x}
		if err := r.path(0, nil, c.from, c.to); (err != nil) != c.wrong {
			t.Errorf("from %d to %d: %v", c.from, c.to, err)
		}
	}
}
