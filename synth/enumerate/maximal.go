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
// Method: a solver keeps what is not known yet: a set that no maximal one found
// contains, and that contains no conflict found. Such a set, if it is free, is grown
// to a maximal one, else shrunk to a conflict, and both are taken out, with all that
// symmetries make of them; the end is when there is no such set. (M. H. Liffiton, A.
// Previti, A. Malik and J. Marques-Silva, Fast, flexible MUS enumeration, Constraints
// 21(2), 2016: MARCO.)
// The answer does not depend on the solver, but for the order in which sets are
// found, which is sorted out at the end.

// Border is what parts free sets from others.
type Border struct {
	Maximal   []space.Set // in the order of Set.Less
	Conflicts []space.Set
	Complete  bool // all of them; else the limit was reached
	Questions int  // put to the solver
}

// Border lists the maximal free sets and the conflicts; limit, if it is not 0, ends
// the search when there are so many of both together. solver makes a solver.
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

// ask puts a question. Where the context ends it does not wait for the solver, which may
// look for that seldom; nothing is asked of it again.
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

// newWalk prepares.
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

// take grows or shrinks a set and takes the result out.
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

// out adds all that symmetries make of a set to a list, and a clause for each.
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
