package verify_test

import (
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// TestWormsThatCannotBe checks that routings are proved if worms would block each other only in their own
// tails, or at places that they cannot reach together.
func TestWormsThatCannotBe(t *testing.T) {
	for away := 1; away <= 2; away++ {
		rep := checkWith(t, modeltest.Shuttle(away), verify.Options{Switching: model.Wormhole})
		if rep.DeadlockFree.Verdict != verify.Proved || rep.Acyclic.Verdict != verify.Refuted {
			t.Errorf("%d hops away: %s, %v packets hold %v", away, rep.DeadlockFree.Verdict, len(rep.Configuration), rep.Holds)
		}
	}
}

// TestWormsTogether: each packet of a refutation by worms enters only VCs that it does not hold.
func TestWormsTogether(t *testing.T) {
	rep := checkWith(t, named(t, "mesh:2x3,vcs=2", "duato-nonminimal", route.Options{}), verify.Options{Switching: model.Wormhole})
	if rep.DeadlockFree.Verdict != verify.Refuted || rep.Holds == nil {
		t.Fatalf("%s, holds %v", rep.DeadlockFree.Verdict, rep.Holds)
	}
	for i, p := range rep.Configuration {
		var on []model.VCID // oldest first
		for _, s := range p.Path {
			for _, v := range on {
				if v == s.VC {
					t.Errorf("packet %d, %v: enters VC %d, which it holds", i, p.Path, v)
				}
			}
			if on = append(on, s.VC); len(on) > rep.Holds[i] {
				on = on[1:]
			}
		}
	}
}
