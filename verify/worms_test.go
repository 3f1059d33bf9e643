package verify_test

import (
	"testing"

	"turnproof/model"
	"turnproof/model/modeltest"
	"turnproof/model/route"
	"turnproof/model/topo"
	"turnproof/verify"
	"turnproof/verify/smt"
)

// shuttle is a routing on a line of three switches with two hosts at each. Host 4, at switch 2,
// sends to host 5 there and nowhere else. Its packets go away from switch 2 for so many hops, come
// back, and then are delivered or go round again. No lengths of packets deadlock: a worm can always
// leave when its head is back at switch 2, and nothing else waits there.
func shuttle(away int) *modeltest.Relation {
	n, err := topo.Line(3, topo.Options{Hosts: 2})
	if err != nil {
		panic(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{5}}
	r.Injects = func(h model.HostID, _ model.DestID) []model.Class {
		if h == 4 {
			return []model.Class{0}
		}
		return nil
	}
	to := func(u, v model.SwitchID) model.Hop {
		for _, c := range n.Out(u) {
			if n.Kind(c) == model.SwitchToSwitch && n.Head(c) == v {
				return model.Hop{VC: n.VC(c, 0)}
			}
		}
		panic("no channel")
	}
	far := model.SwitchID(2 - away)
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		at := n.Head(c)
		switch {
		case n.Kind(c) == model.Inject:
			return []model.Hop{to(2, 1)}
		case at == 2:
			return []model.Hop{{VC: n.VC(n.EjectChannel(5), 0)}, to(2, 1)}
		case at == far:
			return []model.Hop{to(at, at+1)}
		}
		return []model.Hop{to(at, 2*at-n.Tail(c))} // straight on
	}
	return r
}

// TestWormsThatCannotBe: worms that would have to enter their own tails refute nothing, and neither
// do worms that get to their places alone, but not together.
func TestWormsThatCannotBe(t *testing.T) {
	for away := 1; away <= 2; away++ {
		rep := checkWith(t, shuttle(away), verify.Options{Switching: verify.Wormhole})
		if rep.DeadlockFree.Verdict != verify.Undecided || rep.Acyclic.Verdict != verify.Refuted {
			t.Errorf("%d hops away: %s, %v packets hold %v", away, rep.DeadlockFree.Verdict, len(rep.Configuration), rep.Holds)
		}
	}
}

// TestWormsTogether: each packet of a refutation by worms enters only VCs that it does not hold.
func TestWormsTogether(t *testing.T) {
	if !smt.Available() {
		t.Skip("this build has no Z3")
	}
	rep := checkWith(t, named(t, "mesh:2x3,vcs=2", "duato-nonminimal", route.Options{}), verify.Options{Switching: verify.Wormhole})
	if rep.DeadlockFree.Verdict != verify.Refuted || rep.Holds == nil {
		t.Fatalf("%s, holds %v", rep.DeadlockFree.Verdict, rep.Holds)
	}
	for i, p := range rep.Configuration {
		var on []model.VCID // first the oldest
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
