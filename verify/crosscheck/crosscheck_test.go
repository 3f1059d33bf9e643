package crosscheck_test

import (
	"slices"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/crosscheck"
	"github.com/turnproof/turnproof/verify/smt"
)

// TestZ3RefutesWorms checks that Z3 agrees with proofs by no-worms, and contradicts a proof that lacks its lemmas.
func TestZ3RefutesWorms(t *testing.T) {
	if !smt.Available() {
		t.Skip("this build has no Z3")
	}
	for away := 1; away <= 2; away++ {
		rep, err := verify.Check(t.Context(), modeltest.Shuttle(away), verify.Options{Switching: model.Wormhole})
		if err != nil || !rep.DeadlockFree.ByNoWorms() {
			t.Fatalf("%v: %v", rep.DeadlockFree, err)
		}
		said, err := crosscheck.Check(t.Context(), rep, time.Minute)
		if err != nil || !slices.Contains(said, "deadlock-free: proved") {
			t.Errorf("%q, %v", said, err)
		}
		rep.Steps = []int32{0, 0}
		if _, err := crosscheck.Check(t.Context(), rep, time.Minute); err == nil {
			t.Error("Z3 finds no worms without the lemmas")
		}
	}
}
