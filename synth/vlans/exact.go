package vlans

import (
	"context"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file decides whether a given number of VLANs is enough, starting with the bound.
//
// Promise: a solution that it finds carries a way of each demand. If it finds that the number is
// not enough, this is already true for a subset of the demands. Method: a SAT solver chooses a way
// and a forest for a subset of the demands. If a chosen forest has a cycle, a clause excludes this
// cycle in all forests. Demands that do not fit into the resulting forests are added to the
// subset. Demands that clash get different forests from the start.

// more is the largest number of demands that are added to the subset at once.
const more = 16

// exact raises the bound until a solution reaches it or the time is over.
func (f *finder) exact(ctx context.Context, until time.Time) {
	if f.found.Layers > 1 {
		return
	}
	for f.found.Bound < f.found.VLANs {
		q := f.question(f.found.Bound)
		switch q.decide(ctx, until) {
		case sat.Sat:
			f.take(q.at)
		case sat.Unsat:
			f.found.Bound, f.found.By = f.found.Bound+1, BySearch
		default:
			return
		}
	}
}

type question struct {
	*finder
	solver sat.Solver
	link   [][]sat.Lit // by forest and link
	asked  []int32     // the subset of demands
	place  [][][]sat.Lit
	open   bool    // whether some demand of the subset has more ways than were collected
	at     *placed // the solution, first for the subset, then for all demands
}

func (f *finder) question(forests int) *question {
	q := &question{finder: f, solver: sat.New()}
	for range forests {
		links := make([]sat.Lit, f.Net.NumLinks())
		for l := range links {
			links[l] = q.solver.Var()
		}
		q.link = append(q.link, links)
	}
	for t, i := range f.found.Clash {
		q.ask(i, t)
	}
	return q
}

// ask adds demand i to the subset. If only is not negative, its forest must be number only.
func (q *question) ask(i int32, only int) {
	q.open = q.open || q.Demands[i].More
	var some []sat.Lit
	var ways [][]sat.Lit
	for _, way := range q.Demands[i].Ways {
		in := make([]sat.Lit, len(q.link))
		for t := range in {
			in[t] = q.solver.Var()
			for _, l := range way {
				q.solver.Add(-in[t], q.link[t][l])
			}
			if only < 0 || t == only {
				some = append(some, in[t])
			}
		}
		ways = append(ways, in)
	}
	q.solver.Add(some...)
	q.asked, q.place = append(q.asked, i), append(q.place, ways)
}

// decide calls the solver until the forests have no cycle and hold all demands, or there is no
// solution.
func (q *question) decide(ctx context.Context, until time.Time) sat.Result {
	for {
		if r := q.solver.Solve(ctx, sat.Limit{Time: max(time.Millisecond, time.Until(until))}); r != sat.Sat {
			if q.open {
				return sat.Unknown
			}
			return r
		}
		q.read()
		cycles := q.cycles()
		for _, cycle := range cycles {
			for t := range q.link {
				clause := make([]sat.Lit, len(cycle))
				for i, l := range cycle {
					clause[i] = -q.link[t][l]
				}
				q.solver.Add(clause...)
			}
		}
		if len(cycles) > 0 {
			continue
		}
		left := q.misfits()
		if len(left) == 0 {
			return sat.Sat
		}
		for _, i := range left {
			q.ask(i, -1)
		}
	}
}

// read reads the solution from the solver: for each demand of the subset, the first way and forest
// that are true.
func (q *question) read() {
	q.at = &placed{vlan: make([]int32, len(q.Demands)), way: make([]int32, len(q.Demands))}
	for a, i := range q.asked {
		for w, in := range slices.Backward(q.place[a]) {
			for t, lit := range slices.Backward(in) {
				if q.solver.True(lit) {
					q.at.vlan[i], q.at.way[i] = int32(t), int32(w)
				}
			}
		}
	}
}

// misfits adds the other demands to the forests, and returns some that do not fit.
func (q *question) misfits() (left []int32) {
	for range q.link {
		q.at.forests = append(q.at.forests, newForest(q.Net, 0))
	}
	asked := map[int32]bool{}
	for _, i := range q.asked {
		asked[i] = true
		q.at.forests[q.at.vlan[i]].add(q.Demands[i].Ways[q.at.way[i]])
	}
	for _, i := range q.demands {
		if asked[i] {
			continue
		}
		before := len(q.at.forests)
		if q.at.vlan[i], q.at.way[i] = q.fit(q.at, i, true); len(q.at.forests) > before {
			q.at.forests = q.at.forests[:before]
			if left = append(left, i); len(left) == more {
				break
			}
		}
	}
	return left
}

// cycles returns cycles of the forests in the solution, one for each link that closes a cycle.
func (q *question) cycles() (list [][]model.LinkID) {
	used := make([]map[model.LinkID]bool, len(q.link))
	for t := range used {
		used[t] = map[model.LinkID]bool{}
	}
	for _, i := range q.asked {
		for _, l := range q.Demands[i].Ways[q.at.way[i]] {
			used[q.at.vlan[i]][l] = true
		}
	}
	for _, links := range used {
		var tree []model.LinkID
		t := newForest(q.Net, 0)
		for l := range model.LinkID(q.Net.NumLinks()) {
			switch {
			case !links[l]:
			case t.add([]model.LinkID{l}):
				tree = append(tree, l)
			default:
				k := q.Net.Link(l)
				list = append(list, append(way(q.Net, tree, k.A, k.B), l))
			}
		}
	}
	return list
}

// way returns the links of the path between two switches in a forest.
func way(n *model.Network, tree []model.LinkID, from, to model.SwitchID) (links []model.LinkID) {
	out := map[model.SwitchID][]model.LinkID{}
	for _, l := range tree {
		k := n.Link(l)
		out[k.A], out[k.B] = append(out[k.A], l), append(out[k.B], l)
	}
	by := map[model.SwitchID]model.LinkID{}
	queue := []model.SwitchID{to}
	for len(queue) > 0 && queue[0] != from {
		u := queue[0]
		queue = queue[1:]
		for _, l := range out[u] {
			if v := other(n, l, u); v != to {
				if _, known := by[v]; !known {
					by[v] = l
					queue = append(queue, v)
				}
			}
		}
	}
	for u := from; u != to; {
		links = append(links, by[u])
		u = other(n, by[u], u)
	}
	return links
}

func other(n *model.Network, l model.LinkID, u model.SwitchID) model.SwitchID {
	if k := n.Link(l); k.A == u {
		return k.B
	} else {
		return k.A
	}
}
