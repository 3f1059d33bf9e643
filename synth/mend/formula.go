package mend

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file says in clauses where the entries for a destination lead its packets.
//
// Promise: a model with the dependencies that packets then have delivers all packets to the
// destinations that are free, unless they go round in a cycle of dependencies; the wishes
// that fail are the entries that change.
// Method: a variable for each channel that an entry may name and for each place that packets
// may come to. A place without its variable, the source, is always come to.
// Cost: for a destination O(channels × classes × degree) clauses.

type formula struct {
	given  *model.Table
	solver sat.Solver
	wishes *sat.Fewest
	entry  map[model.DestID][][]sat.Lit // by switch and place in Out: its entry names this channel

	// dependency returns what a dependency implies: 0 is nothing.
	dependency func(model.Turn) sat.Lit
}

func newFormula(t *model.Table) *formula {
	f := &formula{given: t, solver: sat.New(), entry: map[model.DestID][][]sat.Lit{}}
	f.wishes = sat.NewFewest(f.solver)
	return f
}

// free lets the entries for d change. At the switch of its host there is no choice.
func (f *formula) free(d model.DestID) {
	if _, ok := f.entry[d]; ok {
		return
	}
	n, row := f.given.Network(), f.given.Row(d)
	at, eject := home(f.given, d)
	entry, idle := make([][]sat.Lit, n.NumSwitches()), make([]sat.Lit, n.NumSwitches())
	for u := range model.SwitchID(len(entry)) {
		if u == at {
			continue
		}
		entry[u] = make([]sat.Lit, len(n.Out(u)))
		for i, c := range n.Out(u) {
			if int(c) < n.NumLinkChannels() { // not to another host
				entry[u][i] = f.solver.Var()
			}
		}
		if i := slices.Index(n.Out(u), row[u]); i >= 0 && entry[u][i] != 0 {
			f.wishes.Wish(entry[u][i])
		} else { // nothing that could stay, unless no packet comes here
			idle[u] = f.solver.Var()
			f.wishes.Wish(idle[u])
		}
	}
	if row[at] != eject {
		wrong := f.solver.Var()
		f.wishes.Wish(wrong)
		f.solver.Add(-wrong)
	}
	f.entry[d] = entry
	f.lead(d, idle)
}

// lead follows packets wherever entries may lead them; a switch is idle if none comes to it.
func (f *formula) lead(d model.DestID, idle []sat.Lit) {
	t, n := f.given, f.given.Network()
	at, eject := home(t, d)
	come := map[place]sat.Lit{}
	for todo := sources(t, d); len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var here []sat.Lit // the premise of a clause
		if p.vc != model.NoVC {
			here = []sat.Lit{-come[p]}
		}
		u := n.Head(p.in)
		if u == at {
			if t.HopVC(p.in, eject, p.k) == model.DropVC {
				f.solver.Add(here...)
			}
			continue
		}
		if idle[u] != 0 {
			f.solver.Add(append(slices.Clip(here), -idle[u])...)
		}
		some := slices.Clone(here)
		for i, c := range n.Out(u) {
			l := f.entry[d][u][i]
			if l == 0 {
				continue
			}
			some = append(some, l)
			leaves := append(slices.Clip(here), -l)
			to, ok := onward(t, p, c)
			if !ok {
				f.solver.Add(leaves...)
				continue
			}
			if _, met := come[to]; !met {
				come[to] = f.solver.Var()
				todo = append(todo, to)
			}
			f.solver.Add(append(slices.Clip(leaves), come[to])...)
			f.depend(leaves, p, to)
		}
		f.solver.Add(some...)
	}
}

// depend says which dependency a step brings.
func (f *formula) depend(leaves []sat.Lit, from, to place) {
	if from.vc == model.NoVC {
		return
	}
	if l := f.dependency(model.Turn{In: from.vc, Out: to.vc}); l != 0 {
		f.solver.Add(append(slices.Clip(leaves), l)...)
	}
}

// apply sets the entries for the free destinations to what the solver found, where packets
// come to them.
func (f *formula) apply(t *model.Table) {
	n := t.Network()
	for d, entry := range f.entry {
		t.CopyRow(f.given, d)
		at, eject := home(t, d)
		t.SetPort(at, d, n.TailPort(eject))
		seen := map[place]bool{}
		for todo := sources(t, d); len(todo) > 0; {
			p := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			u := n.Head(p.in)
			if u == at {
				continue
			}
			i := slices.Index(n.Out(u), f.given.Row(d)[u])
			named := func(l sat.Lit) bool { return l != 0 && f.solver.True(l) }
			if i < 0 || !named(entry[u][i]) {
				i = slices.IndexFunc(entry[u], named)
			}
			out := n.Out(u)[i]
			t.SetPort(u, d, n.TailPort(out))
			if to, _ := onward(t, p, out); !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
}
