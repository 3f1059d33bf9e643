package gates

import (
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/model"
)

// This file finds runs to whole packets that block each other, if they cannot come one after the other (gather.go).
//
// Some packets have to pass VCs before others fill them. They then wait elsewhere, and take their places later. The search
// goes backwards from the deadlock. One step takes the last packet of a VC back to a VC before it, where it is the first one.
// This is possible if the packet, from there, can get to its place. After each step, packets that can come last are taken
// away: with fewer packets more gates are open and more room is left, so this is right whenever it is possible. The search
// takes states with few packets first, then those whose packets are near to where they start.
//
// Promise: a run that the checker accepts, or nothing. The same calls give the same run.
// Cost: for each state all packets, once for each of them and each VC before it.

// maxRetreats bounds the states for each deadlock.
const maxRetreats = 3000

// retreater is a search that can go on.
type retreater struct {
	f      *formula
	solver *clausal.Solver
	*walk  // of an empty network
	byHops map[string][]int32
	visits int  // of packets so far
	isDone bool // no packets are left to choose
}

// stand is a packet at a place of its path.
type stand struct {
	at   *target
	next *stand // where it goes from there; nil if it stays
}

// retreated is a state of the search. Its packets are those of the deadlock that have not been taken away.
type retreated struct {
	queues [][]*stand // by VC, the first packet first
	after  *retreated // the state to which it leads; nil for the deadlock
	events []event    // that lead to that state
	left   int        // packets
	far    int        // hops of all packets from a start
	number int
}

// event is a move of a packet to the next stand or, if comes is true, its arrival at the first one.
type event struct {
	who   *stand
	comes bool
}

// newRetreater returns a search, or nil if the network is too large.
func (g *subject) newRetreater(s *stateSets) *retreater {
	if len(s.to) > maxFormulaHops {
		return nil
	}
	rule := *g
	rule.vcs = g.sizes.Rule.VCs
	f := newFormula(&rule, s, false)
	if f == nil {
		return nil
	}
	for _, x := range []*chains{f.arriving, f.resting} {
		for e := range s.to {
			if x != nil && x.starts[e] != 0 {
				f.add(-x.starts[e])
			}
			if x != nil && x.takes[e] != 0 {
				f.add(-x.takes[e])
			}
		}
	}
	return &retreater{f: f, solver: f.solver(), walk: (&walk{subject: &rule, s: s, ways: newPlacing(s)}).empty(), byHops: f.byHops()}
}

// search searches for a run to a deadlock, until it has visited a number of packets, or propagated a number of literals, in all.
func (x *retreater) search(ctx context.Context, visits int, literals int64) (*run, error) {
	if x == nil || x.isDone {
		return nil, nil
	}
	x.solver.Limit(literals)
	for x.visits < visits {
		if result := x.solver.Solve(ctx); result != clausal.Sat {
			x.isDone = result == clausal.Unsat
			return nil, ctx.Err()
		}
		list := x.f.targets(x.solver.True, x.byHops)
		left, w, err := x.retreat(ctx, list)
		if err != nil {
			return nil, err
		}
		if w != nil {
			return w.runOf(w.fewest(w.findBlocked())), nil
		}
		var clause []int32
		for _, y := range left {
			for _, l := range y.at.chosen {
				clause = append(clause, -l)
			}
		}
		slices.Sort(clause)
		x.solver.Add(0, slices.Compact(clause)...)
	}
	return nil, nil
}

// retreat searches for a run to packets that block each other. It returns the walk at the end of the run. If it finds none, it
// returns packets of the deadlock which cannot come one after the other.
func (x *retreater) retreat(ctx context.Context, list []*target) (left []*stand, w *walk, err error) {
	first := &retreated{queues: make([][]*stand, x.n.NumVCs()), left: len(list)}
	for _, t := range list {
		v := t.vcs[0]
		if t.behind { // another packet is in front of it, so it may be in any state
			t = &target{tails: x.ways.on[v], vcs: t.vcs, flits: t.flits, chosen: t.chosen}
		}
		first.queues[v] = append(first.queues[v], &stand{at: t})
	}
	seen, work := map[string]bool{}, &retreats{}
	note := func(y *retreated) {
		x.takeAllAway(y)
		if key := y.key(); !seen[key] {
			seen[key] = true
			y.far, y.number = x.farOf(y), len(seen)
			heap.Push(work, y)
		}
	}
	note(first)
	for work.Len() > 0 && len(seen) < maxRetreats {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		y := heap.Pop(work).(*retreated)
		if y.left > 0 {
			x.stepBack(y, note)
		} else if w := x.replay(y); w != nil {
			return nil, w, nil
		}
	}
	return slices.Concat(first.queues...), nil, nil
}

// takeAllAway takes away packets of a state that can come last.
func (x *retreater) takeAllAway(y *retreated) {
	for more := true; more; {
		more = false
		for v := range y.queues {
			for k := len(y.queues[v]) - 1; k >= 0; k-- {
				last := y.queues[v][k]
				rest := y.withoutLast(v)
				if !x.standingAt(rest).comeTo(last.at) {
					break
				}
				y.queues, y.left = rest.queues, y.left-1
				y.events, more = append([]event{{last, true}}, y.events...), true
			}
		}
	}
}

// withoutLast returns the packets of a state without the last one of a VC.
func (x *retreated) withoutLast(v int) *retreated {
	to := &retreated{queues: slices.Clone(x.queues), after: x, left: x.left}
	to.queues[v] = slices.Clip(to.queues[v][:len(to.queues[v])-1])
	return to
}

// standingAt returns a walk in which the packets of a state are in their places.
func (x *retreater) standingAt(y *retreated) *walk {
	var list []*target
	for _, queue := range y.queues {
		for k, s := range queue {
			t := *s.at
			t.behind = k > 0
			list = append(list, &t)
		}
	}
	x.visits += 1 + len(list)
	part := x.standing(list)
	for v := range part.set {
		part.count(model.VCID(v), 0)
	}
	return part
}

// stepBack takes the last packet of each VC back to each VC before it. It calls f with the states.
func (x *retreater) stepBack(y *retreated, f func(*retreated)) {
	for last, queue := range y.queues {
		if len(queue) == 0 {
			continue
		}
		s := queue[len(queue)-1]
		from, vcs := x.statesBefore(s.at.tails)
		for _, v := range vcs {
			back := &stand{&target{tails: from[v], vcs: []model.VCID{v}, flits: s.at.flits}, s}
			to := y.withoutLast(last)
			to.queues[v] = append([]*stand{back}, to.queues[v]...)
			if to.events = []event{{back, false}}; x.standingAt(to).moveOn(back) {
				f(to)
			}
		}
	}
}

// statesBefore returns the states between switches before some states, by VC.
func (w *walk) statesBefore(states []int32) (from map[model.VCID][]int32, vcs []model.VCID) {
	from = map[model.VCID][]int32{}
	for _, i := range states {
		for _, e := range w.ways.before[i] {
			j := w.ways.origin[e]
			v := w.s.states[j].VC
			if !w.n.IsLinkVC(v) || slices.Contains(from[v], j) {
				continue
			}
			if from[v] == nil {
				vcs = append(vcs, v)
			}
			from[v] = append(from[v], j)
		}
	}
	for _, v := range vcs {
		slices.Sort(from[v])
	}
	slices.Sort(vcs)
	return from, vcs
}

// moveOn moves the first packet of a VC, which is at a stand, with all of its flits to the next one. It reports whether this is
// possible.
func (w *walk) moveOn(from *stand) bool {
	v := from.at.vcs[0]
	if len(w.queues[v]) == 0 {
		return false
	}
	p := w.queues[v][0]
	y := &w.packets[p]
	for e := w.s.first[y.state]; e < w.s.first[y.state+1]; e++ {
		if to := w.s.to[e]; to >= 0 && slices.Contains(from.next.at.tails, to) {
			if !w.mayEnter(v, w.s.vc[e]) {
				return false
			}
			w.moveHead(p, e)
			w.moveUp(p, &placement{stayAt: -1})
			return y.flits[y.head()] == w.sizes.Packet
		}
	}
	return false
}

// replay makes the moves to the deadlock from a state without packets. It returns nil if they do not lead there.
func (w *walk) replay(x *retreated) *walk {
	run := w.empty()
	for ; x != nil; x = x.after {
		for _, e := range x.events {
			if e.comes && !run.comeTo(e.who.at) || !e.comes && !run.moveOn(e.who) {
				return nil
			}
		}
	}
	if run.findBlocked() == nil {
		return nil
	}
	return run
}

// key returns the text of a state.
func (x *retreated) key() string {
	var key []byte
	for v, queue := range x.queues {
		if len(queue) == 0 {
			continue
		}
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(v)), uint64(len(queue)))
		for _, y := range queue {
			key = binary.AppendUvarint(key, uint64(len(y.at.tails)))
			for _, i := range y.at.tails {
				key = binary.AppendUvarint(key, uint64(i))
			}
		}
	}
	return string(key)
}

// farOf returns how many hops the packets of a state are from a start.
func (w *walk) farOf(x *retreated) (far int) {
	for _, queue := range x.queues {
		for _, y := range queue {
			nearest := w.ways.in[y.at.tails[0]]
			for _, i := range y.at.tails {
				nearest = min(nearest, w.ways.in[i])
			}
			far += int(nearest)
		}
	}
	return far
}

// retreats is a heap of states, the most promising one first.
type retreats []*retreated

func (l retreats) Len() int      { return len(l) }
func (l retreats) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l retreats) Less(i, j int) bool {
	a, b := l[i], l[j]
	return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.far, b.far), cmp.Compare(a.number, b.number)) < 0
}
func (l *retreats) Push(x any) { *l = append(*l, x.(*retreated)) }
func (l *retreats) Pop() any {
	last := len(*l) - 1
	x := (*l)[last]
	*l = (*l)[:last]
	return x
}
