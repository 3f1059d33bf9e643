package enumerate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/family"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file decides single sets, with evidence.

// SetReport is a set with its verdicts and their evidence. The caller sets the first block of
// fields, Decide the others.
type SetReport struct {
	Set      space.Set
	Class    int    // from 1; 0 if the set has no class
	Conflict bool   // whether the set is a smallest set that is not free
	Name     string // under which a paper gives the set, or ""
	Source   string // the paper

	Free      bool
	Undecided string // the reason, if it is undecided whether the set is free
	Connected bool
	Maximal   bool
	Verdict   *family.Verdict
	Witness   *family.Witness // of a set that is not free
	// No path leads from switch From to switch To of network Apart, if that is not nil.
	Apart    *family.Member
	From, To int
	Evidence *cert.Certificate // nil if the set is undecided
}

// BasicName names a conflict that is one of the basic cycles L1 to L7 of the 2-D turn model paper.
// It returns "" for all others.
func BasicName(s *space.Space, conflict space.Set) string {
	for i, cycle := range s.Basic {
		var set space.Set
		for _, t := range cycle {
			set = set.With(t)
		}
		if set == conflict {
			return fmt.Sprintf("L%d of the paper", i+1)
		}
	}
	return ""
}

// Decide decides whether the set is free, connected and maximal on all networks of the family of e.
func (r *SetReport) Decide(ctx context.Context, e *Enumerator, w *Witnesses) (err error) {
	if r.Verdict, err = e.Decider.Decide(r.Set); err != nil {
		return err
	}
	r.Free, r.Undecided = r.Verdict.Acyclic, r.Verdict.Undecided
	r.Connected = e.Connected(r.Set)
	ev := family.Evidence{Connected: r.Connected}
	if !r.Connected {
		if m, from, to := e.Connector().Unreached(r.Set); m != nil {
			r.Apart, r.From, r.To = m, int(from), int(to)
			ev.Apart, ev.From, ev.To = m, from, to
		}
	}
	if r.Free {
		ev.Verdict = r.Verdict
		r.Maximal = e.Maximal(r.Set)
	} else {
		if r.Witness, err = w.find(ctx, r.Set); err != nil {
			return err
		}
		if ev.Witness = r.Witness; r.Witness != nil {
			r.Undecided = ""
		} else if r.Undecided == "" {
			r.Undecided = "no network with a cycle was found"
		}
	}
	if r.Undecided == "" {
		r.Evidence, err = e.Decider.Certificate(r.Set, ev)
	}
	return err
}

// Witnesses stores networks with a cycle. Sets with the same conflict share a network.
type Witnesses struct {
	e  *Enumerator
	of map[space.Set]*family.Witness // by conflict
}

// NewWitnesses returns an empty store for sets of e.
func NewWitnesses(e *Enumerator) *Witnesses {
	return &Witnesses{e, map[space.Set]*family.Witness{}}
}

// find returns a network on which turns of the set close a cycle. It looks for a cycle of a
// conflict within the set. It returns nil if it finds no network.
func (w *Witnesses) find(ctx context.Context, set space.Set) (*family.Witness, error) {
	conflict := w.e.Conflict(set)
	found, ok := w.of[conflict]
	if !ok {
		var err error
		if found, err = w.e.Decider.Refute(ctx, conflict); err != nil {
			return nil, err
		}
		w.of[conflict] = found
	}
	return found, nil
}

// CrossCheck compares Free with the answer of Z3, which looks for a closed walk of moves whose sum
// is zero. It returns an error if they differ, and for spaces of canonical trees.
func (r *SetReport) CrossCheck(ctx context.Context, e *Enumerator) error {
	if e.Space.Kind == space.HV && e.Space.Tree == space.CanonicalTree {
		return errors.New("--cross-check does not apply to canonical trees, whose moves do not add up; the refutations are the second check there")
	}
	found, err := family.ClosedWalk(ctx, e.Space, r.Set, smt.Limit{})
	if err != nil {
		return err
	}
	if want := map[bool]smt.Result{true: smt.Unsat, false: smt.Sat}[r.Free]; found != want {
		return fmt.Errorf("internal error: %s: free %v, Z3 says %v of a closed walk", strings.Join(e.Space.Names(r.Set), " "), r.Free, found)
	}
	return nil
}
