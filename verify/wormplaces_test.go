package verify

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file compares the search for worms with the moves of worms from the empty network. It
// needs no Z3.

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

// TestWormPlaces checks that the windows of worms are the places that a worm can reach alone.
func TestWormPlaces(t *testing.T) {
	for away := 1; away <= 2; away++ {
		for length := 1; length <= maxWorm; length++ {
			r := Shuttle(away)
			want := reached(r, length)
			delete(want, fmt.Sprint([]alone{{length: length}}))
			p := newWormPaths(r.Network(), cdg.NewExplorer(r).Explore(0), length)
			got := map[string]bool{}
			for at := range p.enumerate() {
				got[fmt.Sprint([]alone{p.place(at)})] = true
			}
			if !maps.Equal(got, want) {
				t.Errorf("%d hops away, %d VCs: got %v, want %v", away, length, got, want)
			}
		}
	}
}

// place returns a window in the form of the judge.
func (p *wormPaths) place(at int) alone {
	w := alone{length: p.length}
	for _, i := range slices.Backward(p.windows[at][:]) {
		if i >= 0 {
			w.states = append(w.states, p.space.States[i])
		}
	}
	return w
}

// TestWormsArriveTogether checks that of all disjoint pairs of worms exactly those get paths that can
// reach their places together.
func TestWormsArriveTogether(t *testing.T) {
	r := Shuttle(2)
	worms, err := collectWorms(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	var pairs [2]int // those that cannot, and those that can
	for i, a := range worms {
		for _, b := range worms[:i] {
			if slices.ContainsFunc(a.held, func(v model.VCID) bool { return slices.Contains(b.held, v) }) {
				continue
			}
			if arriveAsJudged(t, r, a, b) {
				pairs[1]++
			} else {
				pairs[0]++
			}
		}
	}
	if pairs[0] == 0 || pairs[1] == 0 {
		t.Errorf("%d pairs cannot get into place, %d can; want some of each", pairs[0], pairs[1])
	}
}

// arriveAsJudged reports whether the judge moves two worms to their places together, and requires the
// same result of the search.
func arriveAsJudged(t *testing.T, r model.Relation, a, b worm) bool {
	t.Helper()
	want := reached(r, len(a.held), len(b.held))[fmt.Sprint([]alone{placeOf(a), placeOf(b)})]
	packets, got := newWormArrivals(r).findPackets([]worm{a, b})
	if got != want {
		t.Errorf("%v and %v: got %t, want %t", a.held, b.held, got, want)
	}
	if got && (!endsWith(packets[0], a.held) || !endsWith(packets[1], b.held)) {
		t.Errorf("paths %v and %v do not end with %v and %v", packets[0].Path, packets[1].Path, a.held, b.held)
	}
	return want
}

// placeOf returns the place of a worm to destination 0 without classes.
func placeOf(w worm) alone {
	place := alone{length: len(w.held)}
	for _, v := range w.held {
		place.states = append(place.states, model.State{VC: v})
	}
	return place
}

// endsWith reports whether the last states of a packet's path lie on the given VCs.
func endsWith(p *cdg.Packet, held []model.VCID) bool {
	last := p.Path[max(0, len(p.Path)-len(held)):]
	return slices.EqualFunc(last, held, func(s model.State, v model.VCID) bool { return s.VC == v })
}
