package verify

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file decides whether worms can reach their places together from the empty network, each place given by the
// states that the worm lies on. It does not suffice that each worm can come there alone: L. Schwiebert
// (SPAA 1997) has routings whose cycles never fill.
//
// The search goes backwards. A worm of k VCs moves back by one state: its head leaves the last VC, and its
// tail is on a VC before, which no worm holds. If its tail can come directly from injection, it leaves
// the network at once, because the others then have more room. For the same reason a worm that can leave while the others stay leaves first.
// If no worm can, all steps back are tried.
//
// Promise: with enough visits the search is exhaustive. docs/theorems/no-worms.md has the model of the moves.
// Cost: one visit for each set of places. A worm has up to states × hops^(k-1) places.

// together is the result of a search.
type together uint8

const (
	unknownTogether together = iota
	canMeet
	cannotMeet
)

// maxVisits bounds the sets of places that a search visits, and the places of one worm.
const maxVisits = 100_000

// trail is a state of the path of a worm, and the rest of the path.
type trail struct {
	state int32
	next  *trail
}

// retreat is the search for one set of worms.
type retreat struct {
	*wormGraph
	ctx    context.Context
	length []int    // by worm: VCs that it holds
	at     []*trail // by worm: the path from its tail to its last place; the first length states are its place
	gone   []bool
	holder []int32 // by VC: 1 + the worm that holds it
	failed map[string]bool
	visits int
	over   bool // a limit was reached
}

// meet decides whether worms can reach their places together. If they can, it returns the path of each,
// from the first state between switches on.
func (g *wormGraph) meet(ctx context.Context, bodies [][]int32) (together, [][]int32) {
	r := &retreat{wormGraph: g, ctx: ctx, holder: make([]int32, len(g.on)), failed: map[string]bool{}, gone: make([]bool, len(bodies))}
	for _, b := range bodies {
		var t *trail
		for _, i := range slices.Backward(b) {
			t = &trail{i, t}
		}
		r.length, r.at = append(r.length, len(b)), append(r.at, t)
	}
	for i := range bodies {
		r.hold(i, int32(i)+1)
	}
	switch found := r.search(); {
	case found:
		paths := make([][]int32, len(bodies))
		for i, t := range r.at {
			for ; t != nil; t = t.next {
				paths[i] = append(paths[i], t.state)
			}
		}
		return canMeet, paths
	case r.over:
		return unknownTogether, nil
	}
	return cannotMeet, nil
}

// place calls visit with the states of the place of a worm, from the tail on.
func (r *retreat) place(i int, t *trail, visit func(state int32)) {
	for range r.length[i] {
		visit(t.state)
		t = t.next
	}
}

// hold sets the holder of the VCs of worm i.
func (r *retreat) hold(i int, by int32) {
	r.place(i, r.at[i], func(s int32) { r.holder[r.states[s].VC] = by })
}

// move gives worm i another place. If t is nil, the worm leaves the network.
func (r *retreat) move(i int, t *trail) {
	r.hold(i, 0)
	r.at[i] = t
	r.hold(i, int32(i)+1)
}

// leave removes worm i, whose tail in place t can come from injection.
func (r *retreat) leave(i int, t *trail) {
	r.hold(i, 0)
	r.at[i], r.gone[i] = t, true
}

// count counts a visit, and reports whether the search may go on.
func (r *retreat) count() bool {
	r.visits++
	r.over = r.over || r.visits > maxVisits || r.visits%1024 == 0 && r.ctx.Err() != nil
	return !r.over
}

// key appends the place of a worm to a key.
func (r *retreat) key(key []byte, i int, t *trail) []byte {
	if r.gone[i] {
		return append(key, 0xff, 0xff, 0xff, 0xff)
	}
	r.place(i, t, func(s int32) { key = binary.LittleEndian.AppendUint32(key, uint32(s)) })
	return key
}

// isFree reports whether worm i, at place t, can have come from state s.
func (r *retreat) isFree(i int, t *trail, s int32) bool {
	v := r.states[s].VC
	free := r.holder[v] == 0 || r.holder[v] == int32(i)+1
	r.place(i, t, func(on int32) { free = free && r.states[on].VC != v })
	return free
}

// search reports whether all worms can leave the network.
func (r *retreat) search() bool {
	r.leaveFreely()
	if !slices.Contains(r.gone, false) {
		return true
	}
	var key []byte
	for i, t := range r.at {
		key = r.key(key, i, t)
	}
	if r.failed[string(key)] || !r.count() {
		return false
	}
	r.failed[string(key)] = true // if the search succeeds, the entry is never used
	at, gone := slices.Clone(r.at), slices.Clone(r.gone)
	for i, t := range at {
		if gone[i] {
			continue
		}
		for _, e := range r.edgesInto(t.state) {
			s := r.from[e]
			if !r.isFree(i, t, s) {
				continue
			}
			if r.move(i, &trail{s, t}); r.search() {
				return true
			}
			clear(r.holder)
			copy(r.at, at)
			copy(r.gone, gone)
			for k := range r.at {
				if !r.gone[k] {
					r.hold(k, int32(k)+1)
				}
			}
		}
	}
	return false
}

// leaveFreely removes worms that can leave while the others stay, until none can.
func (r *retreat) leaveFreely() {
	for more := true; more; {
		more = false
		for i := range r.at {
			if r.gone[i] {
				continue
			}
			if t := r.pathBack(i); t != nil {
				r.leave(i, t)
				more = true
			}
		}
	}
}

// pathBack returns a path on which worm i comes from injection while the others stay, or nil.
func (r *retreat) pathBack(i int) *trail {
	list := []*trail{r.at[i]}
	seen := map[string]bool{string(r.key(nil, i, r.at[i])): true}
	for k := 0; k < len(list) && k < maxVisits; k++ {
		t := list[k]
		if r.source[t.state].VC != model.NoVC {
			return t
		}
		for _, e := range r.edgesInto(t.state) {
			s := r.from[e]
			if !r.isFree(i, t, s) {
				continue
			}
			before := &trail{s, t}
			if key := string(r.key(nil, i, before)); !seen[key] {
				seen[key] = true
				list = append(list, before)
			}
		}
	}
	r.over = r.over || len(list) >= maxVisits
	return nil
}
