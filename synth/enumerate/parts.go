package enumerate

import (
	"context"
	"fmt"
	"math/big"
	"sync"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/family"
)

// This file divides the count for OnePerCycle into independent parts by the first choices. The sums over all
// parts do not depend on the division.

// Tally is the number of free sets, and of those that are also connected.
type Tally struct {
	Free      *big.Int `json:"free"`
	Connected *big.Int `json:"connected"`
}

// Counts is the result of a count.
type Counts struct {
	Tally
	Classes  *big.Int // orbits of the free sets under the symmetries of the family
	Reversal *big.Int // orbits under these together with the reversal of all channels
}

// Count counts the sets for All or OnePerCycle, on all processors. It fails for other choices, for
// spaces without basic cycles, and for spaces with too many sets. For Maximal see ByOrders and Border,
// for Fewest see method Fewest.
func (e *Enumerator) Count(ctx context.Context, c Choices) (*Counts, error) {
	switch c {
	case All:
		return e.countAll(ctx)
	case OnePerCycle:
	default:
		return nil, fmt.Errorf("enumerate: no count of choices %q", c)
	}
	x, err := e.Counting()
	if err != nil {
		return nil, err
	}
	parts := make([]Tally, x.Parts())
	err = parallel.Do(ctx, parallel.Workers(len(parts)), len(parts), func(_, i int) (err error) {
		parts[i], err = x.Part(ctx, i)
		return err
	})
	if err != nil {
		return nil, err
	}
	return x.Sum(parts)
}

// Counting is a count in independent parts. It is safe for concurrent use.
type Counting struct {
	e      *Enumerator
	list   []invariant
	points [][]point // by invariant
	parts  []part

	forks forks
}

// part is a branch of the search of an invariant: the options of its first choices are fixed.
type part struct {
	of      int // index in Counting.list
	depth   int // number of choices that are fixed
	allowed space.Set
}

// The numbers of branches, or a few more, into which the first choices divide the count of all sets,
// and the other counts, which have fewer choices.
const (
	splitAll = 256
	split    = 16
)

// Counting divides the count for OnePerCycle into parts. It fails as Count does.
func (e *Enumerator) Counting() (*Counting, error) {
	if _, err := e.points(); err != nil {
		return nil, err
	}
	x := &Counting{e: e, list: e.invariants(), forks: forks{of: e}}
	for k, inv := range x.list {
		points := cyclePoints(e.Space, inv.to)
		x.points = append(x.points, points)
		want := split
		if k == 0 {
			want = splitAll
		}
		heads, depth := []space.Set{e.base()}, 0
		for ; depth < len(points) && len(heads) < want; depth++ {
			var more []space.Set
			for _, h := range heads {
				for _, option := range points[depth] {
					more = append(more, h.Or(option))
				}
			}
			heads = more
		}
		for _, h := range heads {
			x.parts = append(x.parts, part{k, depth, h})
		}
	}
	return x, nil
}

// Parts returns the number of parts.
func (x *Counting) Parts() int { return len(x.parts) }

// Part counts the sets of part i, 0 to Parts()-1. Connected is 0 for sets that are only counted for the
// classes.
func (x *Counting) Part(ctx context.Context, i int) (Tally, error) {
	e, err := x.forks.take()
	if err != nil {
		return Tally{}, err
	}
	defer x.forks.release(e)
	p := x.parts[i]
	s := e.newSearch(ctx, x.points[p.of])
	s.connected = p.of == 0
	s.from(p.depth, p.allowed, false, false)
	return Tally{&s.free, &s.joined}, ctx.Err()
}

// Sum adds the results of all parts, in their order.
func (x *Counting) Sum(parts []Tally) (*Counts, error) {
	connected, free := new(big.Int), make([]*big.Int, len(x.list))
	for k := range free {
		free[k] = new(big.Int)
	}
	for i, t := range parts {
		free[x.parts[i].of].Add(free[x.parts[i].of], t.Free)
		connected.Add(connected, t.Connected)
	}
	classes, reversal, err := x.e.classes(x.list, free)
	if err != nil {
		return nil, err
	}
	return &Counts{Tally{free[0], connected}, classes, reversal}, nil
}

// forks are enumerators of one space, for parts that run at the same time.
type forks struct {
	of    *Enumerator
	mu    sync.Mutex
	spare []*Enumerator
}

// take returns an enumerator that no other part uses.
func (f *forks) take() (*Enumerator, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if last := len(f.spare) - 1; last >= 0 {
		e := f.spare[last]
		f.spare = f.spare[:last]
		return e, nil
	}
	con, err := family.NewConnector(f.of.Space)
	if err != nil {
		return nil, err
	}
	e := &Enumerator{Space: f.of.Space, Decider: f.of.Decider, fast: f.of.fast, con: con}
	if !e.fast.Shared() {
		e.Decider = family.New(e.Space)
		e.fast = family.NewFast(e.Decider)
	}
	return e, nil
}

func (f *forks) release(e *Enumerator) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spare = append(f.spare, e)
}
