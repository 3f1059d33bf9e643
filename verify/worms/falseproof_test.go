package worms_test

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/worms"
)

// clockwise returns a routing on a ring of four: packets go clockwise to the next or the next but one switch.
func clockwise(t *testing.T) model.Relation {
	t.Helper()
	n, err := topo.Ring(4, topo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1, 2, 3}}
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		if u := n.Head(c); u != n.Host(model.HostID(s.Dest)).Switch {
			return []model.Hop{{VC: n.VC(n.OutAt(u, 1), 0)}}
		}
		return []model.Hop{{VC: n.VC(n.EjectChannel(model.HostID(s.Dest)), 0)}}
	}
	return r
}

// TestFalseProofs checks that a refutation which excludes reached deadlocks is rejected.
func TestFalseProofs(t *testing.T) {
	r := clockwise(t)
	rep, err := verify.Check(t.Context(), r, verify.Options{Switching: model.Wormhole})
	if err != nil {
		t.Fatal(err)
	}
	g, err := worms.New(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	proof, excluded := worms.RefuteFalsely(t.Context(), g)
	if excluded == 0 {
		t.Fatal("no deadlock is reached")
	}
	t.Logf("%d deadlocks excluded, %d steps", excluded, len(proof))
	c := *rep.Certificate
	c.Claims = []cert.Claim{{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceNoWorms, Steps: encode.Steps(proof)}}
	if cert.Check(&c) == nil {
		t.Error("a proof that excludes reached deadlocks is accepted")
	}
	c.Claims[0].Steps = encode.Steps(slices.DeleteFunc(slices.Clone(proof), func(s clausal.Step) bool { return s.Kind == worms.StepApart }))
	if cert.Check(&c) == nil {
		t.Error("a proof without its exclusions is accepted")
	}
}
