package space

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file is sets of class turns.

// MaxTurns bounds the class turns of a space.
const MaxTurns = 192

// Set is a set of class turns of one space, one bit for each, in the order of
// Space.Turns. It can be compared.
type Set [MaxTurns / 64]uint64

// Has reports whether turn t is in the set.
func (s Set) Has(t int) bool { return s[t/64]>>(t%64)&1 == 1 }

// With returns the set with turn t.
func (s Set) With(t int) Set { s[t/64] |= 1 << (t % 64); return s }

// Without returns the set without turn t.
func (s Set) Without(t int) Set { s[t/64] &^= 1 << (t % 64); return s }

// Or returns the union of two sets.
func (s Set) Or(t Set) Set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

// Minus returns the set without those of t.
func (s Set) Minus(t Set) Set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

// Within reports whether all of the set are in t.
func (s Set) Within(t Set) bool {
	for i := range s {
		if s[i]&^t[i] != 0 {
			return false
		}
	}
	return true
}

// Len returns the number of turns.
func (s Set) Len() (k int) {
	for _, w := range s {
		k += bits.OnesCount64(w)
	}
	return k
}

// List returns the turns, ascending.
func (s Set) List() (list []int) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			list = append(list, 64*i+bits.TrailingZeros64(w))
		}
	}
	return list
}

// Map returns the set with each turn t replaced by to[t].
func (s Set) Map(to []int) (image Set) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			image = image.With(to[64*i+bits.TrailingZeros64(w)])
		}
	}
	return image
}

// Less orders sets: as numbers, turn 0 the lowest bit.
func (s Set) Less(t Set) bool {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != t[i] {
			return s[i] < t[i]
		}
	}
	return false
}

// All returns all class turns of the space.
func (s *Space) All() (all Set) {
	for t := range s.Turns {
		all = all.With(t)
	}
	return all
}

// Names returns the turns of a set in text.
func (s *Space) Names(set Set) []string {
	names := []string{}
	for _, t := range set.List() {
		names = append(names, s.Turns[t].Name)
	}
	return names
}

// ParseSet reads turns in text, parted by commas or blanks.
func (s *Space) ParseSet(text string) (set Set, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		t := s.turn(word)
		if t < 0 {
			var names []string
			for _, known := range s.Turns {
				names = append(names, known.Name)
			}
			return Set{}, fmt.Errorf("space %s: no class turn %q%s, it has %s", s.Name, word, spelling.Suggest(word, names), few(names))
		}
		set = set.With(t)
	}
	return set, nil
}

// turn returns the number of a turn in text, -1 if there is none.
func (s *Space) turn(name string) int {
	for t := range s.Turns {
		if s.Turns[t].Name == name {
			return t
		}
	}
	return -1
}

// few joins at most twelve names.
func few(names []string) string {
	if len(names) > 12 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:12], ", "), len(names)-12)
	}
	return strings.Join(names, ", ")
}
