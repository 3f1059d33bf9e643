package route_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// drawTurnSet draws a random share of all turns.
func drawTurnSet(t *rapid.T, n *model.Network) *model.TurnSet {
	share := rapid.SampledFrom([]int{0, 4, 8, 10}).Draw(t, "share")
	s := model.NewTurnSet(n)
	for turn := range model.Turns(n, rapid.Bool().Draw(t, "U-turns")) {
		if rapid.IntRange(0, 9).Draw(t, "allowed") < share {
			s.Add(turn)
		}
	}
	return s
}

// legalDistances computes the distance to v from each VC by relaxation until nothing changes.
func legalDistances(set *model.TurnSet, v model.SwitchID) []uint32 {
	n := set.Network()
	dist := make([]uint32, n.NumLinkVCs())
	for a := range dist {
		dist[a] = route.Unreached
		if c, _ := n.Channel(model.VCID(a)); n.Head(c) == v {
			dist[a] = 1
		}
	}
	for changed := true; changed; {
		changed = false
		for t := range set.All() {
			if d := dist[t.Out]; d != route.Unreached && d+1 < dist[t.In] {
				dist[t.In] = d + 1
				changed = true
			}
		}
	}
	return dist
}

// startDistance returns the smallest distance over the VCs out of u.
func startDistance(n *model.Network, dist []uint32, u model.SwitchID) uint32 {
	best := uint32(route.Unreached)
	for a, d := range dist {
		if c, _ := n.Channel(model.VCID(a)); n.Tail(c) == u {
			best = min(best, d)
		}
	}
	return best
}

// TestLegalByRelaxation compares distances, the order of VCs and the steps with their
// definitions.
func TestLegalByRelaxation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 7).WithVCs(rapid.IntRange(1, 3).Draw(t, "VCs"))
		set := drawTurnSet(t, n)
		l := route.NewLegal(set)
		if l.Set() != set {
			t.Fatal("another set")
		}
		for a := range model.VCID(n.NumLinkVCs()) {
			var want []model.VCID
			for turn := range set.All() {
				if turn.In == a {
					want = append(want, turn.Out)
				}
			}
			if got := l.After(a); !slices.Equal(got, want) {
				t.Fatalf("after VC %d: %v, want %v", a, got, want)
			}
		}
		s := l.NewSearch()
		for v := range model.SwitchID(n.NumSwitches()) {
			s.To(v)
			dist := legalDistances(set, v)
			if !slices.Equal(s.Dist, dist) {
				t.Fatalf("to switch %d: %v, want %v", v, s.Dist, dist)
			}
			reached := 0
			for a, d := range dist {
				if d != route.Unreached {
					reached++
					if !slices.Contains(s.Order, model.VCID(a)) {
						t.Fatalf("order %v has no VC %d", s.Order, a)
					}
				}
			}
			if len(s.Order) != reached || !slices.IsSortedFunc(s.Order, func(a, b model.VCID) int { return int(dist[a]) - int(dist[b]) }) {
				t.Fatalf("order %v, distances %v", s.Order, dist)
			}
			for u := range model.SwitchID(n.NumSwitches()) {
				if got, want := s.From(u), startDistance(n, dist, u); u != v && got != want {
					t.Fatalf("from switch %d to %d: %d, want %d", u, v, got, want)
				}
			}
			for _, nearest := range []bool{true, false} {
				checkSteps(t, s, set, dist, nearest)
			}
		}
	})
}

// checkSteps checks that each VC is visited once, in the requested order, with all VCs that
// follow on shortest paths.
func checkSteps(t *rapid.T, s *route.Search, set *model.TurnSet, dist []uint32, nearest bool) {
	var visited []model.VCID
	s.Steps(nearest, func(b model.VCID, next []model.VCID) {
		if k := len(visited); k > 0 && dist[visited[k-1]] != dist[b] && (dist[visited[k-1]] < dist[b]) != nearest {
			t.Fatalf("nearest %v: VC %d of distance %d after %d of %d", nearest, b, dist[b], visited[k-1], dist[visited[k-1]])
		}
		visited = append(visited, b)
		var want []model.VCID
		for turn := range set.All() {
			if turn.In == b && dist[turn.Out] == dist[b]-1 && dist[b] > 1 {
				want = append(want, turn.Out)
			}
		}
		if !slices.Equal(next, want) {
			t.Fatalf("VC %d of distance %d goes on to %v, want %v", b, dist[b], next, want)
		}
	})
	slices.Sort(visited)
	order := slices.Sorted(slices.Values(s.Order))
	if !slices.Equal(visited, order) {
		t.Fatalf("visited %v of %v", visited, order)
	}
}

// TestLegalWideSwitch checks a switch whose bit rows have more than one word.
func TestLegalWideSwitch(t *testing.T) {
	b := model.NewBuilder()
	const leaves = 50
	b.AddSwitch(model.Switch{})
	for u := model.SwitchID(1); u <= leaves; u++ {
		b.AddSwitch(model.Switch{})
		b.AddLink(0, model.Port(u), u, 1)
		if u > 1 {
			b.AddLink(u-1, 2, u, 3)
		}
	}
	b.SetVCs(3) // 150 VCs at the middle switch
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	set := model.NewTurnSet(n)
	i := 0
	for turn := range model.Turns(n, true) {
		if i++; i*i%7 < 3 {
			set.Add(turn)
		}
	}
	s := route.NewLegal(set).NewSearch()
	for _, v := range []model.SwitchID{0, 1, 25, leaves} {
		s.To(v)
		if !slices.Equal(s.Dist, legalDistances(set, v)) {
			t.Errorf("to switch %d: %v", v, s.Dist)
		}
	}
}

// acyclicTurns returns a set whose turns all increase a random number of the VC.
func acyclicTurns(t *rapid.T, n *model.Network) *model.TurnSet {
	rank := rapid.Permutation(vcs(n)).Draw(t, "rank")
	s := model.NewTurnSet(n)
	for turn := range model.Turns(n, false) {
		if rank[turn.In] < rank[turn.Out] {
			s.Add(turn)
		}
	}
	return s
}

func vcs(n *model.Network) []int {
	list := make([]int, n.NumLinkVCs())
	for i := range list {
		list[i] = i
	}
	return list
}

// cyclesOf reports whether the set closes a cycle.
func cyclesOf(s *model.TurnSet) bool {
	c, err := cdg.FromTurns(s).ShortestCycle(context.Background())
	if err != nil {
		panic(err)
	}
	return len(c) > 0
}
