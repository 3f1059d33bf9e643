package family

import (
	"math/bits"

	"github.com/turnproof/turnproof/model/space"
)

// This file answers the question of Decide fast, without evidence: places are bits of
// a word, and a component is found by spreading forwards and backwards from a place.
//
// It is for spaces of up to 64 places in which a component has one functional for all
// its places, from a list: places that it raises are taken away; a component without
// stays.

// Fast decides whether sets are acyclic. It may be used concurrently if it is Shared.
type Fast struct {
	slow  *Decider
	rows  []row          // by place, if turns are single steps that lie in rows of the set
	steps [][]space.Step // by turn
	next  []uint64       // by place, of straight steps
	// By functional: places whose moves never lower it, and those whose moves raise it.
	keeps, raises []uint64
}

// NewFast prepares.
func NewFast(d *Decider) *Fast {
	f := &Fast{slow: d}
	s := d.space
	if len(s.Places) > 64 || d.tame != nil {
		return f
	}
	f.next = make([]uint64, len(s.Places))
	for _, e := range s.Straight {
		f.next[e.From] |= 1 << e.To
	}
	for _, t := range s.Turns {
		f.steps = append(f.steps, t.Steps)
	}
	for _, form := range d.forms {
		var keeps, raises uint64
		for p := range d.moves {
			if form.keeps[p] {
				keeps |= 1 << p
			}
			if form.raises[p] {
				raises |= 1 << p
			}
		}
		if raises != 0 {
			f.keeps, f.raises = append(f.keeps, keeps), append(f.raises, raises)
		}
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
	for i, raised := range f.raises {
		if c&raised != 0 && c&^f.keeps[i] == 0 {
			rest &^= raised
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
