package priorities

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file finds the fewest next hops to remove from the routes so that one priority is free of deadlock. A switch from which frames to a
// destination can arrive keeps a next hop from which they can.
//
// Clauses, with a variable for each next hop of a switch and destination: it stays; for each node: frames reach it; for each turn: frames
// make it. Circles are excluded when they arise.

// Withdrawal is a next hop of a switch that is removed for some destinations.
type Withdrawal struct {
	Switch model.SwitchID
	Out    model.ChannelID
	Dests  []model.DestID
}

// Withdrawn is the result of Withdraw.
type Withdrawn struct {
	// IsPossible says that removals are enough without the loss of a pair. It is true if List is not nil.
	IsPossible bool
	// IsDecided says that List is the fewest, or that none is possible.
	IsDecided bool
	List      []Withdrawal
	Bound     int // removals that are needed at least; those of destinations with the same paths are one
}

// entry is a next hop of a switch for the destinations of a flow.
type entry struct {
	flow int32
	out  model.ChannelID
}

// withdrawal is the search.
type withdrawal struct {
	r     *Routes
	s     sat.Solver
	keeps map[entry]sat.Lit
	list  []entry
	makes []sat.Lit // by turn
}

// Withdraw finds the fewest next hops to remove. It returns nil if the routes are too many.
func Withdraw(ctx context.Context, r *Routes, limit time.Duration) *Withdrawn {
	if !r.fits(1) {
		return nil
	}
	until := time.Now().Add(limit)
	w := &withdrawal{r: r, s: sat.New(), keeps: map[entry]sat.Lit{}}
	for range r.Turns {
		w.makes = append(w.makes, w.s.Var())
	}
	for i := range r.flows {
		w.add(int32(i), &r.flows[i])
	}
	few := sat.NewFewest(w.s)
	for _, e := range w.list {
		few.Wish(w.keeps[e])
	}
	for {
		switch few.Solve(ctx, until, len(w.list)+1) {
		case sat.Unsat:
			return &Withdrawn{IsDecided: true}
		case sat.Unknown:
			return &Withdrawn{Bound: few.Bound()}
		}
		removed := map[entry]bool{}
		for _, e := range w.list {
			removed[e] = !w.s.True(w.keeps[e])
		}
		circles := w.circles(removed)
		if len(circles) == 0 {
			return &Withdrawn{IsPossible: true, IsDecided: true, List: w.withdrawals(removed), Bound: few.Bound()}
		}
		for _, c := range circles {
			var clause []sat.Lit
			for _, u := range c {
				clause = append(clause, -w.makes[u.turn])
			}
			w.s.Add(clause...)
		}
	}
}

// keep returns the literal: a next hop stays.
func (w *withdrawal) keep(flow int32, out model.ChannelID) sat.Lit {
	e := entry{flow, out}
	if _, ok := w.keeps[e]; !ok {
		w.keeps[e] = w.s.Var()
		w.list = append(w.list, e)
	}
	return w.keeps[e]
}

// add adds the clauses of a flow.
func (w *withdrawal) add(i int32, f *flow) {
	reach := make([]sat.Lit, len(f.channel))
	for n := range reach {
		reach[n] = w.s.Var()
	}
	arrives := f.arrives()
	at := map[model.SwitchID][]sat.Lit{} // next hops by which frames can arrive
	done := map[entry]bool{}
	note := func(s step) sat.Lit {
		out := f.channel[s.node]
		k := w.keep(i, out)
		if u := w.r.Net.Tail(out); arrives[s.node] && !done[entry{i, out}] {
			done[entry{i, out}] = true
			at[u] = append(at[u], k)
		}
		return k
	}
	ends := map[model.SwitchID]bool{} // where frames arrive without a further channel
	for _, s := range f.starts {
		k := note(s)
		w.s.Add(-k, reach[s.node])
		w.s.Add(-k, w.makes[s.turn])
	}
	for n, list := range f.next {
		ends[w.r.Net.Head(f.channel[n])] = ends[w.r.Net.Head(f.channel[n])] || f.ends[n]
		for _, s := range list {
			k := note(s)
			w.s.Add(-reach[n], -k, reach[s.node])
			w.s.Add(-reach[n], -k, w.makes[s.turn])
		}
	}
	for u, list := range at {
		if !ends[u] {
			w.s.Add(list...)
		}
	}
}

// arrives reports for each node whether some path from it arrives.
func (f *flow) arrives() []bool {
	list := slices.Clone(f.ends)
	for changed := true; changed; {
		changed = false
		for n, steps := range f.next {
			if !list[n] && slices.ContainsFunc(steps, func(s step) bool { return list[s.node] }) {
				list[n], changed = true, true
			}
		}
	}
	return list
}

// circles returns circles of channels of the routes without some next hops.
func (w *withdrawal) circles(removed map[entry]bool) [][]use {
	rest := &Routes{Net: w.r.Net, Turns: w.r.Turns, turn: w.r.turn, isEnd: w.r.isEnd, from: w.r.turnsFrom(), numbered: len(w.r.Turns)}
	for i := range w.r.flows {
		f := &w.r.flows[i]
		stays := func(list []step) (kept []step) {
			for _, s := range list {
				if !removed[entry{int32(i), f.channel[s.node]}] {
					kept = append(kept, s)
				}
			}
			return kept
		}
		g := flow{channel: f.channel, starts: stays(f.starts)}
		for _, list := range f.next {
			g.next = append(g.next, stays(list))
		}
		rest.flows = append(rest.flows, g)
	}
	x := newRules(len(rest.Turns), 1)
	used, top := rest.reached(x)
	return rest.graphOf(x, used, top).circles()
}

// withdrawals returns the removed next hops, by switch.
func (w *withdrawal) withdrawals(removed map[entry]bool) (list []Withdrawal) {
	for _, e := range w.list {
		if removed[e] {
			list = append(list, Withdrawal{w.r.Net.Tail(e.out), e.out, w.r.flows[e.flow].dests})
		}
	}
	slices.SortFunc(list, func(a, b Withdrawal) int {
		return cmp.Or(cmp.Compare(a.Switch, b.Switch), cmp.Compare(a.Dests[0], b.Dests[0]), cmp.Compare(a.Out, b.Out))
	})
	return list
}
