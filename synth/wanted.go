package synth

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file searches for the set that is best by an objective, with turns that the caller keeps or
// prohibits.

// wanted is what the caller asks for beyond the fewest turns.
type wanted struct {
	objective Objective // ends with the number of turns, which breaks ties
	first     int       // 1 if the bound on the stretch comes before the caller's sums, else 0
	named     int       // number of sums that the caller named
	pareto    bool
}

// wanted reads the options. It returns nil if only the fewest turns are asked for.
func (w *work) wanted() (*wanted, error) {
	o := w.o
	if o.Objective == "" && o.Pareto == "" && o.Keep == nil && o.Prohibit == nil && !o.KeepTree && o.Stretch == 0 {
		return nil, nil
	}
	if o.Cyclefree {
		return nil, errors.New("sets that may leave hosts unconnected go with the fewest turns only")
	}
	if o.Pareto != "" && o.Stretch != 0 {
		return nil, errors.New("a bound on the stretch does not go with a Pareto front; stretch is a goal, too")
	}
	if o.Objective != "" && o.Pareto != "" {
		return nil, errors.New("an objective and a Pareto front are two things")
	}
	if o.BothDirections {
		return nil, errors.New("turns together with their reverses go with the fewest turns only, not with objectives or turns that are kept or prohibited")
	}
	text := o.Objective
	if text == "" {
		text = "turns"
	}
	if o.Pareto != "" {
		text = o.Pareto
	}
	objective, err := ParseObjective(text)
	if err != nil {
		return nil, err
	}
	if o.Pareto != "" && len(objective) != 2 {
		return nil, fmt.Errorf("pareto: two goals were expected, as turns,load, not %q", text)
	}
	want := &wanted{objective: objective, named: len(objective), pareto: o.Pareto != ""}
	if o.Stretch != 0 {
		want.objective, want.first = append(Objective{{{Weight: 1, Goal: beyond.name, goal: &beyond}}}, want.objective...), 1
	}
	if !want.pareto {
		last, err := ParseObjective("turns")
		if err != nil {
			return nil, err
		}
		want.objective = append(want.objective, last...)
	}
	return want, nil
}

// trade searches until the time is over, starting from the best of starts.
func (w *work) trade(want *wanted, starts []start, tree []model.ChannelID, until time.Time) (*model.TurnSet, error) {
	loads, err := w.traffic()
	if err != nil {
		return nil, err
	}
	fixed := w.fixed(tree)
	j := &judge{ctx: w.ctx, o: want.objective, d: w.demand, loads: loads, stretch: w.o.Stretch}
	if starts, err = w.startsWith(fixed, starts, tree, loads); err != nil {
		return nil, err
	}
	front := &front{}
	measured := func() *trader {
		tr := newTrader(j, w.net, fixed, w.o.Seed)
		tr.seen = front.add
		return tr
	}
	var best start
	var least []float64
	for _, s := range starts {
		tr := measured()
		values, err := tr.measure(s)
		if err != nil {
			return nil, err
		}
		if values == nil {
			continue
		}
		front.add(values, s)
		if least == nil || tr.difference(values, least, values) < 0 {
			best, least = s, values
		}
	}
	if least == nil {
		return nil, errors.New("no set was found that fulfils what is kept and prohibited, closes no cycle and connects all hosts")
	}
	if want.pareto {
		return w.paretoFront(front, measured, until)
	}
	const runs = 4
	for k := range runs {
		tr := measured()
		tr.random = rand.New(rand.NewPCG(w.o.Seed+uint64(k), 12))
		rank, values, err := tr.run(w.ctx, best.rank, time.Now().Add(time.Until(until)/time.Duration(runs-k)))
		if err != nil {
			return nil, err
		}
		if values != nil && tr.difference(values, least, values) < 0 {
			best, least = start{rank: rank}, values
		}
	}
	if want.first > 0 && least[0] > 0 {
		return nil, fmt.Errorf("no set was found that keeps all paths within %g times the shortest; in the best set %g pairs of switches exceed this",
			w.o.Stretch, least[0])
	}
	from, to := want.first, want.first+want.named
	w.res.Objective, w.res.Values = want.objective[from:to].String(), least[from:to]
	return measured().setOf(best), nil
}

// paretoFront searches with varying weights, each time from the set of the front that is best for
// these weights. It returns the first set of the front.
func (w *work) paretoFront(f *front, trader func() *trader, until time.Time) (*model.TurnSet, error) {
	const runs = 11
	for k := range runs {
		tr := trader()
		tr.random = rand.New(rand.NewPCG(w.o.Seed+uint64(k), 13))
		// Golden sections spread the weights evenly, wherever the search ends.
		share := float64(k) * 0.6180339887
		share -= float64(int(share))
		tr.weigh = []float64{share, 1 - share}
		best := 0
		for i := range f.values {
			if tr.difference(f.values[i], f.values[best], f.values[0]) < 0 {
				best = i
			}
		}
		if _, _, err := tr.run(w.ctx, f.starts[best].rank, time.Now().Add(time.Until(until)/time.Duration(runs-k))); err != nil {
			return nil, err
		}
	}
	for i, s := range f.starts {
		w.res.Front = append(w.res.Front, Front{f.values[i], trader().setOf(s)})
	}
	slices.SortFunc(w.res.Front, func(a, b Front) int { return slices.Compare(a.Values, b.Values) })
	return w.res.Front[0].Allowed, nil
}

// front is a list of sets none of which is worse than another in both goals.
type front struct {
	values [][]float64
	starts []start
}

func (f *front) add(values []float64, s start) {
	for _, v := range f.values {
		if noWorse(v, values) {
			return
		}
	}
	k := 0
	for i, v := range f.values {
		if !noWorse(values, v) {
			f.values[k], f.starts[k] = v, f.starts[i]
			k++
		}
	}
	f.values, f.starts = append(f.values[:k], values), append(f.starts[:k], s)
}

func noWorse(a, b []float64) bool {
	for i := range a {
		if a[i] > b[i]+1e-12 {
			return false
		}
	}
	return true
}

// inTree returns the channels of a tree, up and down.
func (w *work) inTree(tree []model.ChannelID) map[model.VCID]bool {
	in := map[model.VCID]bool{}
	for _, c := range tree {
		if c != model.NoChannel {
			in[model.VCID(c)], in[model.VCID(w.net.Reverse(c))] = true, true
		}
	}
	return in
}

// fixed returns a function that returns 1 for a turn that must be kept, -1 for a turn that must be
// prohibited, else 0.
func (w *work) fixed(tree []model.ChannelID) func(model.Turn) int {
	inTree := map[model.VCID]bool{}
	if w.o.KeepTree {
		inTree = w.inTree(tree)
	}
	return func(t model.Turn) int {
		switch {
		case w.o.Prohibit != nil && w.o.Prohibit.Has(t):
			return -1
		case w.o.Keep != nil && w.o.Keep.Has(t) || inTree[t.In] && inTree[t.Out]:
			return 1
		}
		return 0
	}
}

// startsWith returns the starts that keep the turns to be kept, and additional starts: the kept
// turns, then the turns of the tree, then all others that close no cycle, by falling traffic or in
// random order.
func (w *work) startsWith(fixed func(model.Turn) int, starts []start, tree []model.ChannelID, loads *TurnTraffic) ([]start, error) {
	var good []start
	for _, s := range starts {
		if s, ok := w.keeping(fixed, s); ok {
			good = append(good, s)
		}
	}
	kept, rest := model.NewTurnSet(w.net), []model.Turn{}
	inTree := w.inTree(tree)
	for t := range model.Turns(w.net, false) {
		switch fixed(t) {
		case 1:
			kept.Add(t)
		case 0:
			rest = append(rest, t)
		}
	}
	rank, ok := cdg.FromTurns(kept).Numbering()
	if !ok {
		return nil, errors.New("the turns that are kept close a cycle")
	}
	random := rand.New(rand.NewPCG(w.o.Seed, 14))
	for try := range 20 {
		weight := map[model.Turn]float64{}
		for _, t := range rest {
			weight[t] = random.Float64()
			if try == 0 {
				weight[t] = loads.Of(t)
			}
			if inTree[t.In] && inTree[t.Out] && try < 10 {
				weight[t] += 1e18
			}
		}
		slices.SortStableFunc(rest, func(a, b model.Turn) int { return cmp.Compare(weight[b], weight[a]) })
		order, set := cdg.NewOrder(w.net, rank), kept.Clone()
		for t := range kept.All() {
			order.Add(t)
		}
		for _, t := range rest {
			if order.Add(t) {
				set.Add(t)
			}
		}
		if more, ok := cdg.FromTurns(set).Numbering(); ok {
			good = append(good, start{rank: more})
		}
	}
	return good, nil
}

// keeping returns s without the turns that the caller prohibits, and false if s lacks a turn that
// must be kept.
func (w *work) keeping(fixed func(model.Turn) int, s start) (start, bool) {
	if s.set != nil {
		s.set = s.set.Clone()
	}
	for t := range model.Turns(w.net, false) {
		has := s.rank[t.In] < s.rank[t.Out]
		if s.set != nil {
			has = s.set.Has(t)
		}
		switch fixed(t) {
		case 1:
			if !has {
				return s, false
			}
		case -1:
			if s.set != nil {
				s.set.Remove(t)
			}
		}
	}
	return s, true
}
