package enumerate

import (
	"context"
	"fmt"
	"slices"

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

// Border separates the free sets from the others.
type Border struct {
	Maximal   []space.Set // in the order of Set.Less
	Conflicts []space.Set
	Complete  bool // false if the limit was reached
	Questions int  // number of calls of the solver
}

// Border lists the maximal free sets and the conflicts. If limit is not 0, the search ends at that
// number of both together. solver returns a new solver.
func (e *Enumerator) Border(ctx context.Context, solver func() sat.Solver, limit int) (*Border, error) {
	w := e.newWalk(solver)
	for {
		w.b.Questions++
		switch w.ask(ctx) {
		case sat.Unsat:
			w.b.Complete = true
			w.sort()
			return w.b, nil
		case sat.Unknown:
			w.sort()
			return w.b, ctx.Err()
		}
		if err := w.take(w.model()); err != nil {
			return nil, err
		}
		if found := len(w.b.Maximal) + len(w.b.Conflicts); limit > 0 && found >= limit {
			w.sort()
			return w.b, nil
		} else if e.Progress != nil {
			e.Progress(0, uint64(len(w.b.Maximal)))
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

func (w *walk) sort() {
	sortSets(w.b.Maximal)
	sortSets(w.b.Conflicts)
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
