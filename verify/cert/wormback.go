package cert

import (
	"encoding/binary"
	"slices"
)

// This file judges that worms cannot reach their places together from the empty network.
//
// The model: a worm of k VCs lies on the last k VCs of its path between switches, or on all of them if the path is shorter.
// Its head enters a next VC that no worm holds, itself included; then its tail leaves a VC. How many flits are on
// injection channels does not matter.
//
// The search takes moves back, and tries all of them. A worm whose tail can come directly from injection leaves the
// network, and so does a worm that can move back to such a place while the others stay: the others then
// have more room. A worm with a path shorter than k is not met with, since it can leave.

// mostPlaces bounds the sets of places that one search visits, and the places of one worm.
const mostPlaces = 1 << 20

// areApart reports whether worms, each given by its states from the tail on, cannot come there together. Worms hold
// different VCs. If the search is too long, it returns false.
func (w *wormStates) areApart(worms [][]int32) bool {
	b := &wayBack{wormStates: w, seen: map[string]bool{}, left: mostPlaces}
	return len(worms) > 0 && !b.empties(worms) && b.left > 0
}

// wayBack is a search.
type wayBack struct {
	*wormStates
	seen map[string]bool // sets of places
	left int             // visits that are left
}

// keyOf returns a key for the places of worms.
func keyOf(worms ...[]int32) string {
	var key []byte
	for _, states := range worms {
		key = binary.LittleEndian.AppendUint32(key, uint32(len(states)))
		for _, i := range states {
			key = binary.LittleEndian.AppendUint32(key, uint32(i))
		}
	}
	return string(key)
}

// empties reports whether the worms can all leave, backwards. If no visits are left, it returns true.
func (b *wayBack) empties(worms [][]int32) bool {
	for i := 0; i < len(worms); i++ {
		if rest := without(worms, i); b.canLeave(worms[i], rest) {
			worms, i = rest, -1
		}
	}
	if len(worms) == 0 || b.left <= 0 {
		return true
	}
	key := keyOf(worms...)
	if b.seen[key] {
		return false
	}
	b.seen[key] = true
	b.left--
	for i := range worms {
		rest := without(worms, i)
		for _, back := range b.backFrom(worms[i], b.vcsOf(rest)) {
			moved := slices.Clone(worms)
			moved[i] = back
			if b.empties(moved) {
				return true
			}
		}
	}
	return false
}

// without returns a list without entry i.
func without(worms [][]int32, i int) [][]int32 { return slices.Delete(slices.Clone(worms), i, i+1) }

// vcsOf returns the VCs that worms hold.
func (b *wayBack) vcsOf(worms [][]int32) map[int32]bool {
	held := map[int32]bool{}
	for _, states := range worms {
		for _, i := range states {
			held[b.at[i]] = true
		}
	}
	return held
}

// backFrom returns the places of a worm one move before, while others hold some VCs.
func (b *wayBack) backFrom(states []int32, held map[int32]bool) (places [][]int32) {
	for _, e := range b.into[states[0]] {
		i := b.from[e]
		if held[b.at[i]] || slices.ContainsFunc(states, func(k int32) bool { return b.at[k] == b.at[i] }) {
			continue
		}
		places = append(places, append([]int32{i}, states[:len(states)-1]...))
	}
	return places
}

// canLeave reports whether a worm can move back to injection while the others stay.
func (b *wayBack) canLeave(states []int32, others [][]int32) bool {
	held := b.vcsOf(others)
	seen := map[string]bool{keyOf(states): true}
	for todo := [][]int32{states}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b.starts[at[0]] {
			return true
		}
		for _, back := range b.backFrom(at, held) {
			if key := keyOf(back); !seen[key] {
				seen[key] = true
				todo = append(todo, back)
			}
		}
		if len(seen) > mostPlaces {
			b.left = 0
			return true
		}
	}
	return false
}
