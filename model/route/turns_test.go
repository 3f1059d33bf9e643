package route_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// TestFromTurnsBySearch compares the hops of every state with distances by relaxation.
func TestFromTurnsBySearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6).WithVCs(rapid.IntRange(1, 2).Draw(t, "VCs"))
		set := drawTurnSet(t, n)
		all, one := route.FromTurns(set, false), route.FromTurns(set, true)
		if all.Turns() != set {
			t.Fatal("another set")
		}
		dist := make([][]uint32, n.NumSwitches())
		for v := range dist {
			dist[v] = legalDistances(set, model.SwitchID(v))
		}
		for v := range model.VCID(n.NumVCs()) {
			c, _ := n.Channel(v)
			u := n.Head(c)
			if u == model.NoSwitch {
				continue
			}
			for d := range model.DestID(all.Destinations()) {
				s := model.State{VC: v, Dest: d}
				to := n.Host(all.DestinationHost(d))
				if to.Switch == u {
					continue // delivered; see modeltest.Conformance
				}
				row := dist[to.Switch]
				least := startDistance(n, row, u) // for a packet from a host
				if n.Kind(c) == model.SwitchToSwitch {
					least = row[v]
					if least != route.Unreached {
						least--
					}
				}
				var want []model.Hop
				for _, o := range n.Out(u) {
					for i := range n.VCs() {
						b := n.VC(o, i)
						if n.Kind(o) == model.SwitchToSwitch && row[b] == least && least != route.Unreached && (n.Kind(c) != model.SwitchToSwitch || set.Has(model.Turn{In: v, Out: b})) {
							want = append(want, model.Hop{VC: b})
						}
					}
				}
				if got := all.Next(s, nil); !slices.Equal(got, want) {
					t.Fatalf("state %+v: %v, want %v", s, got, want)
				}
				if got := one.Next(s, nil); !slices.Equal(got, want[:min(1, len(want))]) {
					t.Fatalf("state %+v, one way: %v, want the first of %v", s, got, want)
				}
			}
		}
	})
}

// TestFromTurnsByCheck checks that every dependency is a turn of the set. A set without cycles
// therefore gives a relation without deadlock. The relation is connected if and only if the set
// is.
func TestFromTurnsByCheck(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := connected(t, 6)
		set := acyclicTurns(t, n)
		for _, one := range []bool{false, true} {
			r := route.FromTurns(set, one)
			g, err := cdg.Build(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			for turn := range g.All() {
				if n.IsLinkVC(turn.In) && n.IsLinkVC(turn.Out) && !set.Has(turn) {
					t.Fatalf("dependency %v is no turn of the set", turn)
				}
			}
			if cyclesOf(set) || !acyclic(r) {
				t.Fatal("a cycle of turns that all rise")
			}
			rep, err := verify.Check(context.Background(), r, verify.Options{NoPairs: true})
			if err != nil {
				t.Fatal(err)
			}
			turns, err := verify.CheckTurns(context.Background(), set, verify.TurnOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Connected.Verdict != turns.Connected.Verdict || rep.DeadlockFree.Verdict != verify.Proved || rep.LivelockFree.Verdict != verify.Proved {
				t.Fatalf("the relation: connected %s, deadlock-free %s, livelock-free %s; the set: connected %s",
					rep.Connected.Verdict, rep.DeadlockFree.Verdict, rep.LivelockFree.Verdict, turns.Connected.Verdict)
			}
			seen[string(rep.Connected.Verdict)]++
		}
	})
	t.Log(seen)
}

// TestFromTurnsIsUpDown checks that the turns of up*/down* give the relation updown with the
// same root.
func TestFromTurnsIsUpDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := connected(t, 9)
		root := model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "root"))
		tree, err := hv.NewTree(n, root, hv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		up, err := tree.UpChannels(hv.TiesByID)
		if err != nil {
			t.Fatal(err)
		}
		set := model.NewTurnSet(n)
		for turn := range model.Turns(n, true) {
			in, _ := n.Channel(turn.In)
			out, _ := n.Channel(turn.Out)
			if up[in] || !up[out] { // U-turns from up to down are added; no shortest path uses them
				set.Add(turn)
			}
		}
		own, err := route.New("updown", n, route.Options{Root: &root})
		if err != nil {
			t.Fatal(err)
		}
		if err := sameHops(own, route.FromTurns(set, false)); err != nil {
			t.Fatal(err)
		}
	})
}

// sameHops compares the hops of two relations in all states that packets of a reach.
func sameHops(a, b model.Relation) error {
	n := a.Network()
	for d := range model.DestID(a.Destinations()) {
		if a.DestinationHost(d) != b.DestinationHost(d) {
			return fmt.Errorf("destination %d", d)
		}
		seen := map[model.State]bool{}
		var stack []model.State
		for h := range model.HostID(a.Sources()) {
			if model.Sends(a, h, d) {
				stack = append(stack, model.InjectState(a, h, d, 0))
			}
		}
		for len(stack) > 0 {
			s := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if c, _ := n.Channel(s.VC); seen[s] || n.Head(c) == model.NoSwitch {
				continue
			}
			seen[s] = true
			x, y := a.Next(s, nil), b.Next(s, nil)
			if !slices.Equal(x, y) {
				return fmt.Errorf("state %+v: %v, and %v", s, x, y)
			}
			for _, h := range x {
				stack = append(stack, model.State{VC: h.VC, Dest: d, Class: h.Class})
			}
		}
	}
	return nil
}

func TestFromTurnsConforms(t *testing.T) {
	n := torus(t, 2, 4, 4)
	tree, err := hv.NewTree(n.WithVCs(1), 0, hv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	up, err := tree.UpChannels("")
	if err != nil {
		t.Fatal(err)
	}
	set := model.NewTurnSet(n)
	for turn := range model.Turns(n, false) {
		in, _ := n.Channel(turn.In)
		out, _ := n.Channel(turn.Out)
		if up[in] || !up[out] {
			set.Add(turn)
		}
	}
	for _, one := range []bool{false, true} {
		r := route.FromTurns(set, one)
		modeltest.Conformance(t, r)
		if rep := check(t, r); rep.DeadlockFree.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved {
			t.Errorf("one %v: %+v", one, rep)
		}
	}
}
