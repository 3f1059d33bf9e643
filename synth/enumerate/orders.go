package enumerate

import (
	"context"
	"math/bits"

	"github.com/turnproof/turnproof/model/space"
)

// This file lists the maximal free sets of a mesh without a solver, by the shapes that ranks can
// have.
//
// Consider a set of directions. Directions whose opposite is not in the set need no prohibited
// turn: packets move in such a direction and never back. If all directions have their opposite in
// the set, some turn must be prohibited. Then a rank divides the directions into two parts. All
// turns from the first part to the second may be allowed, and none from the second to the first.
// The same holds within each part. Every free set is a subset of one of these sets; those to which
// no turn can be added are the maximal ones. Number of shapes: 2, 28, 776, 31,120, ... for 1, 2,
// 3, 4 dimensions.

// ByOrders returns the maximal free sets of a mesh, in the order of Set.Less.
func (e *Enumerator) ByOrders(ctx context.Context) ([]space.Set, error) {
	o := &orders{Enumerator: e, between: make([][]int, len(e.Space.Directions)), made: map[uint][]space.Set{}}
	for in := range o.between {
		o.between[in] = make([]int, len(e.Space.Directions))
		for out := range o.between[in] {
			o.between[in][out] = -1
		}
	}
	for t, turn := range e.Space.Turns {
		o.between[turn.In][turn.Out] = t
	}
	var found []space.Set
	for _, set := range o.shapes(ctx, 1<<len(e.Space.Directions)-1) {
		if e.Maximal(set) {
			found = append(found, set)
		}
	}
	sortSets(found)
	return found, ctx.Err()
}

// Maximal reports whether no turn can be added to a free set.
func (e *Enumerator) Maximal(set space.Set) bool {
	for t := range e.Space.Turns {
		if !set.Has(t) && e.Free(set.With(t)) {
			return false
		}
	}
	return true
}

type orders struct {
	*Enumerator
	between [][]int              // by two directions: the turn between them
	made    map[uint][]space.Set // by directions: the result of shapes
}

// shapes returns the sets of turns that can be allowed among some directions. Each set appears
// once, and subsets of others are left out.
func (o *orders) shapes(ctx context.Context, among uint) []space.Set {
	paired := among & (among<<1&0xaaaa | among>>1&0x5555) // directions 2i and 2i+1 are opposite
	if made, ok := o.made[among]; ok || ctx.Err() != nil {
		return made
	}
	var list []space.Set
	if paired != among {
		rest := o.all(among, among).Minus(o.all(paired, paired))
		for _, set := range o.shapes(ctx, paired) {
			list = append(list, rest.Or(set))
		}
		if paired == 0 {
			list = []space.Set{rest}
		}
		o.made[among] = list
		return list
	}
	if among == 0 {
		return []space.Set{{}}
	}
	seen := map[space.Set]bool{}
	for first := (among - 1) & among; first != 0; first = (first - 1) & among {
		second := among &^ first
		across := o.all(first, second)
		for _, a := range o.shapes(ctx, first) {
			for _, b := range o.shapes(ctx, second) {
				if set := across.Or(a).Or(b); !seen[set] && o.largest(set, among) {
					seen[set] = true
					list = append(list, set)
				}
			}
		}
	}
	o.made[among] = list
	return list
}

// largest reports whether no turn among some directions can be added to a free set.
func (o *orders) largest(set space.Set, among uint) bool {
	for _, t := range o.all(among, among).Minus(set).List() {
		if o.Free(set.With(t)) {
			return false
		}
	}
	return true
}

// all returns the turns from some directions to others.
func (o *orders) all(from, to uint) (set space.Set) {
	for ; from != 0; from &= from - 1 {
		for k := to; k != 0; k &= k - 1 {
			if t := o.between[bits.TrailingZeros(from)][bits.TrailingZeros(k)]; t >= 0 {
				set = set.With(t)
			}
		}
	}
	return set
}
