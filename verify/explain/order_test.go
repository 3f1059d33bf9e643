package explain_test

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// TestOrder checks that each packet of a deadlock on one cycle waits for the next one, and that the order has every packet once.
func TestOrder(t *testing.T) {
	t.Parallel()
	inOrder := 0
	for _, network := range []string{"mesh:3x3", "torus:4x4", "ring:7", "hypercube:3", "random:switches=14,degree=4,seed=5", "random:switches=20,degree=3,seed=2"} {
		n, err := topo.Parse(network)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New("minimal", n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, waiting := range []model.Waiting{model.WaitOne, model.WaitAny} {
			rep, err := verify.Check(t.Context(), r, verify.Options{Waiting: waiting})
			if err != nil {
				t.Fatal(err)
			}
			order := explain.Order(rep)
			sorted := slices.Sorted(slices.Values(order))
			for i, k := range sorted {
				if k != i || len(order) != len(rep.Configuration) {
					t.Fatalf("%s, %s: the order is %v", network, waiting, order)
				}
			}
			if waiting != model.WaitOne || rep.DeadlockFree.Verdict != verify.Refuted {
				continue
			}
			inOrder++
			for i, k := range order {
				next := rep.Held(order[(i+1)%len(order)])
				if want := rep.WaitsFor(k); len(want) != 1 || !slices.ContainsFunc(next, func(s model.State) bool { return s.VC == want[0] }) {
					t.Errorf("%s: packet %d of %v does not wait for the next one", network, k, order)
				}
			}
		}
	}
	if inOrder < 4 {
		t.Errorf("%d deadlocks were refuted by a cycle", inOrder)
	}
}
