package gates_test

import (
	"context"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// TestPacketsStepBack refutes a routing in which packets of the deadlock pass VCs that others fill later. It is case 2503 of
// seed 1 of the experiment "gates" (cmd/trust/agree).
func TestPacketsStepBack(t *testing.T) {
	n, err := topo.Parse("mesh:2x2")
	if err != nil {
		t.Fatal(err)
	}
	next := map[[2]int][]model.VCID{ // by VC and destination
		{1, 0}: {12}, {5, 0}: {4}, {6, 0}: {5}, {9, 0}: {1, 4}, {10, 0}: {6}, {11, 0}: {5},
		{0, 1}: {13, 1}, {1, 1}: {2}, {2, 1}: {6, 3}, {3, 1}: {0}, {5, 1}: {13}, {6, 1}: {5}, {7, 1}: {6}, {8, 1}: {2}, {11, 1}: {7},
		{0, 2}: {1, 4}, {1, 2}: {0}, {4, 2}: {7, 5}, {5, 2}: {1, 4}, {7, 2}: {14, 3}, {9, 2}: {4},
		{2, 3}: {6}, {4, 3}: {15}, {6, 3}: {15, 5}, {8, 3}: {0, 2}, {9, 3}: {4}, {10, 3}: {6, 3},
	}
	r := &modeltest.Relation{Net: n, NumClasses: 1, Dests: []model.HostID{0, 1, 2, 3}}
	r.NextHops = func(s model.State) (hops []model.Hop) {
		for _, v := range next[[2]int{int(s.VC), int(s.Dest)}] {
			hops = append(hops, model.Hop{VC: v})
		}
		return hops
	}
	g := &gate.Setup{Packet: 2, Buffer: 4, Rule: gate.DefaultRule(gate.Injection)}
	g.Rule.Level, g.Rule.Hops = 2, 1
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	rep, err := verify.Check(ctx, r, verify.Options{Conditions: []model.Condition{g}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := newStates(r, g)
	if err != nil {
		t.Fatal(err)
	}
	if s := x.placed(rep); rep.DeadlockFree.Verdict != verify.Refuted || len(s.packets) != 8 || x.frozen(s) != len(s.packets) {
		t.Errorf("%s: of %d packets %d can never move; want refuted with 8", rep.DeadlockFree.Verdict, len(s.packets), x.frozen(s))
	}
	if checkFlitMoves(t, rep, g.Packet); rep.FlitMoves == nil {
		t.Error("no moves of flits")
	}
}
