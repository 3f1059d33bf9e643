package agree

import (
	"context"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// wormCase draws a relation under wormhole switching, or nil.
func wormCase(seed, k uint64) *Case {
	c := draw(seed, k)
	if c.States == nil {
		return nil
	}
	c.Switching = "wormhole"
	return c
}

// TestBackwardIsForward compares the search from deadlocks back to the empty network with the search over
// all states, if the latter finishes.
func TestBackwardIsForward(t *testing.T) {
	ctx, reached, free, draws := context.Background(), 0, 0, longtest.Cases(500, 3000)
	for k := range uint64(draws) {
		c := wormCase(7, k)
		if c == nil {
			continue
		}
		all := newShapes(newWalk(c), 4, 2000, k%3 == 0)
		forward := all.forward(ctx, 2000)
		if !forward.complete {
			continue
		}
		back := all.backward(ctx, mostVisits)
		if !back.complete || back.reached != forward.reached {
			t.Errorf("case %d: back %v (complete %v), forward %v", k, back.reached, back.complete, forward.reached)
		}
		if forward.reached {
			reached++
		} else {
			free++
		}
	}
	if t.Log(reached, free); reached < draws/50 || free < draws/50 {
		t.Errorf("%d with a deadlock, %d without", reached, free)
	}
}

// lineOfThree returns a routing on a line of three switches. Packets from host 1 to host 2, both at the
// last switch, go to the middle and come back any number of times. A worm of two VCs would block itself
// on its second round, but it gets there only through its own tail.
func lineOfThree() *Case {
	c := &Case{Kind: "line", Switching: "wormhole", VCs: 1, Switches: 3, Links: [][2]int{{0, 1}, {1, 2}}, Hosts: []int{2, 2}, Dests: []int{0, 1}}
	c.fill(1, [][3]int{{0, 1, 0}, {1, 0, 0}}, func(d int, at place) []place {
		switch {
		case d == 0 || at.Channel == 2: // in switch 2
			return []place{{-1 - d, 0, 0}, {3, 0, 0}}[:2-boolInt(d == 0)]
		case at.Channel == -1:
			return []place{{3, 0, 0}}
		}
		return []place{{2, 0, 0}}
	})
	return c
}

// TestLineOfThree checks by both searches that no worms of 1 to 6 VCs deadlock.
func TestLineOfThree(t *testing.T) {
	ctx := context.Background()
	all := newShapes(newWalk(lineOfThree()), mostWorm, mostShapes, false)
	if f, b := all.forward(ctx, mostVisits), all.backward(ctx, mostVisits); f.reached || b.reached || !f.complete || !b.complete {
		t.Errorf("forward %+v, backward %+v", f, b)
	}
	j, err := judgeCase(ctx, judges, lineOfThree(), 0)
	if err != nil || j.wrong != nil || j.said[0][deadlockFree] == refuted {
		t.Errorf("%+v, %v", j, err)
	}
}

// TestWormRelations judges random relations under wormhole switching.
func TestWormRelations(t *testing.T) {
	o, record := options(t, 120, 10_000)
	for _, one := range []bool{false, true} {
		first, end := o.Range(o.Cases)
		n, err := tallyWorms(t.Context(), o.Seed, uint64(o.Part)<<32, end-first, one)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range n.wrong {
			t.Error(text)
		}
		if len(n.apart) > 0 {
			t.Errorf("refuted, and no state is a deadlock: %v", n.apart)
		}
		record("Packets choose one next hop before they wait: %v. %d random relations; the search did not finish for %d more.\n\n"+
			"- verdicts of verify.Check: %v; of these, a state of the network is a deadlock: %v\n"+
			"- refutations with a packet that cannot get to its place alone: %d; refutations without a deadlock: %d\n"+
			"- replay reached %d of %d deadlocks, %d of them false\n\n",
			one, n.relations, n.drawn-n.relations, n.verify, n.deadlock, n.notAlone, len(n.apart), n.reached, n.replayed, n.falseReached)
	}
}

// TestMisroutes checks that the worm of a refutation gets to its place without entering its own VCs.
func TestMisroutes(t *testing.T) {
	ctx := context.Background()
	c := &Case{Named: &Named{Spec: "mesh:2x4,vcs=2", Routing: "duato-nonminimal", Options: route.Options{Misroutes: 3}}}
	rel, err := c.relation()
	if err != nil {
		t.Fatal(err)
	}
	rep, err := verify.Check(ctx, rel, verify.Options{Switching: model.Wormhole})
	if err != nil {
		t.Fatal(err)
	}
	if rep.DeadlockFree.Verdict != verify.Refuted {
		t.Skipf("%s: this build has no Z3", rep.DeadlockFree.Verdict)
	}
	all := newShapes(newWalk(written("", "wormhole", rel)), slices.Max(rep.Holds), 1<<20, false)
	if i := all.notAlone(rel.Network(), rep); all.full || i >= 0 {
		t.Errorf("packet %d of %+v, shapes complete: %v", i, rep.Configuration, !all.full)
	}
	if found := all.backward(ctx, mostVisits); !found.reached {
		t.Errorf("no state of the network is a deadlock: %+v", found)
	}
}

// forward is a simple search that backward is compared with: it visits the states that any moves lead to from the empty network, up to a limit.
func (s *shapes) forward(ctx context.Context, limit int) (found wormSearch) {
	if s.full {
		return found
	}
	seen := map[string]bool{"": true}
	for list := [][]uint16{nil}; len(list) > 0; {
		state := list[len(list)-1]
		list = list[:len(list)-1]
		if found.states++; found.states%1000 == 0 && ctx.Err() != nil || len(seen) > limit {
			return found
		}
		if stuck := s.blocked(state); len(stuck) > 0 {
			found.deadlock, found.reached, found.complete = stuck, true, true
			return found
		}
		s.follow(state, func(next []uint16) {
			if key := keyOfState(next); !seen[key] {
				seen[key] = true
				list = append(list, next)
			}
		})
	}
	found.complete = true
	return found
}

// blocked returns the worms of a list that can never move. It removes worms that can move until none of
// those left can.
func (s *shapes) blocked(list []uint16) []uint16 {
	left := append([]uint16(nil), list...)
	for {
		var held uint64
		for _, k := range left {
			held |= s.list[k].mask
		}
		keep := left[:0]
		for _, k := range left {
			if x := &s.list[k]; !x.leaves && x.waits&^held == 0 {
				keep = append(keep, k)
			}
		}
		if len(keep) == len(left) {
			return keep
		}
		left = keep
	}
}

// follow calls f for each state that may come after one.
func (s *shapes) follow(state []uint16, f func(next []uint16)) {
	held := s.held(state)
	for k := range s.list {
		if x := &s.list[k]; x.born != 0 && (x.born|x.mask)&held == 0 {
			f(append(slices.Clone(state), uint16(k)))
		}
	}
	for i, k := range state {
		for _, m := range s.list[k].next {
			if m.vc&held == 0 {
				f(replace(state, i, m.to))
			}
		}
		if s.list[k].leaves {
			f(slices.Delete(slices.Clone(state), i, i+1))
		}
	}
}
