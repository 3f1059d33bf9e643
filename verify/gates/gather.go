package gates

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
)

// This file searches for a deadlock with a solver. The solver chooses packets that block each other (formula.go), and a search
// finds an order in which they arrive.
//
// Method: go backwards. Take away a packet that can come last, on any path, and repeat. With fewer packets more gates are
// open and more room is left, so any choice is right. Then let the packets come in the opposite order. If none of the rest can
// come last, take as few of them as possible, exclude that they are together, and let the solver choose again.
//
// Promise: a run that the checker accepts, or nothing. The same calls give the same run.

// Limits: the hops of the formula, and the deadlocks that are tried.
const (
	maxFormulaHops = 500_000
	chooseTries    = 400
)

// chooser is a search that can go on.
type chooser struct {
	f      *formula
	solver *clausal.Solver // nil before the first call of choose
	start  *walk
	byHops map[string][]int32
	tries  int
	isDone bool // no packets are left to choose
}

// newChooser returns a search, or nil if the network is too large. joins is that of newFormula.
func (g *subject) newChooser(s *stateSets, joins bool) *chooser {
	if len(s.to) > maxFormulaHops {
		return nil
	}
	rule := *g
	rule.vcs = g.sizes.Rule.VCs
	x := &chooser{f: newFormula(&rule, s, joins), start: &walk{subject: &rule, s: s, ways: newPlacing(s)}}
	if x.f == nil {
		return nil
	}
	x.byHops = x.f.byHops()
	for i := range x.f.At {
		if !x.start.empty().comeTo(x.f.wholeTarget(i, x.byHops)) { // its own flits close a gate behind it
			x.f.add(-x.f.waits[i])
		}
	}
	return x
}

// choose searches for a run to a deadlock, until the solver has propagated a number of literals in all.
func (x *chooser) choose(ctx context.Context, most int64) (*run, error) {
	if x == nil || x.isDone {
		return nil, nil
	}
	if x.solver == nil {
		x.solver = x.f.solver()
	}
	x.solver.Limit(most)
	for ; x.tries < chooseTries; x.tries++ {
		if result := x.solver.Solve(ctx); result != clausal.Sat {
			x.isDone = result == clausal.Unsat
			return nil, ctx.Err()
		}
		left, w := x.start.gather(x.f.targets(func(v int32) bool { return x.solver.True(x.f.rename([]int32{v})[0]) }, x.byHops))
		if w != nil {
			return w.runOf(w.fewest(w.findBlocked())), nil
		}
		var clause []int32
		for _, t := range left {
			for _, l := range t.chosen {
				clause = append(clause, -l)
			}
		}
		x.solver.Add(0, x.f.rename(clause)...)
	}
	return nil, nil
}

// gather lets packets of a list arrive that block each other. It returns the walk in which they have arrived or, if it is
// nil, packets that cannot come one after the other.
func (w *walk) gather(list []*target) (left []*target, arrived *walk) {
	placed := w.standing(list)
	order, rest := placed.takeAway(list, placed.fewest(placed.findBlocked()))
	for k := 0; k < len(rest); {
		if _, fewer := placed.takeAway(list, slices.Delete(slices.Clone(rest), k, k+1)); len(fewer) > 0 {
			rest, k = fewer, min(k, len(fewer))
		} else {
			k++
		}
	}
	for _, p := range rest {
		left = append(left, list[p])
	}
	if len(rest) > 0 {
		return left, nil
	}
	arrived = w.empty()
	for _, p := range slices.Backward(order) {
		arrived.comeTo(list[p])
	}
	if arrived.findBlocked() == nil {
		return list, nil
	}
	return nil, arrived
}

// takeAway takes away packets that can come last, one after the other. It returns them, the last one first, and what is left.
func (w *walk) takeAway(list []*target, rest []int) (order, left []int) {
	left = slices.Clone(rest)
	for len(left) > 0 {
		k := slices.IndexFunc(left, func(p int) bool { return w.isLast(list, left, p) })
		if k < 0 {
			break
		}
		order, left = append(order, left[k]), slices.Delete(left, k, k+1)
	}
	return order, left
}

// empty returns the walk in an empty network.
func (w *walk) empty() *walk {
	return &walk{subject: w.subject, s: w.s, ways: w.ways, queues: make([][]int, w.n.NumVCs()), taken: make([]int, w.n.NumVCs()), set: make([]bool, w.size)}
}

// standing returns a walk in which the packets of a list are in their places.
func (w *walk) standing(list []*target) *walk {
	x := w.empty()
	for p, t := range list {
		y := walker{state: t.tails[0], vcs: append([]model.VCID{model.NoVC}, t.vcs...), flits: append([]int{0}, t.flits...), tail: 1}
		if len(t.hops) > 0 {
			y.state = w.s.to[t.hops[len(t.hops)-1]]
		}
		x.packets, x.alive = append(x.packets, y), append(x.alive, p)
	}
	for _, behind := range []bool{false, true} {
		for p, t := range list {
			for j, v := range t.vcs {
				if t.isBehind(j) == behind {
					x.queues[v] = append(x.queues[v], p)
					x.taken[v] += t.flits[j]
				}
			}
		}
	}
	return x
}

// isLast reports whether packet p of a list can come after the others of rest.
func (w *walk) isLast(list []*target, rest []int, p int) bool {
	others := slices.DeleteFunc(slices.Clone(rest), func(q int) bool { return q == p })
	if !list[p].behind && slices.ContainsFunc(others, func(q int) bool {
		t := list[q]
		return t.behind && t.vcs[0] == list[p].vcs[0] || t.joins && t.vcs[1] == list[p].vcs[0]
	}) {
		return false
	}
	part := w.only(others)
	part.ways, part.packets = w.ways, slices.Clone(w.packets)
	return part.comeTo(list[p])
}

// comeTo moves a packet to its places while the packets of w stay. It reports whether it found a way.
func (w *walk) comeTo(t *target) bool {
	next := map[int32]int32{} // by state: the hop to the next state on the way to the tail, or -1
	queue := slices.Clone(t.tails)
	for _, i := range queue {
		next[i] = -1
	}
	for ; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		if v := w.s.states[i].VC; !w.n.IsLinkVC(v) {
			if len(w.queues[v]) > 0 {
				continue
			}
			x := &placement{first: i, stayAt: -1}
			for e := next[i]; e >= 0; e = next[w.s.to[e]] {
				x.hops = append(x.hops, e)
			}
			if len(t.hops) > 0 {
				x.stayAt, x.stays = len(x.hops), t.stays
				x.hops = append(x.hops, t.hops...)
			}
			if !w.tryPlacement(x) {
				continue
			}
			if y := &w.packets[len(w.packets)-1]; slices.Equal(y.flits[len(y.flits)-len(t.flits):], t.flits) {
				return true
			}
			w.takeBack(x)
			continue
		}
		for _, e := range w.ways.before[i] {
			from := w.ways.origin[e]
			if _, ok := next[from]; !ok && w.mayEnter(w.s.states[from].VC, w.s.vc[e]) {
				next[from] = e
				queue = append(queue, from)
			}
		}
	}
	return false
}
