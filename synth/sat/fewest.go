package sat

import (
	"context"
	"slices"
	"time"
)

// This file finds values under which as few wishes as possible fail.
//
// Promise: after Sat no values let fewer wishes fail; Bound wishes fail at least, whatever
// the answer was. Clauses and wishes may be added between questions: what was found of
// the bound stays true.
// Method: all wishes are assumed. A core says that one of its wishes fails; it is made
// small, one failure of it is counted as unavoidable, and "no two of these fail" is assumed
// in place of its wishes: A. Morgado, C. Dodaro, J. Marques-Silva, Core-guided MaxSAT with
// soft cardinality constraints, CP 2014 (OLL). The counts are totalizers: O. Bailleux, Y.
// Boufkhad, Efficient CNF encoding of Boolean cardinality constraints, CP 2003.
// Cost: a question for each core and, to make it small, each of its wishes; O(k²) clauses for
// a core of k wishes.
// Invariant: a wish or count stands in assume iff no core has taken it out.

// Fewest counts wishes that fail. The zero value is not usable; see NewFewest.
type Fewest struct {
	// Feasible says that the clauses are known to have a model. Else Solve asks for one first:
	// between questions with assumptions gini may forget that there is none.
	Feasible bool

	solver Solver
	assume []Lit
	counts map[Lit]countOf // by assumption that is no wish itself
	bound  int
}

// countOf is the assumption that at most most of some literals fail.
type countOf struct {
	outputs []Lit // outputs[k]: more than k fail
	most    int
}

// smallCore is the size up to which cores are made smaller wish by wish.
const smallCore = 200

// NewFewest returns a question without wishes over the clauses of s, to which more may be added.
func NewFewest(s Solver) *Fewest { return &Fewest{solver: s, counts: map[Lit]countOf{}} }

// Wish asks for l, if it can be had. No wish may be asked for twice.
func (f *Fewest) Wish(l Lit) { f.assume = append(f.assume, l) }

// Bound returns how many wishes fail at least.
func (f *Fewest) Bound() int { return f.bound }

// Solve looks for a model in which no more than Bound wishes fail; after Sat the solver's True
// reads it. Unsat means that the clauses alone have none. It is Unknown when time is up, or when
// Bound has come to enough and there is no such model yet.
func (f *Fewest) Solve(ctx context.Context, until time.Time, enough int) Result {
	if !f.Feasible {
		if r := f.ask(ctx, until, nil); r != Sat {
			return r
		}
	}
	for {
		if f.bound >= enough {
			return Unknown
		}
		switch r := f.ask(ctx, until, f.assume); r {
		case Sat, Unknown:
			return r
		}
		core := f.small(ctx, until, slices.Clone(f.solver.Core()))
		f.relax(core)
	}
}

func (f *Fewest) ask(ctx context.Context, until time.Time, assume []Lit) Result {
	left := time.Until(until)
	if left <= 0 || ctx.Err() != nil {
		return Unknown
	}
	return f.solver.Solve(ctx, Limit{Time: left}, assume...)
}

// small leaves out of a core what it does not need.
func (f *Fewest) small(ctx context.Context, until time.Time, core []Lit) []Lit {
	for size := len(core) + 1; len(core) < size; {
		size = len(core)
		if f.ask(ctx, until, core) != Unsat {
			return core
		}
		core = slices.Clone(f.solver.Core())
	}
	if len(core) > smallCore {
		return core
	}
	slices.Sort(core)
	for i := 0; i < len(core) && len(core) > 1; {
		if f.ask(ctx, until, slices.Delete(slices.Clone(core), i, i+1)) != Unsat {
			i++ // those before i are in every core that is left
			continue
		}
		core = slices.Clone(f.solver.Core())
		slices.Sort(core)
	}
	return core
}

// relax counts one failure for a core and assumes that there is no second one.
func (f *Fewest) relax(core []Lit) {
	f.bound++
	in := map[Lit]bool{}
	for _, l := range core {
		in[l] = true
	}
	f.assume = slices.DeleteFunc(f.assume, func(l Lit) bool { return in[l] })
	failed := make([]Lit, len(core))
	for i, l := range core {
		failed[i] = -l
		if c, ok := f.counts[l]; ok {
			f.atMost(c.outputs, c.most+1)
		}
	}
	f.solver.Add(failed...)
	f.atMost(f.atLeast(failed), 1)
}

// atMost assumes that no more than most are true of those that outputs count.
func (f *Fewest) atMost(outputs []Lit, most int) {
	if most < len(outputs) {
		f.counts[-outputs[most]] = countOf{outputs, most}
		f.assume = append(f.assume, -outputs[most])
	}
}

// atLeast returns literals of which number k must be true if more than k of list are.
func (f *Fewest) atLeast(list []Lit) []Lit {
	if len(list) == 1 {
		return list
	}
	a, b := f.atLeast(list[:len(list)/2]), f.atLeast(list[len(list)/2:])
	out := make([]Lit, len(list))
	for i := range out {
		out[i] = f.solver.Var()
	}
	for i := range len(a) + 1 {
		for k := range len(b) + 1 {
			var clause []Lit
			if i > 0 {
				clause = append(clause, -a[i-1])
			}
			if k > 0 {
				clause = append(clause, -b[k-1])
			}
			if i+k > 0 {
				f.solver.Add(append(clause, out[i+k-1])...)
			}
		}
	}
	return out
}
