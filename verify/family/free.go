package family

import (
	"math/bits"

	"turnproof/model/space"
)

// This file answers the question of Decide fast, without evidence: places are bits of
// a word, and a component is found by spreading forwards and backwards from a place.
//
// It is for spaces of up to 64 places in which functionals go along coordinates: then
// a component without one stays, and its places are taken away otherwise.

// Fast decides whether sets are acyclic. It may be used concurrently if it is Shared.
type Fast struct {
	slow  *Decider
	rows  []row          // by place, if turns are single steps that lie in rows of the set
	steps [][]space.Step // by turn
	next  []uint64       // by place, of straight steps
	up    []uint64       // by coordinate: places whose moves never lower it
	down  []uint64
	moves []uint64 // by coordinate: places whose moves change it for certain
}

// NewFast prepares.
func NewFast(d *Decider) *Fast {
	f := &Fast{slow: d}
	s := d.space
	if len(s.Places) > 64 || d.tame != nil || s.Kind == space.Given {
		return f
	}
	f.next = make([]uint64, len(s.Places))
	for _, e := range s.Straight {
		f.next[e.From] |= 1 << e.To
	}
	for _, t := range s.Turns {
		f.steps = append(f.steps, t.Steps)
	}
	for i := range s.Coords {
		var up, down, moves uint64
		for p := range d.moves {
			a := d.moves[p].sign[i]
			if a.up {
				up |= 1 << p
			}
			if a.down {
				down |= 1 << p
			}
			if a.change {
				moves |= 1 << p
			}
		}
		f.up, f.down, f.moves = append(f.up, up), append(f.down, down), append(f.moves, moves)
	}
	f.rows = rowsOf(s)
	return f
}

// Acyclic reports whether no network of the family has a cycle of what set allows. It
// reports false for sets that are undecided.
func (f *Fast) Acyclic(set space.Set) bool {
	if f.next == nil {
		v, err := f.slow.Decide(set)
		return err == nil && v.Acyclic
	}
	if f.rows != nil {
		return f.emptyRows(set)
	}
	var next, before [64]uint64
	copy(next[:], f.next)
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			for _, e := range f.steps[64*i+bits.TrailingZeros64(w)] {
				next[e.From] |= 1 << e.To
			}
		}
	}
	for p := range f.next {
		for m := next[p]; m != 0; m &= m - 1 {
			before[bits.TrailingZeros64(m)] |= 1 << p
		}
	}
	return f.empty(&next, &before, 1<<len(f.next)-1)
}

// empty reports whether no component among the places stays.
func (f *Fast) empty(next, before *[64]uint64, left uint64) bool {
	for left != 0 {
		start := left & -left
		c := spread(next, start, left) & spread(before, start, left)
		left &^= c
		rest := f.without(c)
		switch {
		case rest != c:
			if !f.empty(next, before, rest) {
				return false
			}
		case next[bits.TrailingZeros64(start)]&c != 0:
			return false
		}
	}
	return true
}

// without takes away the places of a component that functionals raise.
func (f *Fast) without(c uint64) uint64 {
	rest := c
	for i := range f.moves {
		if m := c & f.moves[i]; m != 0 && (c&^f.up[i] == 0 || c&^f.down[i] == 0) {
			rest &^= m
		}
	}
	return rest
}

// spread returns the places that steps lead to from start, within some.
func spread(next *[64]uint64, start, within uint64) uint64 {
	found, fresh := start, start
	for fresh != 0 {
		p := bits.TrailingZeros64(fresh)
		fresh &= fresh - 1
		more := next[p] & within &^ found
		found |= more
		fresh |= more
	}
	return found
}

// Shared reports whether Acyclic may be called concurrently.
func (f *Fast) Shared() bool { return f.next != nil }
