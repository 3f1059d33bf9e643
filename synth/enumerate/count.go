package enumerate

import (
	"context"
	"math/big"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/family"
)

// This file counts the sets with one turn of each basic cycle prohibited, without listing them if possible.
//
// Both properties are monotone: a subset of a free set is free, and a superset of a connected set
// is connected. A branch of the search has a least set, the turns allowed so far, and a greatest
// set, those plus all turns that may still be allowed. If the least set is not free, the search
// leaves the branch. If the greatest set is free, it counts the branch at once.

// search is the state of a count.
type search struct {
	ctx       context.Context
	fast      *family.Fast
	con       *family.Connector
	points    []point
	rest      []space.Set // by point: all turns that it and later points may allow
	ways      []*big.Int  // by point: the number of sequences of options from it on
	connected bool        // whether connected sets are counted too
	each      func(space.Set)
	free      big.Int
	joined    big.Int
	visits    int
}

func (e *Enumerator) newSearch(ctx context.Context, points []point) *search {
	s := &search{ctx: ctx, fast: e.fast, con: e.con, points: points, rest: make([]space.Set, len(points)+1), ways: make([]*big.Int, len(points)+1)}
	s.ways[len(points)] = big.NewInt(1)
	for i := len(points) - 1; i >= 0; i-- {
		s.rest[i] = s.rest[i+1]
		for _, option := range points[i] {
			s.rest[i] = s.rest[i].Or(option)
		}
		s.ways[i] = new(big.Int).Mul(s.ways[i+1], big.NewInt(int64(len(points[i]))))
	}
	return s
}

// from counts the sets that the choices from point i on add to the allowed turns. known states
// that the greatest of these sets is free, and joined that the least is connected.
func (s *search) from(i int, allowed space.Set, known, joined bool) {
	if s.visits++; s.visits%4096 == 0 && s.ctx.Err() != nil {
		return
	}
	greatest := allowed.Or(s.rest[i])
	if !known {
		if !s.fast.Acyclic(allowed) {
			return
		}
		known = i == len(s.points) || s.fast.Acyclic(greatest)
	}
	parted := false
	if known && s.connected && !joined {
		joined = s.con.Connected(allowed)
		parted = !joined && (i == len(s.points) || !s.con.Connected(greatest))
	}
	if i == len(s.points) || known && s.each == nil && (!s.connected || joined || parted) {
		s.free.Add(&s.free, s.ways[i])
		if joined {
			s.joined.Add(&s.joined, s.ways[i])
		}
		if s.each != nil {
			s.each(allowed)
		}
		return
	}
	for _, option := range s.points[i] {
		s.from(i+1, allowed.Or(option), known, joined)
	}
}

// Each calls f for each free set with one turn of each basic cycle prohibited, in the order of the choices, until f returns
// false. It fails as Count does for OnePerCycle.
func (e *Enumerator) Each(ctx context.Context, f func(space.Set) bool) error {
	points, err := e.points()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := e.newSearch(ctx, points)
	stopped := false
	s.each = func(set space.Set) {
		if !stopped && !f(set) {
			stopped = true
			cancel()
		}
	}
	s.from(0, e.base(), false, false)
	if stopped {
		return nil
	}
	return ctx.Err()
}
