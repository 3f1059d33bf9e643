package recipes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/synth/sat"
	judge "github.com/turnproof/turnproof/verify/cert/recipes"
)

// This file finds the fewest pairs to leave out.
//
// Method: cycles are collected as they are found. A solver finds the fewest pairs that break all of them (a cycle is broken when all pairs
// with one of its dependencies are left out). If cycles are left without these pairs, they are added. Else the pairs are the fewest. A
// second solver then writes a proof that fewer do not break the cycles, which the judge reads. Until then the best set is that of a greedy
// search.

// mostAdded is the number of cycles that are added at a time.
const mostAdded = 40

// finder is a search for one recipe.
type finder struct {
	*graph
	recipe *judge.Recipe
	pairs  []Pair
	cycles [][]int32 // dependencies
	best   []int     // the smallest set so far, ascending
	proved int       // no set of fewer pairs is enough
	bound  judge.Answer
}

func (f *finder) find(ctx context.Context) error {
	f.greedy(ctx)
	if err := f.accept(f.best); err != nil {
		return err
	}
	f.proved = 1 // a cycle was found
	if err := f.exact(ctx); err != nil {
		return err
	}
	if err := f.pack(); err != nil {
		return err
	}
	if f.proved < len(f.best) {
		return f.prove(ctx)
	}
	return nil
}

// pack proves a bound by cycles without common pairs.
func (f *finder) pack() error {
	cost := func(c []int32) (least int) {
		return len(f.users[slices.MinFunc(c, func(a, b int32) int { return len(f.users[a]) - len(f.users[b]) })])
	}
	list := slices.Clone(f.cycles)
	slices.SortStableFunc(list, func(a, b []int32) int { return cost(b)*len(a) - cost(a)*len(b) })
	taken := make([]bool, len(f.of))
	var packing [][]int32
	for _, c := range list {
		isApart := !slices.ContainsFunc(c, func(e int32) bool {
			return slices.ContainsFunc(f.users[e], func(p int32) bool { return taken[p] })
		})
		if !isApart {
			continue
		}
		for _, e := range c {
			for _, p := range f.users[e] {
				taken[p] = true
			}
		}
		packing = append(packing, f.vcs(c))
	}
	least, err := judge.JudgePacking(f.recipe, packing)
	if err != nil {
		return fmt.Errorf("internal error: %w", err)
	}
	if least > 0 { // one cycle at least
		f.proved, f.bound = max(f.proved, least), judge.Answer{Cycles: packing}
	}
	return nil
}

// vcs returns the VCs of a cycle of dependencies.
func (f *finder) vcs(cycle []int32) []int32 {
	vcs := make([]int32, len(cycle))
	for i, e := range cycle {
		vcs[i] = f.ends[e][0]
	}
	return vcs
}

// accept lets the judge decide that a set is enough.
func (f *finder) accept(set []int) error {
	out := make([]int32, len(set))
	for i, p := range set {
		out[i] = int32(p)
		f.leaveOut(p, false)
	}
	err := f.judge(f.recipe, out)
	for _, p := range set {
		f.leaveOut(p, true)
	}
	return err
}

// newCycles returns short harmful cycles that are left, at most one through each dependency.
func (f *finder) newCycles(most int) (list [][]int32) {
	of, _ := f.components()
	from, depth := make([]int32, len(f.out)), make([]int32, len(f.out))
	covered := map[int32]bool{}
	for _, e := range f.harmful(of) {
		if covered[e] {
			continue
		}
		if c := f.cycleThrough(e, of, math.MaxInt, from, depth); c != nil {
			list = append(list, c)
			for _, x := range c {
				covered[x] = true
			}
		}
		if len(list) == most {
			break
		}
	}
	return list
}

// greedy breaks one cycle after the other where the fewest pairs have a dependency, and takes back pairs that are not needed.
func (f *finder) greedy(ctx context.Context) {
	out := map[int]bool{}
	for {
		list := f.newCycles(1)
		if len(list) == 0 {
			break
		}
		f.cycles = append(f.cycles, list[0])
		cheapest := slices.MinFunc(list[0], func(a, b int32) int { return int(f.count[a] - f.count[b]) })
		for _, p := range f.users[cheapest] {
			if !out[int(p)] {
				out[int(p)] = true
				f.leaveOut(int(p), false)
			}
		}
	}
	for p := range out {
		f.best = append(f.best, p)
	}
	slices.Sort(f.best)
	f.takeBack(ctx)
	for _, p := range f.best {
		f.leaveOut(p, true)
	}
}

// takeBack takes pairs back that close no cycle with those that are kept. More pairs are kept as it goes on, so a dependency that closes a
// cycle is never possible again.
func (f *finder) takeBack(ctx context.Context) {
	closes := map[int32]bool{}
	f.best = slices.DeleteFunc(f.best, func(p int) bool {
		var fresh []int32
		for _, e := range f.of[p] {
			if closes[e] || ctx.Err() != nil {
				return false
			}
			if f.count[e] == 0 {
				fresh = append(fresh, e)
			}
		}
		if f.leaveOut(p, true); len(fresh) == 0 || f.isFree() {
			return true
		}
		f.leaveOut(p, false)
		for _, e := range fresh[:min(len(fresh), 2)] {
			f.count[e]++
			if !f.isFree() {
				closes[e] = true
			}
			f.count[e]--
		}
		return false
	})
}

// isFree reports whether no harmful cycle is left.
func (f *finder) isFree() bool {
	of, _ := f.components()
	return len(f.harmful(of)) == 0
}

// exact finds the fewest pairs until the context ends.
func (f *finder) exact(ctx context.Context) error {
	s := sat.New()
	few := sat.NewFewest(s)
	few.Feasible = true
	variable, broken := map[int32]sat.Lit{}, map[int32]sat.Lit{}
	add := func(cycle []int32) {
		var clause []sat.Lit
		for _, e := range cycle {
			if _, ok := broken[e]; !ok {
				broken[e] = s.Var()
				for _, p := range f.users[e] {
					if _, ok := variable[p]; !ok {
						variable[p] = s.Var()
						few.Wish(-variable[p])
					}
					s.Add(-broken[e], variable[p])
				}
			}
			clause = append(clause, broken[e])
		}
		s.Add(clause...)
	}
	for _, c := range f.cycles {
		add(c)
	}
	for {
		until := time.Now().Add(time.Hour)
		if t, ok := ctx.Deadline(); ok {
			until = t
		}
		if few.Solve(ctx, until, len(f.best)) != sat.Sat {
			return nil // the greedy set, and the bound of the cycles so far
		}
		var set []int
		for p, l := range variable {
			if s.True(l) {
				set = append(set, int(p))
			}
		}
		slices.Sort(set)
		for _, p := range set {
			f.leaveOut(p, false)
		}
		list := f.newCycles(mostAdded)
		for _, p := range set {
			f.leaveOut(p, true)
		}
		if len(list) == 0 {
			f.best = set
			return f.accept(set)
		}
		for _, c := range list {
			f.cycles = append(f.cycles, c)
			add(c)
		}
	}
}

// mostWork bounds the search for a proof, in literals that are looked at, and mostCounted the counter of its formula.
const (
	mostWork    = 1 << 31
	mostCounted = 1 << 16
)

// prove proves that len(f.best) pairs are the fewest, if the cycles so far show it.
func (f *finder) prove(ctx context.Context) error {
	if ctx.Err() != nil || len(f.best)*len(f.pairs) > mostCounted {
		return nil
	}
	a := &judge.Answer{}
	for _, p := range f.best {
		a.Dropped = append(a.Dropped, int32(p))
	}
	for _, c := range f.cycles {
		a.Cycles = append(a.Cycles, f.vcs(c))
	}
	formula, err := judge.NewFormula(f.recipe, a.Cycles, len(f.best)-1)
	if err != nil {
		return fmt.Errorf("internal error: %w", err)
	}
	s := clausal.New(formula.Variables)
	s.Limit(mostWork)
	for _, c := range formula.Clauses {
		s.Add(0, c...)
	}
	if s.Solve(ctx) != clausal.Unsat {
		return nil
	}
	for _, step := range s.Refutation() {
		a.Steps = append(a.Steps, 0, int32(len(step.Lits)))
		a.Steps = append(a.Steps, step.Lits...)
	}
	if err := judge.JudgeLeast(f.recipe, a); err != nil {
		return fmt.Errorf("internal error: %w", err)
	}
	f.proved, f.bound = len(f.best), *a
	return nil
}
