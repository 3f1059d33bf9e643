package agree

import (
	"context"
	"math/bits"
	"slices"
)

// This file searches from deadlocks back to the empty network: it lists the sets of worms that are
// deadlocks, and moves the worms of each back, step by step.
//
// The search is exhaustive for three reasons. First, a worm that is not part of the deadlock can be
// removed from a run: then more VCs are free, and the same moves are possible. So a deadlock is reached
// if and only if its own worms alone reach it. Second, call a set of worms closed if each waits only for
// VCs that worms of the set hold. A closed subset of a reached deadlock is reached without the other
// worms. So closed sets are enough; each grows from one worm by adding a holder of a VC that a worm waits
// for. Third, if a worm can go back to its source while the others stay, it may go first: the others then
// have more free VCs.

// backward visits closed sets of worms and the states on the path back, up to a limit.
func (s *shapes) backward(ctx context.Context, limit int) wormSearch {
	if s.full {
		return wormSearch{}
	}
	b := &backSearch{shapes: s, ctx: ctx, limit: limit, failed: map[string]bool{}, tried: map[string]bool{}}
	for k := range s.list {
		if s.list[k].final && (b.grow([]uint16{uint16(k)}) || b.stopped) {
			break
		}
	}
	b.found.complete = !b.stopped
	return b.found
}

// backSearch is the work of backward.
type backSearch struct {
	*shapes
	ctx     context.Context
	limit   int
	failed  map[string]bool // states that the empty network does not reach
	tried   map[string]bool // parts of deadlocks that have been grown
	found   wormSearch
	stopped bool
}

// count counts a visit, and reports whether the search must stop.
func (b *backSearch) count() bool {
	b.found.states++
	b.stopped = b.stopped || b.found.states > b.limit || b.found.states%1000 == 0 && b.ctx.Err() != nil
	return b.stopped
}

// grow adds worms until all VCs that worms wait for are held. It reports whether such a set is reached.
func (b *backSearch) grow(state []uint16) bool {
	key := keyOfState(state)
	if b.tried[key] || b.count() {
		return false
	}
	b.tried[key] = true
	holders, closed := b.holders(state)
	if closed {
		if b.empties(slices.Clone(state)) {
			b.found.reached, b.found.deadlock = true, state
		}
		return b.found.reached
	}
	return slices.ContainsFunc(holders, func(k uint16) bool { return b.grow(append(slices.Clone(state), k)) })
}

// holders returns the worms that can hold a VC that worms of the state wait for and none of them holds.
// It chooses the VC with the fewest such worms. If there is no such VC, the state is closed.
func (b *backSearch) holders(state []uint16) (fewest []uint16, closed bool) {
	held, waits := b.held(state), uint64(0)
	for _, k := range state {
		waits |= b.list[k].waits
	}
	if waits &^= held; waits == 0 {
		return nil, true
	}
	by := make([][]uint16, mostVCs)
	for k := range b.list {
		if x := &b.list[k]; x.final && x.mask&held == 0 {
			for m := x.mask & waits; m != 0; m &= m - 1 {
				v := bits.TrailingZeros64(m)
				by[v] = append(by[v], uint16(k))
			}
		}
	}
	for m := waits; m != 0; m &= m - 1 {
		if list := by[bits.TrailingZeros64(m)]; m == waits || len(list) < len(fewest) {
			fewest = list
		}
	}
	return fewest, false
}

// empties reports whether the worms of a state can all go back to their sources.
func (b *backSearch) empties(state []uint16) bool {
	state = b.withdraw(state)
	if len(state) == 0 {
		return true
	}
	key := keyOfState(state)
	if b.failed[key] || b.count() {
		return false
	}
	b.failed[key] = true // if it does not fail, the search ends
	for i, k := range state {
		others := b.held(slices.Delete(slices.Clone(state), i, i+1))
		for _, p := range b.list[k].before {
			if b.list[p].mask&others == 0 && b.empties(replace(state, i, p)) {
				return true
			}
		}
	}
	return false
}

// withdraw removes worms that can go back to their sources while all others stay.
func (b *backSearch) withdraw(state []uint16) []uint16 {
	for i := 0; i < len(state); i++ {
		rest := slices.Delete(slices.Clone(state), i, i+1)
		if b.comesFrom(int(state[i]), b.held(rest)) {
			state, i = rest, -1
		}
	}
	return state
}

// comesFrom reports whether a worm can get from its source to shape k while others hold some VCs.
func (b *backSearch) comesFrom(k int, held uint64) bool {
	seen := map[int]bool{k: true}
	for list := []int{k}; len(list) > 0; {
		x := &b.list[list[len(list)-1]]
		list = list[:len(list)-1]
		if x.born != 0 && x.born&held == 0 {
			return true
		}
		for _, p := range x.before {
			if b.list[p].mask&held == 0 && !seen[p] {
				seen[p] = true
				list = append(list, p)
			}
		}
	}
	return false
}
