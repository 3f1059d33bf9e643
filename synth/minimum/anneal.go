package minimum

import (
	"context"
	"math"
	"math/rand/v2"
)

// This file searches for ranks of the channels by which few turns fall. The method is simulated
// annealing (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Science 220, 1983).
//
// A turn falls if its output channel has no higher rank than its input channel. The state is a key
// for each channel, and the ranks are the order of the keys. Turns that fall are prohibited and
// all others allowed, so the allowed turns never close a cycle. A move picks a turn and places its
// output channel just after its input channel, or its input channel just before its output
// channel. A move changes only turns of the moved channel. Each pair of switches that no rising
// path joins adds a small penalty. The pairs are counted (joined.go) only for moves that would be
// accepted without the penalty.

// annealer is the state of one annealing run.
type annealer struct {
	*instance
	random   *rand.Rand
	key      []float64
	cost     int                            // number of prohibited turns
	joined   bool                           // whether all pairs must be joined
	order    []int32                        // scratch: channels in the order of their keys
	reach    reach                          // which switches each channel reaches, if joined
	best     []int32                        // ranks of the best set. If nil, no set joins all pairs yet.
	least    int                            // number of prohibited turns of best
	improved func(ranks []int32, least int) // if not nil, receives each improvement
}

// blockMoves is the number of moves between two checks of the context.
const blockMoves = 4096

const (
	hot, cold = 1.0, 0.12
	penalty   = 0.12 // cost of a pair that is not joined
)

// anneal runs the given number of moves while the temperature falls from hot to cold. It keeps the
// best ranks that join all pairs, or the best of all ranks if joined is false. improved receives each
// improvement at once.
func (x *instance) anneal(ctx context.Context, seed uint64, moves int, joined bool, start []int32, improved func([]int32, int)) *annealer {
	a := &annealer{instance: x, random: rand.New(rand.NewPCG(seed, 7)), key: make([]float64, x.channels()), joined: joined && x.kept == nil,
		least: math.MaxInt, improved: improved}
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
			a.cost++ // a turn and its reverse count once
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

// keeps reports whether all turns of x.kept rise.
func (x *instance) keeps(rank []int32) bool {
	for t, kept := range x.kept {
		if kept && rank[x.turns[t].in] >= rank[x.turns[t].out] {
			return false
		}
	}
	return true
}

// move tries one random move at the given temperature.
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
			continue // prohibited because its reverse falls
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

// change returns by how much a turn changes the number of turns that fall.
func change(was, is bool) int {
	switch {
	case was == is:
		return 0
	case is:
		return 1
	}
	return -1
}

// falls reports whether the output channel of turn t has no higher key than its input channel.
func (a *annealer) falls(t int32) bool { return a.key[a.turns[t].in] >= a.key[a.turns[t].out] }

// keep records the state if it joins all pairs and is better than the best one.
func (a *annealer) keep() {
	if a.reach.apart == 0 && a.cost < a.least {
		if a.least, a.best = a.cost, a.ranks(); a.improved != nil {
			a.improved(a.best, a.least)
		}
	}
}

// ranks returns the position of each channel in the order of keys.
func (a *annealer) ranks() []int32 {
	a.sort()
	rank := make([]int32, len(a.key))
	for i, c := range a.order {
		rank[c] = int32(i)
	}
	return rank
}

// space replaces the keys by equally spaced ones in the same order.
func (a *annealer) space() {
	for c, r := range a.ranks() {
		a.key[c] = float64(r) / float64(len(a.key))
	}
}

// sort orders the channels by key. Insertion sort is fast here, since they are nearly in order.
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

// search repeats the annealing until ctx ends. Some rounds start from random keys, others from the
// best set.
func (x *instance) search(ctx context.Context, o Options, h *hunt) {
	measure := func(sets [][]int32, improved func([]int32, int)) {
		for _, rank := range sets {
			if !x.keeps(rank) {
				continue // made with another tree
			}
			x.anneal(ctx, o.Seed, 0, !o.Cyclefree, rank, improved)
		}
	}
	measure(h.kept, h.known) // before o.Start, so that the journal receives only better sets
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

// firstMoves returns the number of moves of each of the first rounds.
func (x *instance) firstMoves() int { return 2000 * x.channels() }
