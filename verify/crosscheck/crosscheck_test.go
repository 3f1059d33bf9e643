package crosscheck_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
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

// TestZ3OnRings checks that Z3 agrees with verdicts on flow control of rings, and contradicts their opposites.
func TestZ3OnRings(t *testing.T) {
	if !smt.Available() {
		t.Skip("this build has no Z3")
	}
	n, err := topo.Parse("torus:4x4")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule   string
		buffer int
		want   verify.Verdict
	}{
		{"bubble", 8, verify.Proved}, {"bubble", 7, verify.Refuted}, {"bubble,off=5", 8, verify.Refuted}, {"bubble,off=all,from=rings", 8, verify.Refuted},
		{"critical-bubble", 4, verify.Proved}, {"critical-bubble,off=5", 4, verify.Refuted},
	} {
		rule, err := bubble.Parse(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := verify.Check(t.Context(), r, verify.Options{AllStates: true,
			Conditions: []model.Condition{&bubble.Flow{Rule: rule, Packet: 4, Buffer: c.buffer}}})
		if err != nil || rep.DeadlockFree.Verdict != c.want {
			t.Fatalf("%s: %v, error %v", c.rule, rep.DeadlockFree, err)
		}
		said, err := crosscheck.Check(t.Context(), rep, time.Minute)
		if err != nil || !slices.Contains(said, "deadlock-free: "+string(c.want)) {
			t.Errorf("%s: %q, %v", c.rule, said, err)
		}
		rep.Disciplines[0].Claim.Verdict = map[verify.Verdict]verify.Verdict{verify.Proved: verify.Refuted, verify.Refuted: verify.Proved}[c.want]
		if _, err := crosscheck.Check(t.Context(), rep, time.Minute); err == nil || !strings.Contains(err.Error(), "Z3 says") {
			t.Errorf("%s: Z3 agrees with the opposite: %v", c.rule, err)
		}
	}
}
