package enumerate

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/turnproof/turnproof/model/space"
)

// This file counts all free sets, and those that are also connected, from the conflicts.
//
// A free set contains no conflict. A free set that is not connected contains none of the smallest sets that are not free, or
// connected: this property is monotone, too. So both counts are counts of sets that contain none of given sets.
// The numbers of classes follow from counts of sets that a symmetry leaves invariant; these consist of orbits of turns.

// mostAll is the largest number of turns of a space whose free sets are counted.
const mostAll = 40

// countAll counts the free sets of a space of at most mostAll turns.
func (e *Enumerator) countAll(ctx context.Context) (*Counts, error) {
	if n := len(e.Space.Turns); n > mostAll {
		best := "--choices maximal lists the largest"
		if e.con.Decides() {
			best = "--choices fewest lists those that prohibit the fewest turns"
		}
		return nil, fmt.Errorf("enumerate: 2^%d sets of %s are too many to count; %s", n, e.Space.Name, best)
	}
	b, err := e.Border(ctx, 0)
	if err != nil {
		return nil, err
	}
	list := e.invariants()
	free := make([]*big.Int, len(list))
	for k, inv := range list {
		if free[k], err = e.countLacking(ctx, b.Conflicts, inv.to); err != nil {
			return nil, err
		}
	}
	connected := new(big.Int)
	if e.con.Decides() {
		apart := e.apart(b.Conflicts)
		apart.find(ctx)
		k, err := e.countLacking(ctx, apart.least, nil)
		if err != nil {
			return nil, err
		}
		connected.Sub(free[0], k)
	}
	classes, reversal, err := e.classes(list, free)
	if err != nil {
		return nil, err
	}
	return &Counts{Tally{free[0], connected}, classes, reversal}, nil
}

// apart returns the border between the sets that are free and not connected and the others, with the conflicts that belong
// to it.
func (e *Enumerator) apart(conflicts []space.Set) *border {
	b := e.border(func(set space.Set) bool { return !e.Free(set) || e.Connected(set) })
	for _, set := range conflicts {
		if b.shrink(set, false) == set {
			b.least = append(b.least, set)
		}
	}
	return b
}

// countLacking returns the number of sets that contain none of the given sets and that a permutation of the turns leaves
// invariant. If to is nil, it is the identity.
func (e *Enumerator) countLacking(ctx context.Context, sets []space.Set, to []int) (*big.Int, error) {
	list := orbits(len(e.Space.Turns), to)
	slices.SortFunc(list, e.compare)
	number := make([]int, len(e.Space.Turns)) // by turn: its orbit
	for k, orbit := range list {
		for _, t := range orbit {
			number[t] = k
		}
	}
	var lists [][]int
	for _, set := range sets {
		var of []int
		for _, t := range set.List() {
			of = append(of, number[t])
		}
		slices.Sort(of)
		lists = append(lists, slices.Compact(of))
	}
	slices.SortFunc(lists, slices.Compare)
	d := newDiagram(len(list))
	if e.Progress != nil {
		d.tell = func(nodes int) { e.Progress("nodes of a decision diagram", nodes) }
	}
	f, err := d.lacksAll(ctx, slices.CompactFunc(lists, slices.Equal[[]int]))
	if err != nil {
		return nil, err
	}
	return d.count(f), nil
}

// compare orders orbits of turns by the directions of their first turn: both turns between two directions are
// neighbours. This keeps diagrams small: for torus:2, 3 million nodes instead of 13 million in the order of turns.
func (e *Enumerator) compare(a, b []int) int {
	s, t := e.Space.Turns[a[0]], e.Space.Turns[b[0]]
	return cmp.Or(min(s.In, s.Out)-min(t.In, t.Out), max(s.In, s.Out)-max(t.In, t.Out), s.In-t.In)
}
