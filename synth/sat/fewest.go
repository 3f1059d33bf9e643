package sat

import (
	"context"
	"slices"
	"time"
)

// This file finds a model in which the fewest wishes fail (partial MaxSAT; a wish is a soft clause
// of one literal).
//
// After Sat, no model lets fewer wishes fail. After any result, at least Bound wishes fail in
// every model. Clauses and wishes may be added between calls; the bound remains valid.
//
// All wishes are assumed. A core shows that one of its wishes fails. The core is reduced, one
// failure is counted, and "at most one of these fails" replaces the wishes as an assumption: A.
// Morgado, C. Dodaro, J. Marques-Silva, Core-guided MaxSAT with soft cardinality constraints, CP
// 2014 (OLL). The counts are totalizers: O. Bailleux, Y. Boufkhad, Efficient CNF encoding of
// Boolean cardinality constraints, CP 2003.
//
// Cost: one call of the solver for each core, and one for each wish of the core to reduce it;
// O(k²) clauses for a core of k wishes. Invariant: assume contains a wish or count iff no core has
// removed it.

// Fewest minimizes the number of wishes that fail. The zero value is not usable; use NewFewest.
type Fewest struct {
	// Feasible states that the clauses are known to have a model. If false, Solve checks this
	// first, since gini may forget between calls with assumptions that there is no model.
	Feasible bool

	solver Solver
	assume []Lit
	counts map[Lit]countOf // by assumption that is a count
	bound  int
}

// countOf is the assumption that at most a given number of some literals fail.
type countOf struct {
	outputs []Lit // outputs[k]: more than k fail
	most    int
}

// smallCore is the largest size of a core that is reduced wish by wish.
const smallCore = 200

// NewFewest returns a Fewest without wishes for the clauses of s. Clauses may be added to s later.
func NewFewest(s Solver) *Fewest { return &Fewest{solver: s, counts: map[Lit]countOf{}} }

// Wish adds the wish that l is true. A literal may be a wish only once.
func (f *Fewest) Wish(l Lit) { f.assume = append(f.assume, l) }

// Bound returns a lower bound on the number of wishes that fail.
func (f *Fewest) Bound() int { return f.bound }

// Solve searches for a model in which at most Bound wishes fail. After Sat, the True method of the
// solver reads the model. Unsat means that the clauses alone have no model. Solve returns Unknown
// at the time until, when ctx ends, or when Bound reaches enough without such a model.
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

// small removes wishes that a core does not need.
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
			i++ // every smaller core contains the wishes before i
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

// atMost adds the assumption that at most most of the counted literals are true.
func (f *Fewest) atMost(outputs []Lit, most int) {
	if most < len(outputs) {
		f.counts[-outputs[most]] = countOf{outputs, most}
		f.assume = append(f.assume, -outputs[most])
	}
}

// atLeast returns literals. Literal k is true if more than k literals of list are true.
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
