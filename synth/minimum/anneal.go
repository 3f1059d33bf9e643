package minimum

import (
	"context"
	"math"
	"math/rand/v2"
)

// This file looks for ranks of channels that few turns fall by, by simulated
// annealing (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Science 220, 1983).
//
// State: a key for each channel; the turns that fall are prohibited, all others allowed, so
// no cycle is ever closed. Move: a channel to just after one that may come before it, or to
// just before one that may come after it; only turns of that channel change.
// Pairs of switches that no rising way joins cost a little each. They are counted (joined.go) only
// for moves that would be taken for their turns alone.

// annealer is one run.
type annealer struct {
	*instance
	random *rand.Rand
	key    []float64
	cost   int                            // turns that fall
	joined bool                           // all pairs are to be
	order  []int32                        // scratch: channels by key
	reach  reach                          // which pairs are, where that is counted
	best   []int32                        // ranks; nil: none is connected yet
	least  int                            // its turns
	told   func(ranks []int32, least int) // of each better one; nil: nobody
}

// blockMoves is the number of moves between two looks at the context.
const blockMoves = 4096

const (
	hot, cold = 1.0, 0.12
	penalty   = 0.12 // of a pair that is not joined
)

// anneal runs moves from hot to cold and keeps the best ranks that join all pairs; with
// joined false the best of all. Each better one is told at once.
func (x *instance) anneal(ctx context.Context, seed uint64, moves int, joined bool, start []int32, told func([]int32, int)) *annealer {
	a := &annealer{instance: x, random: rand.New(rand.NewPCG(seed, 7)), key: make([]float64, x.channels()), joined: joined && x.kept == nil, least: math.MaxInt, told: told}
	a.reach.init(x)
	for c := range a.key {
		a.key[c] = a.random.Float64()
		a.order = append(a.order, int32(c))
	}
	if start != nil {
		for c := range a.key {
			a.key[c] = float64(start[c]) / float64(len(start))
		}
	}
	if len(x.turns) == 0 {
		a.keep()
		return a
	}
	for t := range x.turns {
		if back := x.reverse[t]; a.falls(int32(t)) && (!x.both || int(back) > t || !a.falls(back)) {
			a.cost++ // with its reverse once
		}
	}
	if a.joined {
		a.join()
	}
	a.keep()
	if moves == 0 {
		return a
	}
	heat := hot
	if start != nil && x.kept == nil {
		heat = hot / 3
	}
	for i := range moves {
		if i%blockMoves == 0 {
			if ctx.Err() != nil {
				break
			}
			a.space()
		}
		a.move(heat * math.Pow(cold/heat, float64(i)/float64(moves)))
		if (i+1)%blockMoves == 0 && x.moved != nil {
			x.moved(blockMoves)
		}
	}
	return a
}

// keeps reports whether all turns rise that are always allowed.
func (x *instance) keeps(rank []int32) bool {
	for t, kept := range x.kept {
		if kept && rank[x.turns[t].in] >= rank[x.turns[t].out] {
			return false
		}
	}
	return true
}

// move tries one move at a temperature.
func (a *annealer) move(temperature float64) {
	t := a.turns[a.random.IntN(len(a.turns))]
	c, to := t.out, 0.0
	if a.random.IntN(2) == 0 {
		to = a.key[t.in] + 1e-7*(1+a.random.Float64())
	} else {
		c = t.in
		to = a.key[t.out] - 1e-7*(1+a.random.Float64())
	}
	old := a.key[c]
	more, changed := 0, false
	for _, i := range a.in[c] {
		if a.both && a.falls(a.reverse[i]) {
			continue // prohibited with its reverse
		}
		k := a.key[a.turns[i].in]
		step := change(k >= old, k >= to)
		if step > 0 && a.kept != nil && a.kept[i] {
			return
		}
		more, changed = more+step, changed || step != 0
	}
	for _, i := range a.out[c] {
		if a.both && a.falls(a.reverse[i]) {
			continue
		}
		k := a.key[a.turns[i].out]
		step := change(old >= k, to >= k)
		if step > 0 && a.kept != nil && a.kept[i] {
			return
		}
		more, changed = more+step, changed || step != 0
	}
	chance := a.random.Float64()
	if more > 0 && chance >= math.Exp(-float64(more)/temperature) {
		if a.reach.apart == 0 {
			return
		}
	}
	a.key[c] = to
	if !changed {
		return
	}
	before := a.reach.apart
	if a.joined {
		a.moved(c, old)
	}
	if rise := float64(more) + penalty*float64(a.reach.apart-before); rise > 0 && chance >= math.Exp(-rise/temperature) {
		a.key[c] = old
		if a.joined {
			a.reach.takeBack()
		}
		return
	}
	a.cost += more
	a.keep()
}

// change is what a turn adds to those that fall.
func change(was, is bool) int {
	switch {
	case was == is:
		return 0
	case is:
		return 1
	}
	return -1
}

// falls reports whether a turn falls.
func (a *annealer) falls(t int32) bool { return a.key[a.turns[t].in] >= a.key[a.turns[t].out] }

// keep notes the state if it is the best.
func (a *annealer) keep() {
	if a.reach.apart == 0 && a.cost < a.least {
		if a.least, a.best = a.cost, a.ranks(); a.told != nil {
			a.told(a.best, a.least)
		}
	}
}

// ranks numbers the channels by key.
func (a *annealer) ranks() []int32 {
	a.sort()
	rank := make([]int32, len(a.key))
	for i, c := range a.order {
		rank[c] = int32(i)
	}
	return rank
}

// space gives keys equal distances again.
func (a *annealer) space() {
	for c, r := range a.ranks() {
		a.key[c] = float64(r) / float64(len(a.key))
	}
}

// sort orders the channels by key; they are nearly in order.
func (a *annealer) sort() {
	for i := 1; i < len(a.order); i++ {
		c := a.order[i]
		k := a.key[c]
		j := i
		for ; j > 0 && a.key[a.order[j-1]] > k; j-- {
			a.order[j] = a.order[j-1]
		}
		a.order[j] = c
	}
}

// search repeats the annealing, from random keys and from its best set, until ctx ends.
func (x *instance) search(ctx context.Context, o Options, h *hunt) {
	measure := func(sets [][]int32, told func([]int32, int)) {
		for _, rank := range sets {
			if !x.keeps(rank) {
				continue // on another tree
			}
			x.anneal(ctx, o.Seed, 0, !o.Cyclefree, rank, told)
		}
	}
	measure(h.kept, h.known) // first, so that the journal gets only what is better
	measure(o.Start, h.better)
	x.moved = h.annealed
	moves := x.firstMoves()
	for round := uint64(0); ctx.Err() == nil; round++ {
		start := h.bestRanks()
		if round%3 != 2 && x.kept == nil {
			start = nil
		}
		x.anneal(ctx, o.Seed+round, moves, !o.Cyclefree, start, h.better)
		h.annealed(moves % blockMoves)
		if round%6 == 5 {
			moves = min(2*moves, 1<<27)
		}
	}
}

// firstMoves returns the number of moves of the first rounds.
func (x *instance) firstMoves() int { return 2000 * x.channels() }
