package seams

import (
	"math/rand/v2"
	"slices"
)

// drawer makes the random choices of a line. It has a focus: features that are likely in this line, so that each two of them meet
// often.
type drawer struct {
	*rand.Rand
	focus []string
}

// focusable are the features of which a focus has some.
var focusable = []string{"flows", "classes", "gate", "flow", "sizes", "one flit", "buffer", "atomic", "pauses", "wormhole", "table", "escape"}

// newDrawer returns the drawer of line number k of a seed.
func newDrawer(seed, k uint64) drawer {
	r := drawer{Rand: rand.New(rand.NewPCG(seed, k))}
	for range r.between(1, 4) {
		r.focus = append(r.focus, pick(r, focusable...))
	}
	return r
}

// may returns true with a probability in per cent, or nearly always if the focus has the feature.
func (r drawer) may(feature string, percent int) bool {
	if slices.Contains(r.focus, feature) {
		percent = max(percent, 85)
	}
	return r.chance(percent)
}

// chance returns true with a probability in per cent.
func (r drawer) chance(percent int) bool { return r.IntN(100) < percent }

// between returns a number from a to b.
func (r drawer) between(a, b int) int { return a + r.IntN(b-a+1) }

func pick[T any](r drawer, list ...T) T { return list[r.IntN(len(list))] }

// weighted is an alternative with its weight.
type weighted[T any] struct {
	weight int
	value  T
}

// choose draws one of several alternatives.
func choose[T any](r drawer, list []weighted[T]) T {
	total := 0
	for _, x := range list {
		total += x.weight
	}
	at := r.IntN(total)
	for _, x := range list {
		if at -= x.weight; at < 0 {
			return x.value
		}
	}
	panic("seams: weights")
}
