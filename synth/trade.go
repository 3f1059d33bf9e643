package synth

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
)

// This file improves a set by an objective. It searches locally over ranks of the channels. Turns
// that fall are prohibited, so every set is acyclic.
//
// Method: simulated annealing (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Science 220, 1983).
// A move places a channel directly after a possible predecessor, or directly before a possible
// successor. Two sets are compared by the first sum in which they differ, relative to the value of
// this sum at the start. Cost: at most one MeasurePaths for each move.

const (
	tradeHot, tradeCold = 0.02, 0.0002
)

// trader is the state of a search.
type trader struct {
	j      *judge
	n      *model.Network
	turns  []model.Turn
	at     [][]int32 // by channel: the turns that contain it
	key    []float64 // by channel: its rank
	free   []bool    // by turn: whether it may be allowed
	kept   []bool    // by turn: whether it must be allowed
	random *rand.Rand
	// weigh, if not nil, combines all sums into one: each sum, relative to its value at the start,
	// times its weight.
	weigh []float64
	seen  func(values []float64, s start) // if not nil, receives every accepted set
}

// newTrader returns a search on network n. fixed returns -1 for a turn that must be prohibited, 1
// for a turn that must be allowed, else 0.
func newTrader(j *judge, n *model.Network, fixed func(model.Turn) int, seed uint64) *trader {
	tr := &trader{j: j, n: n, key: make([]float64, n.NumLinkChannels()), at: make([][]int32, n.NumLinkChannels()), random: rand.New(rand.NewPCG(seed, 11))}
	for t := range model.Turns(n, false) {
		i := int32(len(tr.turns))
		tr.turns = append(tr.turns, t)
		tr.at[t.In], tr.at[t.Out] = append(tr.at[t.In], i), append(tr.at[t.Out], i)
		f := fixed(t)
		tr.free, tr.kept = append(tr.free, f >= 0), append(tr.kept, f > 0)
	}
	return tr
}

// set returns the set that the keys allow.
func (tr *trader) set() *model.TurnSet {
	s := model.NewTurnSet(tr.n)
	for i, t := range tr.turns {
		if tr.free[i] && tr.key[t.In] < tr.key[t.Out] {
			s.Add(t)
		}
	}
	return s
}

// ranks numbers the channels by key.
func (tr *trader) ranks() []int32 {
	order := make([]int32, len(tr.key))
	for c := range order {
		order[c] = int32(c)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if tr.key[a] < tr.key[b] {
			return -1
		}
		return 1
	})
	rank := make([]int32, len(order))
	for i, c := range order {
		rank[c] = int32(i)
	}
	return rank
}

// place sets the keys to the given ranks.
func (tr *trader) place(rank []int32) {
	for c, r := range rank {
		tr.key[c] = float64(r)
	}
}

// setOf returns the set of a start.
func (tr *trader) setOf(s start) *model.TurnSet {
	if s.set != nil {
		return s.set
	}
	tr.place(s.rank)
	return tr.set()
}

// measure returns the values of a start, or nil if its set leaves pairs unconnected.
func (tr *trader) measure(s start) ([]float64, error) { return tr.j.values(tr.setOf(s), nil) }

// run anneals from the given ranks until the time is over. It returns the best ranks and their
// values. The values are nil if the given ranks leave pairs unconnected.
func (tr *trader) run(ctx context.Context, from []int32, until time.Time) ([]int32, []float64, error) {
	now, err := tr.measure(start{rank: from})
	if err != nil || now == nil || len(tr.turns) == 0 {
		return from, now, err
	}
	unit := make([]float64, len(now))
	for i, v := range now {
		unit[i] = max(v, 1e-9)
	}
	best, least := slices.Clone(from), now
	began := time.Now()
	whole := until.Sub(began)
	for ctx.Err() == nil {
		spent := time.Since(began)
		if spent >= whole {
			break
		}
		heat := tradeHot * math.Pow(tradeCold/tradeHot, float64(spent)/float64(whole))
		c, old, changed := tr.move()
		if !changed {
			continue
		}
		chance := tr.random.Float64()
		accept := func(values []float64) bool {
			return tr.weigh != nil && len(values) < len(now) || chance < math.Exp(-tr.difference(values, now, unit)/heat)
		}
		values, err := tr.j.values(tr.set(), func(first []float64) bool { return !accept(first) })
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			return nil, nil, err
		}
		if values == nil || !accept(values) {
			tr.key[c] = old
			continue
		}
		if now = values; tr.difference(values, least, unit) < 0 {
			best, least = tr.ranks(), values
		}
		if tr.seen != nil {
			tr.seen(values, start{rank: tr.ranks()})
		}
	}
	return best, least, nil
}

// difference returns the difference of the first sum in which a and b differ, relative to unit. If
// weigh is set, it returns the weighted difference of all sums.
func (tr *trader) difference(a, b, unit []float64) (sum float64) {
	for i := range a {
		d := (a[i] - b[i]) / unit[i]
		if tr.weigh != nil {
			sum += tr.weigh[i] * d
		} else if math.Abs(d) > 1e-12 {
			return d
		}
	}
	return sum
}

// move moves a channel. changed reports whether the set of allowed turns has changed.
func (tr *trader) move() (c int32, old float64, changed bool) {
	t := tr.turns[tr.random.IntN(len(tr.turns))]
	var to float64
	if tr.random.IntN(2) == 0 {
		c, to = int32(t.Out), tr.key[t.In]+1e-6*(1+tr.random.Float64())
	} else {
		c, to = int32(t.In), tr.key[t.Out]-1e-6*(1+tr.random.Float64())
	}
	old = tr.key[c]
	rises := func(i int32, key float64) bool {
		a, b := tr.key[tr.turns[i].In], tr.key[tr.turns[i].Out]
		if int32(tr.turns[i].In) == c {
			a = key
		} else {
			b = key
		}
		return a < b
	}
	for _, i := range tr.at[c] {
		is := rises(i, to)
		if tr.kept[i] && !is {
			return c, old, false
		}
		changed = changed || tr.free[i] && is != rises(i, old)
	}
	tr.key[c] = to
	if !changed {
		return c, old, false
	}
	return c, old, true
}
