//go:build !z3 || !cgo

package smt_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/verify/smt"
)

func TestWithoutZ3(t *testing.T) {
	if smt.Available() || smt.Version() != "" {
		t.Errorf("Available %v, Version %q: want false and none", smt.Available(), smt.Version())
	}
	edges := maps.All(map[int32]int32{0: 1})
	for _, n := range []int{2, 0, -1} {
		a, err := smt.Acyclic(t.Context(), n, edges, smt.Limit{})
		if !errors.Is(err, smt.ErrUnavailable) || a.Result != smt.Unknown || a.Numbers != nil {
			t.Errorf("n=%d: %+v, %v: want no answer and ErrUnavailable", n, a, err)
		}
	}
	for _, word := range []string{"libz3-dev", "z3-devel", "brew install z3", "make build"} {
		if !strings.Contains(smt.ErrUnavailable.Error(), word) {
			t.Errorf("%q does not say %q", smt.ErrUnavailable, word)
		}
	}
}
