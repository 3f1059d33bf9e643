package minimum

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// TestPossible holds sets and refutations against all sets, on small networks with closed channels;
// the checker accepts both. It rejects nearly all refutations that lack a number.
func TestPossible(t *testing.T) {
	count := map[string]int{}
	small := func(rt *rapid.T) {
		n := modeltest.Network(rt, 5).WithVCs(1)
		var closed []model.ChannelID
		for c := range model.ChannelID(n.NumLinkChannels()) {
			if rapid.IntRange(0, 2).Draw(rt, "closed") == 0 {
				closed = append(closed, c)
			}
		}
		x := newInstance(n, closed...)
		if len(x.turns) > 14 {
			return
		}
		want := false
		for set := range uint32(1) << len(x.turns) {
			if want = x.holdsOpen(set); want {
				break
			}
		}
		p, err := FindPossible(t.Context(), n, closed, 10*time.Second)
		if err != nil || (p.Allowed != nil) != want || (p.NoSet != nil) == want {
			rt.Fatalf("%+v, %v; there is one: %v", p, err, want)
		}
		if want {
			count["set"]++
			rep, err := verify.CheckTurns(t.Context(), p.Allowed, verify.TurnOptions{Closed: closed})
			if err != nil || rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
				rt.Fatalf("%+v, %v", rep, err)
			}
			return
		}
		count["none"]++
		rep, err := verify.CheckTurns(t.Context(), model.NewTurnSet(n), verify.TurnOptions{Closed: closed, NoSet: p.NoSet})
		if err != nil || !rep.Unroutable {
			rt.Fatalf("%+v, %v", rep, err)
		}
		for i := range p.NoSet {
			if _, err := verify.CheckTurns(t.Context(), model.NewTurnSet(n), verify.TurnOptions{Closed: closed,
				NoSet: slices.Delete(slices.Clone(p.NoSet), i, i+1)}); err == nil {
				count["changed, accepted"]++ // without this number it is another proof of the same, which holds
			} else {
				count["changed, rejected"]++
			}
		}
	}
	for range 5 {
		rapid.Check(t, small)
	}
	if count["set"] < 10 || count["none"] < 10 || count["changed, rejected"] < 50*count["changed, accepted"] {
		t.Errorf("%v", count)
	}
}

// holdsOpen walks from each switch by channels that are open.
func (x *instance) holdsOpen(set uint32) bool {
	if !x.holds(func(t int32) bool { return set>>t&1 == 1 }, false) {
		return false
	}
	for s := range int32(x.switches) {
		at, on := map[int32]bool{s: true}, map[int32]bool{}
		for c, tail := range x.tail {
			if tail == s && !x.isClosed(c) {
				on[int32(c)] = true
			}
		}
		for again := true; again; {
			again = false
			for t, pair := range x.turns {
				if set>>t&1 == 1 && on[pair.in] && !on[pair.out] {
					on[pair.out], again = true, true
				}
			}
		}
		for c := range on {
			at[x.head[c]] = true
		}
		for v, hosted := range x.hosted {
			if x.hosted[s] && hosted && !at[int32(v)] {
				return false
			}
		}
	}
	return true
}

func (x *instance) isClosed(c int) bool { return x.closed != nil && x.closed[c] }

// TestOneWay checks that a one-way ring has no set: it needs all turns, and they close a cycle.
func TestOneWay(t *testing.T) {
	n := network(t, "ring:5")
	var closed []model.ChannelID
	for l := range n.NumLinks() {
		c := model.ChannelID(2 * l)
		if (int(n.Tail(c))+1)%5 == int(n.Head(c)) {
			c = n.Reverse(c)
		}
		closed = append(closed, c)
	}
	p, err := FindPossible(t.Context(), n, closed, 0)
	if err != nil || p.NoSet == nil {
		t.Fatalf("%+v, %v", p, err)
	}
	if p, err = FindPossible(t.Context(), n, closed[1:], 0); err != nil || p.NoSet == nil {
		t.Errorf("one link in both directions: %+v, %v", p, err)
	}
	if p, err = FindPossible(t.Context(), n, nil, 0); err != nil || p.Allowed == nil {
		t.Errorf("a ring of cables: %+v, %v", p, err)
	}
}

// TestOneWayGrid checks a grid with a one-way border. The checker must accept the proof although the
// ports are not in the order of channels.
func TestOneWayGrid(t *testing.T) {
	n := network(t, "mesh:3x2")
	next := map[model.SwitchID]model.SwitchID{0: 1, 1: 2, 2: 5, 5: 4, 4: 3, 3: 0}
	var closed []model.ChannelID
	for c := range model.ChannelID(n.NumLinkChannels()) {
		if from, to := n.Tail(c), n.Head(c); next[to] == from || from == 1 && to == 4 {
			closed = append(closed, c)
		}
	}
	p, err := FindPossible(t.Context(), n, closed, 0)
	if err != nil || p.NoSet == nil {
		t.Fatalf("%+v, %v", p, err)
	}
	rep, err := verify.CheckTurns(t.Context(), model.NewTurnSet(n), verify.TurnOptions{Closed: closed, NoSet: p.NoSet})
	if err != nil || !rep.Unroutable {
		t.Errorf("%v, %v", rep, err)
	}
}
