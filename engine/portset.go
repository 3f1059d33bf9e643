package engine

import (
	"math/bits"
	"slices"
)

// portSet is a set of ports, or of switches. Adding a port twice needs no test, and ports are visited in the order
// of their records in memory.
type portSet struct {
	words []uint64 // a bit for each port
	some  []uint64 // a bit for each word that may not be 0
}

func newPortSet(ports int) portSet {
	words := (ports + 63) / 64
	return portSet{make([]uint64, words), make([]uint64, (words+63)/64)}
}

func (b *portSet) clone() portSet { return portSet{slices.Clone(b.words), slices.Clone(b.some)} }

func (b *portSet) add(o int32) {
	b.words[o>>6] |= 1 << (o & 63)
	b.some[o>>12] |= 1 << (o >> 6 & 63)
}

func (b *portSet) remove(o int32) { b.words[o>>6] &^= 1 << (o & 63) }

// each calls f for the ports of the set and removes those for which f returns false.
func (b *portSet) each(f func(o int32) bool) {
	for i, some := range b.some {
		for ; some != 0; some &= some - 1 {
			w := i<<6 + bits.TrailingZeros64(some)
			for m := b.words[w]; m != 0; m &= m - 1 {
				if o := int32(w<<6 + bits.TrailingZeros64(m)); !f(o) {
					b.remove(o)
				}
			}
			if b.words[w] == 0 {
				b.some[i] &^= 1 << (w & 63)
			}
		}
	}
}

// isEmpty reports whether the set has no ports. A visit of the ports after the last one was
// removed makes it true.
func (b *portSet) isEmpty() bool {
	for _, some := range b.some {
		if some != 0 {
			return false
		}
	}
	return true
}

// after returns the cyclic distance from pointer to index p among the given number of places.
func after(p, pointer, places int16) int16 {
	if p -= pointer; p < 0 {
		p += places
	}
	return p
}

// next returns the index after p, cyclically.
func next(p, places int16) int16 {
	if p++; p == places {
		return 0
	}
	return p
}
