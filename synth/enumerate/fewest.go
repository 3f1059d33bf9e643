package enumerate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/sat"
)

// This file lists the sets that prohibit the fewest class turns. The sets must be free and connect
// all pairs on every network of the family.
//
// A solver proposes a set with at most k prohibited turns that no clause excludes. If the set is
// not free, it is shrunk to a conflict, and some turn of the conflict must be prohibited. If the
// set leaves pairs unconnected, a further turn must be allowed. k starts at 0. The first k with a
// valid set is the fewest, and all sets of that size are listed. (Implicit hitting sets: J. Davies
// and F. Bacchus, Solving MAXSAT by solving a sequence of simpler SAT instances, CP 2011.)

// Fewest returns the sets, in the order of Set.Less, and the number of turns that each prohibits.
// It returns no sets if no set is free and connected. If ctx ends first, it returns a lower bound
// on that number and the error of ctx. It fails for a space whose connectedness cannot be decided.
func (e *Enumerator) Fewest(ctx context.Context, solver func() sat.Solver) ([]space.Set, int, error) {
	if !e.con.Decides() {
		return nil, 0, fmt.Errorf("%s: fewest is about connected sets, and directions from a file do not say "+
			"which channels a network has, so that connected is not decided; maximal lists the largest deadlock-free sets", e.Space.Name)
	}
	if e.Space.Kind == space.Mesh {
		return e.fewestByOrders(ctx)
	}
	first := 0
	if s := e.Space; s.Kind == space.Torus && s.VCs == 1 && s.Dims > 2 {
		found, bound, err := e.fewestByPlanes(ctx)
		if len(found) > 0 || err != nil {
			return found, bound, err
		}
		first = bound + 1
	}
	w := e.newWalk(solver)
	var prohibited []sat.Lit
	for _, x := range w.vars {
		prohibited = append(prohibited, -x)
	}
	above := sat.MoreThan(w.s, prohibited, len(prohibited))
	for k := first; k <= len(w.vars); k++ {
		var assume []sat.Lit
		if k < len(above) {
			assume = append(assume, -above[k])
		}
		found, err := w.connectedSets(ctx, assume)
		if err != nil {
			return nil, k, err
		}
		if len(found) > 0 {
			sortSets(found)
			return found, k, nil
		}
	}
	return nil, 0, nil
}

// connectedSets returns the free and connected sets that satisfy assume and the clauses so far, with their images. Clauses exclude all sets that
// the solver proposed.
func (w *walk) connectedSets(ctx context.Context, assume []sat.Lit) (found []space.Set, err error) {
	for {
		switch w.ask(ctx, assume) {
		case sat.Unknown:
			return nil, cmp.Or(ctx.Err(), errors.New("enumerate: the solver has no answer"))
		case sat.Unsat:
			return found, nil
		}
		set := w.model()
		if !w.Free(set) {
			if err := w.exclude(w.Conflict(set)); err != nil {
				return nil, err
			}
			continue
		}
		stands := w.Connected(set)
		for _, to := range w.images {
			image := set.Map(to)
			if w.Connected(image) != stands {
				return nil, fmt.Errorf("enumerate: internal error, a symmetry changes the connectedness of %v", w.Space.Names(set))
			}
			if stands && !slices.Contains(found, image) {
				found = append(found, image)
			}
			var more []sat.Lit // the set and all its subsets are excluded
			for t, x := range w.vars {
				if !image.Has(t) {
					more = append(more, x)
				}
			}
			w.s.Add(more...)
		}
		if w.Progress != nil {
			w.Progress("sets", len(found))
		}
	}
}

// fewestByOrders searches the maximal sets of a mesh. A set with the fewest prohibited turns is
// maximal.
func (e *Enumerator) fewestByOrders(ctx context.Context) (found []space.Set, fewest int, err error) {
	maximal, err := e.ByOrders(ctx)
	for _, set := range maximal {
		k := len(e.Space.Turns) - len(set.List())
		if !e.Connected(set) || len(found) > 0 && k > fewest {
			continue
		}
		if k < fewest {
			found = found[:0]
		}
		found, fewest = append(found, set), k
	}
	return found, fewest, err
}

// ask calls the solver. If ctx ends, it does not wait for the solver, which may check for that
// rarely. The solver is not used again after that.
func (w *walk) ask(ctx context.Context, assume []sat.Lit) sat.Result {
	answer := make(chan sat.Result, 1)
	go func() { answer <- w.s.Solve(ctx, sat.Limit{}, assume...) }()
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
		return sat.Unknown
	}
}

// walk is the state of the search.
type walk struct {
	*Enumerator
	s      sat.Solver
	vars   []sat.Lit // by turn: whether it is allowed
	images [][]int
}

func (e *Enumerator) newWalk(solver func() sat.Solver) *walk {
	w := &walk{Enumerator: e, s: solver()}
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

// exclude adds a clause for a conflict, and for each of its images.
func (w *walk) exclude(conflict space.Set) error {
	for _, to := range w.images {
		image := conflict.Map(to)
		if w.Free(image) {
			return fmt.Errorf("enumerate: internal error, a symmetry changes the verdict of %v", w.Space.Names(conflict))
		}
		var clause []sat.Lit
		for _, t := range image.List() {
			clause = append(clause, -w.vars[t])
		}
		w.s.Add(clause...)
	}
	return nil
}
