package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/modeltest"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// TestBubbleRoundForever checks that nothing is proved if a packet can go round a ring for ever: other packets may then
// never get into the ring.
func TestBubbleRoundForever(t *testing.T) {
	r := clockwise(t, 5).(*modeltest.Relation)
	n, on := r.Net, r.NextHops
	r.NextHops = func(s model.State) []model.Hop {
		if c, _ := n.Channel(s.VC); s.Dest == 0 {
			return []model.Hop{{VC: n.VC(n.OutAt(n.Head(c), model.PlusPort(0)), 0)}}
		}
		return on(s)
	}
	f := &verify.Flow{Rule: bubble.Rule{Kind: bubble.Local}, Packet: 1, Buffer: 2}
	rep, err := verify.Check(context.Background(), r, verify.Options{Flow: f})
	if err != nil {
		t.Fatal(err)
	}
	if rep.DeadlockFree.Verdict != verify.Undecided || rep.LivelockFree.Verdict != verify.Refuted {
		t.Errorf("deadlock-free %s, livelock-free %s", rep.DeadlockFree.Verdict, rep.LivelockFree.Verdict)
	}
}

// TestFlowErrors checks which options do not go with flow control of rings.
func TestFlowErrors(t *testing.T) {
	local := &verify.Flow{Rule: bubble.Rule{Kind: bubble.Local}, Packet: 4, Buffer: 8}
	for _, c := range []struct {
		o    verify.Options
		want string
	}{
		{verify.Options{Flow: local, Switching: model.Wormhole}, "cannot decide bubble: want vct switching, got wormhole"},
		{verify.Options{Flow: &verify.Flow{Rule: bubble.Rule{Kind: bubble.Worm}, Packet: 4, Buffer: 8}}, "want wormhole switching, got vct"},
		{verify.Options{Flow: &verify.Flow{Rule: local.Rule, Packet: 4, Buffer: 3}}, "has no room for a packet of 4"},
		{verify.Options{Flow: &verify.Flow{Rule: local.Rule, Packet: 0, Buffer: 3}}, "want 1 to"},
		{verify.Options{Flow: &verify.Flow{Rule: bubble.Rule{Kind: bubble.Local, Off: []string{"99"}}, Packet: 1, Buffer: 3}}, "no switch has this number or name"},
		{verify.Options{Flow: local, Waiting: model.WaitOne}, "with waiting one"},
	} {
		_, err := verify.Check(context.Background(), named(t, "mesh:3x3", "minimal", route.Options{}), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
