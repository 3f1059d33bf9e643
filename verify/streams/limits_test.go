package streams

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model/streams"
	"github.com/turnproof/turnproof/verify"
)

// TestLimits checks that each limit ends a search as undecided, and that a cancelled context is an error.
func TestLimits(t *testing.T) {
	p := randomProblem(rand.New(rand.NewPCG(manyStates(t), 30)))
	for want, o := range map[string]Options{"more than 1 states": {States: 1}, "more than 1ns": {Time: time.Nanosecond}, "more than 9 bytes": {Memory: 9}} {
		r, err := Check(context.Background(), p, o)
		if err != nil || r.Verdict != verify.Undecided || r.Reason != want {
			t.Errorf("%+v: %+v, %v", o, r, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Check(ctx, p, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if r, err := Check(context.Background(), p, Options{Time: time.Hour, Memory: 1 << 30}); err != nil || strings.Contains(r.Reason, "more") {
		t.Errorf("wide limits: %+v, %v", r, err)
	}
}

// manyStates returns the seed of a random problem that needs more than one state.
func manyStates(t *testing.T) uint64 {
	for seed := range uint64(1000) {
		if p := randomProblem(rand.New(rand.NewPCG(seed, 30))); p != nil {
			if r, err := Check(context.Background(), p, Options{}); err == nil && r.States > 1 {
				return seed
			}
		}
	}
	t.Fatal("no problem has two states")
	return 0
}

// TestCertificateWithin: a checker that has no time left is not waited for.
func TestCertificateWithin(t *testing.T) {
	p := &streams.Problem{Resources: []streams.Resource{{Name: "b", Words: 1}},
		Routes: []streams.Route{{Name: "r", Nodes: []streams.Node{{Resource: 0, Parent: -1}}}},
		Agents: []streams.Agent{{Name: "s", Program: []streams.Action{{Kind: streams.Send, Object: 0, Amount: 1}}},
			{Name: "t", Required: true, Program: []streams.Action{{Kind: streams.Take, Object: 0, Amount: 1, Route: -1}}}}}
	r, err := Check(context.Background(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CertificateWithin(context.Background(), p, r, nil, nil); err != nil {
		t.Error(err)
	}
	late, stop := context.WithCancel(context.Background())
	stop()
	if _, err := CertificateWithin(late, p, r, nil, nil); err != ErrLate {
		t.Errorf("error is %v", err)
	}
}
