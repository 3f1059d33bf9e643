package space

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
)

// MaxTurns is the maximum number of class turns of a space.
const MaxTurns = 192

// Set is a set of class turns of one space, one bit per turn in the order of Space.Turns. Sets
// are comparable with ==.
type Set [MaxTurns / 64]uint64

// Has reports whether turn t is in the set.
func (s Set) Has(t int) bool { return s[t/64]>>(t%64)&1 == 1 }

// With returns the set plus turn t.
func (s Set) With(t int) Set { s[t/64] |= 1 << (t % 64); return s }

// Without returns the set minus turn t.
func (s Set) Without(t int) Set { s[t/64] &^= 1 << (t % 64); return s }

// Or returns the union of two sets.
func (s Set) Or(t Set) Set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

// Minus returns the turns of s that are not in t.
func (s Set) Minus(t Set) Set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

// Within reports whether s is a subset of t.
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

// List returns the indices of the turns, ascending.
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

// Less compares sets as binary numbers with turn 0 as lowest bit.
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

// Names returns the names of the turns of a set.
func (s *Space) Names(set Set) []string {
	names := []string{}
	for _, t := range set.List() {
		names = append(names, s.Turns[t].Name)
	}
	return names
}

// ParseSet parses names of turns, separated by commas or spaces.
func (s *Space) ParseSet(text string) (set Set, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		t := s.turn(word)
		if t < 0 {
			var names []string
			for _, known := range s.Turns {
				names = append(names, known.Name)
			}
			return Set{}, fmt.Errorf("space %s: no class turn %q%s; want one of %s", s.Name, word, spelling.Suggest(word, names), few(names))
		}
		set = set.With(t)
	}
	return set, nil
}

// turn returns the index of the turn with the given name, or -1.
func (s *Space) turn(name string) int {
	for t := range s.Turns {
		if s.Turns[t].Name == name {
			return t
		}
	}
	return -1
}

// few joins at most twelve names with commas.
func few(names []string) string {
	if len(names) > 12 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:12], ", "), len(names)-12)
	}
	return strings.Join(names, ", ")
}
