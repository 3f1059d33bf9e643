package agree

import "slices"

// This file defines the states of a small network: the worms in it and their places (wormshapes.go).
// A state is a deadlock if some of its worms can never move.

// wormSearch is the result of a search.
type wormSearch struct {
	reached  bool     // a deadlock is reached from the empty network
	complete bool     // a deadlock is reached, or no state is left
	states   int      // number of visited states
	deadlock []uint16 // shapes of the worms that can never move
}

// keyOfState sorts the worms of a state and returns a key for it.
func keyOfState(state []uint16) string {
	slices.Sort(state)
	key := make([]byte, 0, 2*len(state))
	for _, k := range state {
		key = append(key, byte(k), byte(k>>8))
	}
	return string(key)
}

// held returns the VCs on which worms lie.
func (s *shapes) held(state []uint16) (mask uint64) {
	for _, k := range state {
		mask |= s.list[k].mask
	}
	return mask
}

// replace returns a state with another shape in place i.
func replace(state []uint16, i, shape int) []uint16 {
	next := slices.Clone(state)
	next[i] = uint16(shape)
	return next
}
