package verify_test

import (
	"errors"
	"testing"

	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// TestNoPairs checks that a relation without pairs is an error, and that one with pairs is not.
func TestNoPairs(t *testing.T) {
	for _, c := range []struct {
		spec  string
		hosts int // of the error, -1: there are pairs
	}{{"mesh:1x1", 1}, {"mesh:2x2,hosts=0", 0}, {"mesh:1x1,hosts=2", -1}, {"line:2", -1}} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New("updown", n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, all := range []bool{false, true} {
			_, err = verify.Check(t.Context(), r, verify.Options{AllStates: all})
			var none *verify.NoPairs
			if got := errors.As(err, &none); got != (c.hosts >= 0) || got && none.Hosts != c.hosts {
				t.Errorf("%s, all states %v: %v", c.spec, all, err)
			}
			if rep, err := verify.Check(t.Context(), r, verify.Options{AllStates: all, NoPairs: true}); err != nil || rep.Verdict() != verify.Proved {
				t.Errorf("%s, pairs not asked for: %v", c.spec, err)
			}
		}
	}
}
