package enumerate

import (
	"context"
	"math/big"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/family"
)

// This file counts sets by choices, without listing them where it need not.
//
// Both properties are monotone: a set within a free one is free, a set around a
// connected one is connected. So what is allowed so far, and that with everything that
// still may be, bound all that can come: a branch is left as soon as its least set is
// not free, and counted at once when its greatest is free.

// Tally is what was counted.
type Tally struct{ Free, Connected *big.Int }

// search goes through choices.
type search struct {
	ctx       context.Context
	fast      *family.Fast
	con       *family.Connector
	points    []point
	rest      []space.Set // by point: what it and those after it may allow
	ways      []*big.Int  // by point: in how many ways
	connected bool        // is counted, too
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

// from counts the sets that choices from point i on make of what is allowed.
// known: the greatest of them is free; joined: the least is connected.
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

// split is how many ways the first choices are gone, one after the other, so that
// the work can be shared and its end be told.
const split = 256

// Count counts the sets of the choices, All or OnePerCycle; it fails for others, for
// spaces without basic cycles and for those with too many sets. For Maximal see
// ByOrders and Border, for Fewest the method of that name.
func (e *Enumerator) Count(ctx context.Context, c Choices) (*Tally, error) {
	points, err := e.points(c)
	if err != nil {
		return nil, err
	}
	heads, depth := []space.Set{e.base(c)}, 0
	for ; depth < len(points) && len(heads) < split; depth++ {
		var more []space.Set
		for _, h := range heads {
			for _, option := range points[depth] {
				more = append(more, h.Or(option))
			}
		}
		heads = more
	}
	t := &Tally{new(big.Int), new(big.Int)}
	var mu sync.Mutex
	var next, done atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(heads)) {
		con, err := family.NewConnector(e.Space) // each its own
		if err != nil {
			return nil, err
		}
		fast := e.fast
		if !fast.Shared() {
			fast = family.NewFast(family.New(e.Space))
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				k := int(next.Add(1)) - 1
				if k >= len(heads) || ctx.Err() != nil {
					return
				}
				s := e.newSearch(ctx, points)
				s.fast, s.con, s.connected = fast, con, true
				s.from(depth, heads[k], false, false)
				mu.Lock()
				t.Free.Add(t.Free, &s.free)
				t.Connected.Add(t.Connected, &s.joined)
				if e.Progress != nil {
					e.Progress(float64(done.Add(1))/float64(len(heads)), t.Free.Uint64())
				}
				mu.Unlock()
			}
		}()
	}
	wait.Wait()
	return t, ctx.Err()
}

// count counts the free sets of some choices, nothing else.
func (e *Enumerator) count(ctx context.Context, points []point, base space.Set) *big.Int {
	s := e.newSearch(ctx, points)
	s.from(0, base, false, false)
	return &s.free
}

// Each calls f for each free set of the choices, in order, until it returns false. It
// fails as Count does.
func (e *Enumerator) Each(ctx context.Context, c Choices, f func(space.Set) bool) error {
	points, err := e.points(c)
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
	s.from(0, e.base(c), false, false)
	if stopped {
		return nil
	}
	return ctx.Err()
}
