package reach

import (
	"context"
	"encoding/binary"
	"slices"
)

// This file decides whether packets can reach their places together from the empty network. It does not suffice
// that each packet can come there alone: L. Schwiebert (SPAA 1997) has routings whose cycles never fill.
//
// The search goes backwards. A packet of k VCs moves back by one state: its head leaves the last VC, and its
// tail is on a VC before, which no packet holds. If its tail can come directly from injection, it leaves
// the network at once, because the others then have more room. For the same reason a packet that can leave while the others stay leaves first.
// If no packet can, all steps back are tried.
//
// Promise: with enough visits the search is exhaustive. docs/theorems/no-worms.md has the model of the moves.
// Cost: one visit for each set of places. A packet has up to states × hops^(k-1) places.

// Answer is the answer of a search.
type Answer uint8

// The answers. Open means that a limit was reached.
const (
	Open Answer = iota
	Yes
	No
)

// MaxVisits is a usual bound for the sets of places that a search visits, and for the places of one packet.
const MaxVisits = 100_000

// Result is the result of a search.
type Result struct {
	Answer Answer
	Paths  [][]int32 // by packet: the states of its path, the first one after injection first; if Yes
	Moves  []int32   // the packets in the order of their moves; each has as many moves as its path has states
}

// trail is a state of the path of a packet, and the rest of the path.
type trail struct {
	state int32
	next  *trail
}

// retreat is the search for one set of packets.
type retreat struct {
	*Model
	ctx    context.Context
	most   int      // bound for visits
	length []int    // by packet: VCs that it holds
	at     []*trail // by packet: the path from its tail to its last place; the first length states are its place
	gone   []bool
	holder []int32 // by VC: 1 + the packet that holds it
	failed map[string]bool
	back   []int32 // moves that are taken back, the last one first
	visits int
	over   bool // a limit was reached
}

// Search decides whether packets can reach their places together. Each place is a path of different VCs, and no two
// places share a VC. It visits at most most sets of places.
func Search(ctx context.Context, m *Model, places [][]int32, most int) Result {
	r := &retreat{Model: m, ctx: ctx, most: most, holder: make([]int32, m.VCs), failed: map[string]bool{}, gone: make([]bool, len(places))}
	for _, b := range places {
		var t *trail
		for _, i := range slices.Backward(b) {
			t = &trail{i, t}
		}
		r.length, r.at = append(r.length, len(b)), append(r.at, t)
	}
	for i := range places {
		r.hold(i, int32(i)+1)
	}
	switch found := r.search(); {
	case found:
		return r.result()
	case r.over:
		return Result{}
	}
	return Result{Answer: No}
}

// result returns the paths and the moves of a search that has succeeded.
func (r *retreat) result() Result {
	paths := make([][]int32, len(r.at))
	for i, t := range r.at {
		for ; t != nil; t = t.next {
			paths[i] = append(paths[i], t.state)
		}
	}
	slices.Reverse(r.back)
	return Result{Yes, paths, r.back}
}

// place calls visit with the states of the place of a packet, from the tail on.
func (r *retreat) place(i int, t *trail, visit func(state int32)) {
	for range r.length[i] {
		visit(t.state)
		t = t.next
	}
}

// hold sets the holder of the VCs of packet i.
func (r *retreat) hold(i int, by int32) {
	r.place(i, r.at[i], func(s int32) { r.holder[r.VC[s]] = by })
}

// move moves packet i back by one state, to place t.
func (r *retreat) move(i int, t *trail) {
	r.hold(i, 0)
	r.at[i] = t
	r.hold(i, int32(i)+1)
	r.back = append(r.back, int32(i))
}

// leave removes packet i, whose tail in place t can come from injection. It goes back to t by some moves.
func (r *retreat) leave(i int, t *trail, moves int) {
	r.hold(i, 0)
	r.at[i], r.gone[i] = t, true
	for range moves + r.length[i] {
		r.back = append(r.back, int32(i))
	}
}

// count counts a visit, and reports whether the search may go on.
func (r *retreat) count() bool {
	r.visits++
	r.over = r.over || r.visits > r.most || r.visits%1024 == 0 && r.ctx.Err() != nil
	return !r.over
}

// key appends the place of a packet to a key.
func (r *retreat) key(key []byte, i int, t *trail) []byte {
	if r.gone[i] {
		return append(key, 0xff, 0xff, 0xff, 0xff)
	}
	r.place(i, t, func(s int32) { key = binary.LittleEndian.AppendUint32(key, uint32(s)) })
	return key
}

// isFree reports whether packet i, at place t, can have come from state s.
func (r *retreat) isFree(i int, t *trail, s int32) bool {
	return r.isOpen(i, t, r.VC[s]) && r.isClear(i, t)
}

// isOpen reports whether no packet holds VC v if packet i is at place t.
func (r *retreat) isOpen(i int, t *trail, v int32) bool {
	free := r.holder[v] == 0 || r.holder[v] == int32(i)+1
	r.place(i, t, func(on int32) { free = free && r.VC[on] != v })
	return free
}

// isClear reports whether the copies made of packet i on its last hop to place t could pass.
func (r *retreat) isClear(i int, t *trail) bool {
	return r.Clear == nil || !slices.ContainsFunc(r.Clear[t.state], func(v int32) bool { return !r.isOpen(i, t, v) })
}

// search reports whether all packets can leave the network.
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
	at, gone, moves := slices.Clone(r.at), slices.Clone(r.gone), len(r.back)
	for i, t := range at {
		if gone[i] {
			continue
		}
		for _, s := range r.before(t.state) {
			if !r.isFree(i, t, s) {
				continue
			}
			if r.move(i, &trail{s, t}); r.search() {
				return true
			}
			clear(r.holder)
			copy(r.at, at)
			copy(r.gone, gone)
			r.back = r.back[:moves]
			for k := range r.at {
				if !r.gone[k] {
					r.hold(k, int32(k)+1)
				}
			}
		}
	}
	return false
}

// leaveFreely removes packets that can leave while the others stay, until none can.
func (r *retreat) leaveFreely() {
	for more := true; more; {
		more = false
		for i := range r.at {
			if r.gone[i] {
				continue
			}
			if t, moves := r.pathBack(i); t != nil {
				r.leave(i, t, moves)
				more = true
			}
		}
	}
}

// pathBack returns a path on which packet i comes from injection while the others stay, and how many moves are taken
// back along it, or nil.
func (r *retreat) pathBack(i int) (*trail, int) {
	list, moves := []*trail{r.at[i]}, []int{0}
	seen := map[string]bool{string(r.key(nil, i, r.at[i])): true}
	for k := 0; k < len(list) && k < r.most; k++ {
		t := list[k]
		if r.Enters[t.state] && r.isClear(i, t) {
			return t, moves[k]
		}
		for _, s := range r.before(t.state) {
			if !r.isFree(i, t, s) {
				continue
			}
			before := &trail{s, t}
			if key := string(r.key(nil, i, before)); !seen[key] {
				seen[key] = true
				list, moves = append(list, before), append(moves, moves[k]+1)
			}
		}
	}
	r.over = r.over || len(list) >= r.most
	return nil, 0
}
