package enumerate

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file lists all maximal free sets and all conflicts.
//
// A solver proposes a set that no maximal set found contains and that contains no conflict found.
// If the set is free, it is grown to a maximal set. Otherwise it is shrunk to a conflict. The
// result and its images under symmetries are then excluded. The search ends if there is no further
// set. (M. H. Liffiton, A. Previti, A. Malik and J. Marques-Silva, Fast, flexible MUS enumeration,
// Constraints 21(2), 2016: MARCO.) The result does not depend on the solver: the lists are sorted
// at the end.
//
// The search is divided into cubes: all sets that agree on the first turns. Each cube has a solver of
// its own. A maximal set or conflict is a set of exactly one cube, and only itself excludes it there. So
// the cubes together find each once. A cube may find sets of other cubes, too, which exclude sets of its
// own; it does not return them.

// Border separates the free sets from the others.
type Border struct {
	Maximal   []space.Set `json:"maximal"` // in the order of Set.Less
	Conflicts []space.Set `json:"conflicts"`
	Complete  bool        `json:"complete"` // false if the limit was reached
}

// Border lists the maximal free sets and the conflicts, on all processors. If limit is not 0, the
// search ends at that number of both together, and runs on one processor. solver returns a new solver.
// If ctx ends, Border returns what finished cubes have found, and the error of ctx.
func (e *Enumerator) Border(ctx context.Context, solver func() sat.Solver, limit int) (*Border, error) {
	x := e.Cubes(solver, limit)
	parts := make([]*Border, x.Parts())
	err := parallel.Do(ctx, parallel.Workers(len(parts)), len(parts), func(_, i int) (err error) {
		parts[i], err = x.Part(ctx, i)
		return err
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return x.Join(slices.DeleteFunc(parts, func(b *Border) bool { return b == nil })), err
}

// Cubes is the search of Border in independent parts. It is safe for concurrent use.
type Cubes struct {
	solver func() sat.Solver
	limit  int
	fixed  int // number of turns on which the sets of a cube agree: 0 to fixed-1
	forks  forks
}

// mostFixed is the largest number of turns on which the sets of a cube agree. More cubes find more sets
// again that others have found.
const mostFixed = 10

// Cubes divides the search of Border. With a limit it has one part.
func (e *Enumerator) Cubes(solver func() sat.Solver, limit int) *Cubes {
	x := &Cubes{solver: solver, limit: limit, forks: forks{of: e}}
	if limit == 0 {
		x.fixed = min(len(e.Space.Turns)/4, mostFixed)
	}
	return x
}

// Parts returns the number of cubes.
func (x *Cubes) Parts() int { return 1 << x.fixed }

// Part searches cube i, 0 to Parts()-1.
func (x *Cubes) Part(ctx context.Context, i int) (*Border, error) {
	e, err := x.forks.take()
	if err != nil {
		return nil, err
	}
	defer x.forks.release(e)
	w := e.newWalk(x.solver)
	for t := range x.fixed {
		if i>>t&1 == 1 {
			w.s.Add(w.vars[t])
		} else {
			w.s.Add(-w.vars[t])
		}
	}
	if err := w.run(ctx, x.limit); err != nil {
		return nil, err
	}
	outside := func(set space.Set) bool {
		for t := range x.fixed {
			if set.Has(t) != (i>>t&1 == 1) {
				return true
			}
		}
		return false
	}
	w.b.Maximal, w.b.Conflicts = slices.DeleteFunc(w.b.Maximal, outside), slices.DeleteFunc(w.b.Conflicts, outside)
	return w.b, nil
}

// Join returns the border from the results of parts, in any order. It is complete if all parts are there
// and complete.
func (x *Cubes) Join(parts []*Border) *Border {
	all := &Border{Complete: len(parts) == x.Parts()}
	for _, b := range parts {
		all.Maximal = append(all.Maximal, b.Maximal...)
		all.Conflicts = append(all.Conflicts, b.Conflicts...)
		all.Complete = all.Complete && b.Complete
	}
	sortSets(all.Maximal)
	sortSets(all.Conflicts)
	return all
}

// run searches until no set is left or the limit is reached.
func (w *walk) run(ctx context.Context, limit int) error {
	for {
		switch w.ask(ctx) {
		case sat.Unsat:
			w.b.Complete = true
			return nil
		case sat.Unknown:
			return ctx.Err()
		}
		if err := w.take(w.model()); err != nil {
			return err
		}
		if limit > 0 && len(w.b.Maximal)+len(w.b.Conflicts) >= limit {
			return nil
		}
	}
}

// ask calls the solver. If ctx ends, it does not wait for the solver, which may check for that
// rarely. The solver is not used again after that.
func (w *walk) ask(ctx context.Context) sat.Result { return w.askWith(ctx, nil) }

func (w *walk) askWith(ctx context.Context, assume []sat.Lit) sat.Result {
	answer := make(chan sat.Result, 1)
	go func() { answer <- w.s.Solve(ctx, sat.Limit{}, assume...) }()
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
		return sat.Unknown
	}
}

type walk struct {
	*Enumerator
	s      sat.Solver
	vars   []sat.Lit
	images [][]int
	b      *Border
}

// newWalk returns the initial state of Border.
func (e *Enumerator) newWalk(solver func() sat.Solver) *walk {
	w := &walk{Enumerator: e, s: solver(), b: &Border{}}
	for range e.Space.Turns {
		w.vars = append(w.vars, w.s.Var())
	}
	for _, g := range e.Space.Symmetries {
		w.images = append(w.images, e.Space.Image(g))
	}
	return w
}

func (w *walk) model() (set space.Set) {
	for t, x := range w.vars {
		if w.s.True(x) {
			set = set.With(t)
		}
	}
	return set
}

// take grows a free set, or shrinks another set, and excludes the result.
func (w *walk) take(set space.Set) error {
	if w.Free(set) {
		for t := range w.vars {
			if more := set.With(t); !set.Has(t) && w.Free(more) {
				set = more
			}
		}
		return w.out(set, &w.b.Maximal, func(image space.Set) (clause []sat.Lit) {
			for t, x := range w.vars {
				if !image.Has(t) {
					clause = append(clause, x)
				}
			}
			return clause
		})
	}
	return w.out(w.Conflict(set), &w.b.Conflicts, func(image space.Set) (clause []sat.Lit) {
		for _, t := range image.List() {
			clause = append(clause, -w.vars[t])
		}
		return clause
	})
}

// out adds a set and its images under symmetries to a list, and adds a clause for each.
func (w *walk) out(set space.Set, list *[]space.Set, clause func(space.Set) []sat.Lit) error {
	seen := map[space.Set]bool{}
	free := w.Free(set)
	for _, to := range w.images {
		image := set.Map(to)
		if seen[image] {
			continue
		}
		if seen[image] = true; w.Free(image) != free {
			return fmt.Errorf("enumerate: internal error, a symmetry changes the verdict of %v", w.Space.Names(set))
		}
		*list = append(*list, image)
		w.s.Add(clause(image)...)
	}
	return nil
}

func sortSets(list []space.Set) {
	slices.SortFunc(list, func(a, b space.Set) int {
		if a.Less(b) {
			return -1
		}
		return 1
	})
}

// Conflict returns a conflict within a set that is not free.
func (e *Enumerator) Conflict(set space.Set) space.Set {
	for _, t := range set.List() {
		if less := set.Without(t); !e.Free(less) {
			set = less
		}
	}
	return set
}
