package agree

import (
	"context"
	"slices"
)

// This file visits all states of a small network under wormhole switching: which worms are in
// it, and where (wormshapes.go). A state is a deadlock if some of its worms can never move.

// wormSearch is what a search has found.
type wormSearch struct {
	reached  bool     // a deadlock is reached from the empty network
	complete bool     // reached, or no state is left to visit
	states   int      // visited
	deadlock []uint16 // shapes of the worms that can never move
}

// forward visits the states that any moves lead to from the empty network, up to a limit.
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

// keyOfState sorts the worms of a state and returns its name.
func keyOfState(state []uint16) string {
	slices.Sort(state)
	key := make([]byte, 0, 2*len(state))
	for _, k := range state {
		key = append(key, byte(k), byte(k>>8))
	}
	return string(key)
}

// held returns the VCs that worms lie on.
func (s *shapes) held(state []uint16) (mask uint64) {
	for _, k := range state {
		mask |= s.list[k].mask
	}
	return mask
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

// replace returns a state with another shape in place i.
func replace(state []uint16, i, shape int) []uint16 {
	next := slices.Clone(state)
	next[i] = uint16(shape)
	return next
}
