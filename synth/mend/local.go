package mend

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file mends a table soon, though perhaps not with the fewest changes.
//
// Promise: table delivers all packets, and order, which is acyclic, has all its dependencies;
// cost[d] entries for d are changed, no fewer than order asks for.
// Method: choose dependencies that close no cycle, those first that the most destinations
// use; then the nearest entries, destination by destination. From there local search: one that
// was left out comes back, others on the cycles that it closes go, and what is free to come
// back does. That stays if no more entries change than before.
// Cost: of a move, a small question for each destination that it concerns.

// Budgets of the local search. They count moves, so that what is found does not depend on the
// machine unless time is up.
const (
	moves    = 3000
	patience = 400 // moves without a better table
	sampled  = 500 // turns that no given entry makes, tried for room in a move
)

type local struct {
	*problem
	ctx    context.Context
	until  time.Time
	memory int64
	random *rand.Rand

	order *cdg.Order
	table *model.Table
	cost  []int                                // by destination
	total int                                  // of cost
	uses  map[model.Turn]map[model.DestID]bool // by dependency of table
	turns []model.Turn                         // of the network
}

func newLocal(ctx context.Context, until time.Time, memory int64, p *problem) *local {
	return &local{problem: p, ctx: ctx, until: until, memory: memory, random: rand.New(rand.NewPCG(1, 11)), turns: slices.Collect(model.Turns(p.given.Network(), false))}
}

// begin chooses dependencies, those of a tree first unless that is nil, and settles all
// destinations. It reports false if one has no way, or time is up.
func (l *local) begin(tree *hv.Tree) bool {
	n := l.given.Network()
	l.order, l.table = cdg.NewOrder(n, nil), l.given.Clone()
	l.cost, l.total, l.uses = make([]int, l.given.Destinations()), 0, map[model.Turn]map[model.DestID]bool{}
	for _, dep := range sortedTurns(l.fixed) {
		l.order.Add(dep)
	}
	if tree != nil {
		l.addTree(tree)
	}
	list := slices.Clone(l.dependencies)
	slices.SortStableFunc(list, func(a, b model.Turn) int { return cmp.Compare(len(l.users[b]), len(l.users[a])) })
	for _, dep := range slices.Concat(list, l.turns) {
		l.order.Add(dep)
	}
	concerned := map[model.DestID]bool{}
	for _, d := range l.lost {
		concerned[d] = true
	}
	for _, dep := range list {
		if !l.order.Has(dep) {
			mark(concerned, l.users[dep])
		}
	}
	for d := range model.DestID(len(l.cost)) {
		if !concerned[d] {
			l.note(d, true)
		} else if !l.goesOn() || !l.settle(d) {
			return false
		}
	}
	return true
}

// addTree adds the turns of up*/down* between channels of a tree.
func (l *local) addTree(tree *hv.Tree) {
	up, err := tree.UpChannels("")
	if err != nil {
		panic(err) // only for an unknown rule for ties
	}
	for _, t := range l.turns {
		a, b := channel(l.given, t.In), channel(l.given, t.Out)
		if tree.Has(a) && tree.Has(b) && (up[a] || !up[b]) {
			l.order.Add(t)
		}
	}
}

// sortedTurns returns the turns of a set, ascending.
func sortedTurns(set map[model.Turn]bool) []model.Turn {
	return slices.SortedFunc(maps.Keys(set), func(a, b model.Turn) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Out, b.Out))
	})
}

func mark(set map[model.DestID]bool, list []model.DestID) {
	for _, d := range list {
		set[d] = true
	}
}

// note adds d to the users of its dependencies, or takes it out.
func (l *local) note(d model.DestID, in bool) {
	dependencies(l.table, d, func(dep model.Turn) {
		if !in {
			delete(l.uses[dep], d)
			return
		}
		if l.uses[dep] == nil {
			l.uses[dep] = map[model.DestID]bool{}
		}
		l.uses[dep][d] = true
	})
}

// settle gives d the nearest entries within order, or in large networks near ones, and reports
// false if it finds none.
func (l *local) settle(d model.DestID) bool {
	if isPlain(l.given) && clauses(l.given) > growAbove && l.grow(d) {
		return true
	}
	if !l.goesOn() || int64(clauses(l.given))*clauseBytes > l.memory {
		return false
	}
	f := newFormula(l.given)
	never := f.solver.Var()
	f.solver.Add(-never)
	f.dependency = func(dep model.Turn) sat.Lit {
		if l.order.Has(dep) {
			return 0
		}
		return never
	}
	f.free(d)
	if f.wishes.Solve(l.ctx, l.until, math.MaxInt) != sat.Sat {
		return false
	}
	f.apply(l.table)
	l.total += f.wishes.Bound() - l.cost[d]
	l.cost[d] = f.wishes.Bound()
	l.note(d, true)
	return true
}

// goesOn reports whether there is time left.
func (l *local) goesOn() bool { return l.ctx.Err() == nil && time.Now().Before(l.until) }

// improve makes moves until there are enough of them, or none has helped for long.
func (l *local) improve() {
	for move, best := 0, 0; move < moves && move-best < patience && l.goesOn(); move++ {
		missing := slices.DeleteFunc(slices.Clone(l.dependencies), l.order.Has)
		if len(missing) == 0 {
			return
		}
		before := l.total
		l.move(missing[l.random.IntN(len(missing))], missing)
		if l.total < before {
			best = move
		}
	}
}

// move brings dep into order, unless that makes the table worse.
func (l *local) move(dep model.Turn, missing []model.Turn) {
	var added, removed []model.Turn
	for !l.order.Add(dep) {
		way := slices.DeleteFunc(l.way(dep.Out, dep.In), func(t model.Turn) bool { return l.fixed[t] })
		if len(way) == 0 { // multicast packets alone close the cycle
			l.restore(added, removed)
			return
		}
		out := l.lightest(way)
		l.order.Remove(out)
		removed = append(removed, out)
	}
	added = append(added, dep)
	fill := func(t model.Turn) {
		if !l.order.Has(t) && l.order.Add(t) {
			added = append(added, t)
		}
	}
	l.random.Shuffle(len(missing), func(i, k int) { missing[i], missing[k] = missing[k], missing[i] })
	for _, t := range missing {
		fill(t)
	}
	for range min(sampled, len(l.turns)) {
		fill(l.turns[l.random.IntN(len(l.turns))])
	}
	if !l.resettle(added, removed) {
		l.restore(added, removed)
	}
}

// restore takes added out of order and brings removed back.
func (l *local) restore(added, removed []model.Turn) {
	for _, t := range added {
		l.order.Remove(t)
	}
	for _, t := range removed {
		l.order.Add(t)
	}
}

// resettle settles those whom a move concerns, and reports false, all being as it was, if that
// is no better.
func (l *local) resettle(added, removed []model.Turn) bool {
	concerned := map[model.DestID]bool{}
	for _, t := range removed {
		mark(concerned, slices.Collect(maps.Keys(l.uses[t])))
	}
	for _, t := range added {
		for _, d := range l.users[t] {
			if l.cost[d] > 0 {
				concerned[d] = true
			}
		}
	}
	list := slices.Sorted(maps.Keys(concerned))
	before, cost, total, ok := l.table.CloneRows(list), slices.Clone(l.cost), l.total, true
	for _, d := range list {
		l.note(d, false)
		ok = ok && l.settle(d)
	}
	if ok && l.total <= total {
		return true
	}
	for _, d := range list {
		l.note(d, false)
		l.table.CopyRow(before, d)
		l.note(d, true)
	}
	l.cost, l.total = cost, total
	return false
}

// lightest returns one of the dependencies of a way that the fewest destinations use; now
// and then any.
func (l *local) lightest(way []model.Turn) model.Turn {
	l.random.Shuffle(len(way), func(i, k int) { way[i], way[k] = way[k], way[i] })
	if l.random.IntN(4) == 0 {
		return way[0]
	}
	return slices.MinFunc(way, func(a, b model.Turn) int { return cmp.Compare(len(l.uses[a]), len(l.uses[b])) })
}

// way returns the dependencies of a shortest way in order from a VC to another; there is one.
func (l *local) way(from, to model.VCID) (list []model.Turn) {
	n := l.given.Network()
	before := map[model.VCID]model.VCID{from: model.NoVC}
	for queue := []model.VCID{from}; ; queue = queue[1:] {
		v := queue[0]
		if v == to {
			for ; v != from; v = before[v] {
				list = append(list, model.Turn{In: before[v], Out: v})
			}
			return list
		}
		for _, c := range n.Out(n.Head(channel(l.given, v))) {
			for i := range n.VCs() {
				w := n.VC(c, i)
				if _, met := before[w]; !met && n.IsLinkVC(w) && l.order.Has(model.Turn{In: v, Out: w}) {
					before[w] = v
					queue = append(queue, w)
				}
			}
		}
	}
}

func channel(t *model.Table, v model.VCID) model.ChannelID {
	c, _ := t.Network().Channel(v)
	return c
}
