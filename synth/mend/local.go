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

// This file mends a table fast, with no promise that the changes are the fewest.
//
// The table always delivers all packets. The acyclic order always contains all its dependencies.
// cost[d] is the number of changed entries for d. First the method chooses dependencies that close
// no cycle, starting with those that the most destinations use. Then it finds near entries for
// each destination. After that it runs a local search. A move adds one missing dependency, removes
// others on the cycles that it closes, and adds others that now close no cycle. A move is kept if
// the number of changes does not increase.
//
// Cost of a move: a small formula for each destination that it affects.

// Limits of the local search. They count moves, so the result does not depend on the machine
// unless the time ends the search.
const (
	moves    = 3000
	patience = 400 // number of moves without improvement before the search ends
	sampled  = 500 // number of random turns that a move tries to add
)

type local struct {
	*problem
	ctx    context.Context
	until  time.Time
	memory int64
	random *rand.Rand

	order *cdg.Order
	table *model.Table
	cost  []int                                // by destination: number of changed entries
	total int                                  // sum of cost
	uses  map[model.Turn]map[model.DestID]bool // by dependency of table: the destinations that cause it
	turns []model.Turn                         // turns of the network
}

func newLocal(ctx context.Context, until time.Time, memory int64, p *problem) *local {
	return &local{problem: p, ctx: ctx, until: until, memory: memory, random: rand.New(rand.NewPCG(1, 11)),
		turns: slices.Collect(model.Turns(p.given.Network(), false))}
}

// begin chooses dependencies, those of tree first unless it is nil, and finds entries for all
// destinations. It returns false if a destination has none, or if the time is over.
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

// addTree adds the turns of up*/down* between the channels of a tree.
func (l *local) addTree(tree *hv.Tree) {
	up, err := tree.UpChannels("")
	if err != nil {
		panic(err) // only for an unknown tie rule
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

// note adds d to the users of the dependencies of its packets if in is true. Otherwise it removes
// d.
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

// settle gives d the nearest entries whose dependencies are in order; on large networks, near
// ones. It returns false if it finds none.
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

// goesOn reports whether the search may continue.
func (l *local) goesOn() bool { return l.ctx.Err() == nil && time.Now().Before(l.until) }

// improve makes moves until a limit of the local search is reached.
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

// move adds dep to the order, and undoes everything if the table gets worse.
func (l *local) move(dep model.Turn, missing []model.Turn) {
	var added, removed []model.Turn
	for !l.order.Add(dep) {
		path := slices.DeleteFunc(l.pathInOrder(dep.Out, dep.In), func(t model.Turn) bool { return l.fixed[t] })
		if len(path) == 0 { // multicast packets alone close the cycle
			l.restore(added, removed)
			return
		}
		out := l.lightest(path)
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

// restore removes the dependencies in added from the order, and adds those in removed.
func (l *local) restore(added, removed []model.Turn) {
	for _, t := range added {
		l.order.Remove(t)
	}
	for _, t := range removed {
		l.order.Add(t)
	}
}

// resettle finds entries again for the destinations that a move affects. If the result is worse,
// it restores the table and returns false.
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

// lightest returns the dependency of a path that the fewest destinations use. With probability 1/4
// it returns a random one.
func (l *local) lightest(path []model.Turn) model.Turn {
	l.random.Shuffle(len(path), func(i, k int) { path[i], path[k] = path[k], path[i] })
	if l.random.IntN(4) == 0 {
		return path[0]
	}
	return slices.MinFunc(path, func(a, b model.Turn) int { return cmp.Compare(len(l.uses[a]), len(l.uses[b])) })
}

// pathInOrder returns the dependencies of a shortest path in order from one VC to another. The path must
// exist.
func (l *local) pathInOrder(from, to model.VCID) (list []model.Turn) {
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
