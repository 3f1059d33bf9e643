package worms

import (
	"fmt"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/reach"
)

// This file compares the search for moves of worms, which goes back, with their moves from the empty network.

// alone is a worm in the judge: the states whose VCs it holds, the oldest first, and the number of
// VCs that its flits need. It is not in the network yet if it holds nothing.
type alone struct {
	length int
	states []model.State
}

func (w alone) holds(v model.VCID) bool {
	return slices.ContainsFunc(w.states, func(s model.State) bool { return s.VC == v })
}

// moves returns the states of w after one step of its head: it enters a VC between switches that w
// does not hold, or the injection channel of its source.
func (w alone) moves(r model.Relation) (list []alone) {
	heads := []model.State{}
	if len(w.states) == 0 {
		for h := range model.HostID(r.Sources()) {
			heads = append(heads, injected(r, h)...)
		}
	} else {
		head := w.states[len(w.states)-1]
		for _, hop := range r.Next(head, nil) {
			if r.Network().IsLinkVC(hop.VC) {
				heads = append(heads, model.State{VC: hop.VC, Dest: head.Dest, Class: hop.Class})
			}
		}
	}
	for _, head := range heads {
		if !w.holds(head.VC) {
			states := append(slices.Clone(w.states), head)
			list = append(list, alone{w.length, states[max(0, len(states)-w.length):]})
		}
	}
	return list
}

// injected lists the states of packets to destination 0 on the injection channel of host h.
func injected(r model.Relation, h model.HostID) (list []model.State) {
	n := r.Network()
	for _, class := range r.Inject(h, 0, nil) {
		list = append(list, model.State{VC: n.VC(n.InjectChannel(h), 0), Dest: 0, Class: class})
	}
	return list
}

// reached returns, as text, all sets of places that worms of the given lengths reach together.
func reached(r model.Relation, lengths ...int) map[string]bool {
	begin := make([]alone, len(lengths))
	for i, k := range lengths {
		begin[i].length = k
	}
	seen := map[string]bool{fmt.Sprint(begin): true}
	for todo := [][]alone{begin}; len(todo) > 0; todo = todo[1:] {
		for i, w := range todo[0] {
			for _, moved := range w.moves(r) {
				others := slices.Delete(slices.Clone(todo[0]), i, i+1)
				head := moved.states[len(moved.states)-1].VC
				if slices.ContainsFunc(others, func(o alone) bool { return o.holds(head) }) {
					continue
				}
				next := slices.Insert(others, i, moved)
				if name := fmt.Sprint(next); !seen[name] {
					seen[name] = true
					todo = append(todo, next)
				}
			}
		}
	}
	return seen
}

// placesOf returns all paths of states of g on different VCs, of at most most states.
func placesOf(g *Graph, most int) (list [][]int32) {
	for i := range g.states {
		list = append(list, []int32{int32(i)})
	}
	for n := 0; n < len(list); n++ {
		path := list[n]
		for _, to := range g.edges(path[len(path)-1]) {
			if len(path) < most && !slices.ContainsFunc(path, func(i int32) bool { return g.states[i].VC == g.states[to].VC }) {
				list = append(list, append(slices.Clone(path), to))
			}
		}
	}
	return list
}

// judged returns a place in the form of the judge.
func judged(g *Graph, path []int32) alone {
	w := alone{length: len(path)}
	for _, i := range path {
		w.states = append(w.states, g.states[i])
	}
	return w
}

// shuttleGraph returns the states of Shuttle.
func shuttleGraph(t *testing.T, away int) (model.Relation, *Graph) {
	t.Helper()
	r := modeltest.Shuttle(away)
	g, err := New(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, g
}

// TestWormPlaces checks that the search gets exactly those worms to their places that get there alone.
func TestWormPlaces(t *testing.T) {
	var count [2]int
	for away := 1; away <= 2; away++ {
		r, g := shuttleGraph(t, away)
		for _, path := range placesOf(g, 5) {
			want := reached(r, len(path))[fmt.Sprint([]alone{judged(g, path)})]
			found := g.meet(t.Context(), [][]int32{path})
			if (found.Answer == reach.Yes) != want || found.Answer == reach.Open {
				t.Errorf("%d hops away, %v: got %v, want %v", away, path, found.Answer, want)
			}
			if count[numberOf(want)]++; want && !endsWith(found.Paths[0], path) {
				t.Errorf("%v does not end with %v", found.Paths[0], path)
			}
		}
	}
	if count[0] == 0 || count[1] == 0 {
		t.Errorf("%d places cannot be reached, %d can; want some of each", count[0], count[1])
	}
}

func endsWith(way, path []int32) bool {
	return len(way) >= len(path) && slices.Equal(way[len(way)-len(path):], path)
}

// TestWormsArriveTogether checks that of all disjoint pairs of worms exactly those get paths that can
// reach their places together.
func TestWormsArriveTogether(t *testing.T) {
	r, g := shuttleGraph(t, 2)
	var pairs [2]int // those that cannot, and those that can
	list := placesOf(g, 3)
	for i, a := range list {
		for _, b := range list[:i] {
			if slices.ContainsFunc(judged(g, a).states, func(s model.State) bool { return judged(g, b).holds(s.VC) }) {
				continue
			}
			want := reached(r, len(a), len(b))[fmt.Sprint([]alone{judged(g, a), judged(g, b)})]
			found := g.meet(t.Context(), [][]int32{a, b})
			if (found.Answer == reach.Yes) != want || found.Answer == reach.Open {
				t.Errorf("%v and %v: got %v, want %t", a, b, found.Answer, want)
			}
			if pairs[numberOf(want)]++; want && (!endsWith(found.Paths[0], a) || !endsWith(found.Paths[1], b)) {
				t.Errorf("paths %v do not end with %v and %v", found.Paths, a, b)
			}
		}
	}
	if pairs[0] == 0 || pairs[1] == 0 {
		t.Errorf("%d pairs cannot get into place, %d can; want some of each", pairs[0], pairs[1])
	}
}

func numberOf(is bool) int {
	if is {
		return 1
	}
	return 0
}
