package agree

import (
	"context"
	"math/bits"
	"slices"
)

// This file decides the same question as forward (wormstates.go) from the other end: it lists
// the sets of worms that are deadlocks, and takes each back, worm by worm, to the empty network.
//
// Why that is exhaustive. First, a worm that is not part of the deadlock can be taken out of a
// run: VCs are free more often then, and the same moves are possible. So a deadlock is reached
// if and only if it is reached by its own worms alone, none of which leaves. Second, a set of
// worms each of which waits only for VCs of the set is contained in every reached deadlock that
// it is part of, and is reached without the rest. So sets that are closed in this sense are
// enough, each grown from one worm by a holder of a VC that is waited for. Third, if one worm can
// go back to its source while the others stay, that may be done first: the others have more
// free VCs without it.

// backward visits closed sets of worms and the states on their way back, up to a limit.
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
	failed  map[string]bool // states that do not come from the empty network
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

// grow adds worms until all VCs that are waited for are held; it reports whether such a set is
// reached.
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

// holders returns the worms that can hold a VC which the state waits for and no worm of it
// holds: the VC for which they are fewest. If there is no such VC the state is closed.
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
	b.failed[key] = true // unless it is found out otherwise, in which case the search is over
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

// withdraw takes worms away that can go back to their sources while all others stay.
func (b *backSearch) withdraw(state []uint16) []uint16 {
	for i := 0; i < len(state); i++ {
		rest := slices.Delete(slices.Clone(state), i, i+1)
		if b.comesFrom(int(state[i]), b.held(rest)) {
			state, i = rest, -1
		}
	}
	return state
}

// comesFrom reports whether a worm gets to shape k from its source while others hold VCs.
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
