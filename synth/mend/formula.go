package mend

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file expresses the paths of packets to a destination as clauses.
//
// A model delivers all packets to the free destinations, unless they circulate in a cycle of
// dependencies. The wishes that fail are the entries that change. There is a variable for each
// channel that an entry may name, and one for each place that packets may reach. A place at a
// source has no variable, since packets are always there.
//
// Cost: for a destination O(channels × classes × degree) clauses.

type formula struct {
	given  *model.Table
	solver sat.Solver
	wishes *sat.Fewest
	entry  map[model.DestID][][]sat.Lit // by switch and index in Out: the entry names this channel

	// dependency returns the literal that a dependency implies, or 0 if it implies nothing.
	dependency func(model.Turn) sat.Lit
}

func newFormula(t *model.Table) *formula {
	f := &formula{given: t, solver: sat.New(), entry: map[model.DestID][][]sat.Lit{}}
	f.wishes = sat.NewFewest(f.solver)
	return f
}

// free lets the entries for d change. At the switch of the host of d the entry is fixed.
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
			if int(c) < n.NumLinkChannels() { // an entry must not name another host
				entry[u][i] = f.solver.Var()
			}
		}
		if i := slices.Index(n.Out(u), row[u]); i >= 0 && entry[u][i] != 0 {
			f.wishes.Wish(entry[u][i])
		} else { // the given entry cannot be kept unless no packet reaches u
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

// lead adds clauses for all paths that entries may cause. idle[u] is true only if no packet
// reaches u.
func (f *formula) lead(d model.DestID, idle []sat.Lit) {
	t, n := f.given, f.given.Network()
	at, eject := home(t, d)
	come := map[place]sat.Lit{}
	for todo := sources(t, d); len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var here []sat.Lit // the premise of each clause
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

// depend adds the clause that a step from one place to the next causes its dependency.
func (f *formula) depend(leaves []sat.Lit, from, to place) {
	if from.vc == model.NoVC {
		return
	}
	if l := f.dependency(model.Turn{In: from.vc, Out: to.vc}); l != 0 {
		f.solver.Add(append(slices.Clip(leaves), l)...)
	}
}

// apply sets the entries for the free destinations to those of the model. It keeps entries of
// switches that no packet reaches.
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
