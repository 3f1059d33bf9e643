package family

import (
	"math/bits"

	"github.com/turnproof/turnproof/model/space"
)

// This file decides as Decide does, but faster and without evidence. Places are bits of a
// word. A component is found by forward and backward search from a place.
//
// It supports spaces of up to 64 places in which one functional of a list serves a whole
// component. Places whose moves increase the functional are removed; a component without a
// functional has a cycle.

// Fast decides whether sets are acyclic. It is safe for concurrent use if Shared returns true.
type Fast struct {
	slow  *Decider
	rows  []row          // by place, if all turns are single steps in order; else nil
	steps [][]space.Step // by turn
	next  []uint64       // by place: targets of straight steps
	// By functional: places whose moves never decrease it, and places whose moves increase it.
	keeps, raises []uint64
}

// NewFast returns a Fast for the space of d.
func NewFast(d *Decider) *Fast {
	f := &Fast{slow: d}
	s := d.space
	if len(s.Places) > 64 || d.canonical != nil {
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

// Acyclic reports whether no network of the family has a cycle of allowed turns. It returns
// false for undecided sets.
func (f *Fast) Acyclic(set space.Set) bool {
	if f.next == nil {
		v, err := f.slow.Decide(set)
		return err == nil && v.Acyclic
	}
	if f.rows != nil {
		return f.isAcyclicByRows(set)
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
	return f.isAcyclic(&next, &before, 1<<len(f.next)-1)
}

// isAcyclic reports whether no component among the places in left has a cycle.
func (f *Fast) isAcyclic(next, before *[64]uint64, left uint64) bool {
	for left != 0 {
		start := left & -left
		c := reachable(next, start, left) & reachable(before, start, left)
		left &^= c
		rest := f.without(c)
		switch {
		case rest != c:
			if !f.isAcyclic(next, before, rest) {
				return false
			}
		case next[bits.TrailingZeros64(start)]&c != 0:
			return false
		}
	}
	return true
}

// without returns c without the places that functionals increase.
func (f *Fast) without(c uint64) uint64 {
	rest := c
	for i, raised := range f.raises {
		if c&raised != 0 && c&^f.keeps[i] == 0 {
			rest &^= raised
		}
	}
	return rest
}

// reachable returns the places within the given ones that steps lead to from start.
func reachable(next *[64]uint64, start, within uint64) uint64 {
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

// Shared reports whether Acyclic is safe for concurrent use.
func (f *Fast) Shared() bool { return f.next != nil }
