package verify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// clockwise returns the routing on a ring in which all packets go in the plus direction.
func clockwise(t *testing.T, switches int) model.Relation {
	n, err := topo.Parse(fmt.Sprintf("ring:%d", switches))
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n}
	for h := range model.HostID(switches) {
		r.Dests = append(r.Dests, h)
	}
	r.Injects = func(model.HostID, model.DestID) []model.Class { return []model.Class{0} }
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		if h := model.HostID(s.Dest); n.Host(h).Switch == n.Head(c) {
			return []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
		}
		return []model.Hop{{VC: n.VC(n.OutAt(n.Head(c), model.PlusPort(0)), 0)}}
	}
	return r
}

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
	f := &bubble.Flow{Rule: bubble.Rule{Kind: bubble.Local}, Packet: 1, Buffer: 2}
	rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{f}})
	if err != nil {
		t.Fatal(err)
	}
	if rep.DeadlockFree.Verdict != verify.Undecided || rep.LivelockFree.Verdict != verify.Refuted {
		t.Errorf("deadlock-free %s, livelock-free %s", rep.DeadlockFree.Verdict, rep.LivelockFree.Verdict)
	}
}

// TestBubbleByHand compares verdicts with those found by hand. The comment counts the packets that need the rule in a full
// ring, and those that the rule admits.
func TestBubbleByHand(t *testing.T) {
	dor4 := named(t, "ring:4", "dor", route.Options{}) // two hops at most; a packet waits in the VC where it enters
	some := []model.Flow{}
	for a := range model.HostID(5) {
		for b := range model.HostID(5) {
			if a != b && (a > 0 || b == 1) {
				some = append(some, model.Flow{Source: a, Dest: b, Amount: 1})
			}
		}
	}
	for _, c := range []struct {
		r              model.Relation
		rule           string
		packet, buffer int
		want           verify.Verdict
	}{
		{clockwise(t, 4), "worm-bubble,packet=1", 2, 1, verify.Refuted},                  // 2 worms of 2 VCs each; 3
		{clockwise(t, 5), "worm-bubble,packet=2", 1, 1, verify.Proved},                   // 5; 2
		{clockwise(t, 5), "worm-bubble,packet=2,off=0>1", 1, 1, verify.Refuted},          // 0: worms that enter from 0 go as far as 3>4, then one more; 2
		{dor4, "worm-bubble,packet=1", 4, 1, verify.Proved},                              // 4; 3
		{dor4, "worm-bubble,off=0>1", 1, 1, verify.Refuted},                              // 3; 3
		{dor4, "worm-bubble,packet=2,off=0>1", 1, 1, verify.Proved},                      // 3; 1
		{dor4, "bubble,off=0>1", 1, 2, verify.Refuted},                                   // the last slot is that of the channel from 0 to 1
		{dor4, "bubble,off=0>1,from=rings", 1, 2, verify.Proved},                         // no such entry
		{model.WithFlows(clockwise(t, 5), some), "bubble,off=0>1", 1, 2, verify.Refuted}, // a packet from 0 to 1 takes the last slot
		{model.WithFlows(clockwise(t, 5), some), "bubble,off=0>1", 2, 4, verify.Refuted},
		{dor4, "critical-bubble", 1, 1, verify.Proved},                       // 4; 3
		{dor4, "critical-bubble,off=0>1", 1, 1, verify.Refuted},              // 3; 3
		{dor4, "critical-bubble,packet=2", 1, 2, verify.Proved},              // 8; 3
		{dor4, "critical-bubble,packet=2,off=0>1", 1, 2, verify.Proved},      // 0+1+2+2; 3
		{dor4, "critical-bubble,packet=2,off=0>1+1>2", 1, 2, verify.Refuted}, // 0+0+1+2; 3
	} {
		rule, err := bubble.Parse(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		f := &bubble.Flow{Rule: rule, Packet: c.packet, Buffer: c.buffer}
		rep, err := verify.Check(context.Background(), c.r, verify.Options{Conditions: []model.Condition{f}, Switching: f.Switching()})
		if err != nil {
			t.Fatal(err)
		}
		if rep.DeadlockFree.Verdict != c.want {
			t.Errorf("%s, sizes %d and %d: %s (%s), want %s", c.rule, c.packet, c.buffer, rep.DeadlockFree.Verdict, rep.DeadlockFree.Reason, c.want)
		}
		if isReached := rep.Reached != nil && *rep.Reached; isReached != (c.want == verify.Refuted) {
			t.Errorf("%s: reached %t", c.rule, isReached)
		}
	}
}

// TestBubbleWithoutRings checks that a proof on a network without rings does not speak of them.
func TestBubbleWithoutRings(t *testing.T) {
	for _, spec := range []string{"mesh:4x4", "torus:3x3"} {
		f := &bubble.Flow{Rule: bubble.Rule{Kind: bubble.Local}, Packet: 1, Buffer: 2}
		rep, err := verify.Check(context.Background(), named(t, spec, "dor", route.Options{}), verify.Options{Conditions: []model.Condition{f}})
		if err != nil {
			t.Fatal(err)
		}
		if text := rep.DeadlockFree.Theorem; rep.DeadlockFree.Verdict != verify.Proved || strings.Contains(text, "ring") {
			t.Errorf("%s: %s by %s", spec, rep.DeadlockFree.Verdict, text)
		}
	}
}

// TestFlowErrors checks which options do not go with flow control of rings.
func TestFlowErrors(t *testing.T) {
	local := &bubble.Flow{Rule: bubble.Rule{Kind: bubble.Local}, Packet: 4, Buffer: 8}
	for _, c := range []struct {
		o    verify.Options
		want string
	}{
		{verify.Options{Conditions: []model.Condition{local}, Switching: model.Wormhole}, "cannot decide bubble: want vct switching, got wormhole"},
		{verify.Options{Conditions: []model.Condition{&bubble.Flow{Rule: bubble.Rule{Kind: bubble.Worm}, Packet: 4, Buffer: 8}}}, "want wormhole switching, got vct"},
		{verify.Options{Conditions: []model.Condition{&bubble.Flow{Rule: local.Rule, Packet: 4, Buffer: 3}}}, "has no room for a packet of 4"},
		{verify.Options{Conditions: []model.Condition{&bubble.Flow{Rule: local.Rule, Packet: 0, Buffer: 3}}}, "want 1 to"},
		{verify.Options{Conditions: []model.Condition{&bubble.Flow{Rule: bubble.Rule{Kind: bubble.Local, Off: "99"}, Packet: 1, Buffer: 3}}}, "no switch 99 in the network"},
	} {
		_, err := verify.Check(context.Background(), named(t, "mesh:3x3", "minimal", route.Options{}), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestBubbleOne checks a ring that each packet can leave for another VC. Packets that wait for any next hop always do, so they need no
// rule at entries. Packets that wait for one can all wait for the ring.
func TestBubbleOne(t *testing.T) {
	n, err := topo.Parse("ring:4,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	r := clockwise(t, 4).(*modeltest.Relation)
	r.Net = n
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		at, h := n.Head(c), model.HostID(s.Dest)
		next := n.OutAt(at, model.PlusPort(0))
		switch n.Host(h).Switch {
		case at:
			return []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
		case n.Head(next):
			return []model.Hop{{VC: n.VC(next, 0)}, {VC: n.VC(next, 1)}}
		}
		return []model.Hop{{VC: n.VC(next, 0)}}
	}
	var across []model.Flow
	for h := range model.HostID(4) {
		across = append(across, model.Flow{Source: h, Dest: (h + 2) % 4, Amount: 1})
	}
	check := func(rule string, waiting model.Waiting) *verify.Report {
		parsed, err := bubble.Parse(rule)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := verify.Check(context.Background(), model.WithFlows(r, across), verify.Options{Waiting: waiting,
			Conditions: []model.Condition{&bubble.Flow{Rule: parsed, Packet: 1, Buffer: 2}}})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	if v := check("bubble", model.WaitOne).DeadlockFree.Verdict; v != verify.Proved {
		t.Errorf("bubble, waiting one: %s", v)
	}
	any, one := check("bubble,off=all", model.WaitAny), check("bubble,off=all", model.WaitOne)
	if any.DeadlockFree.Verdict != verify.Proved || one.DeadlockFree.Verdict != verify.Refuted {
		t.Errorf("off: waiting any %+v, one %+v", any.DeadlockFree, one.DeadlockFree)
	}
	if len(one.Chosen) != 4 || slices.Contains(one.Chosen, model.NoVC) {
		t.Errorf("the packets of the deadlock have chosen %v", one.Chosen)
	}
	c := *any.Certificate
	c.Subject.Waiting = cert.WaitingOne
	if err := cert.Check(&c); err == nil {
		t.Error("the checker accepts the ranks of packets that wait for any next hop for packets that wait for one")
	}
}
