package parametric

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file looks at small networks one by one: a refutation is the smallest network on
// which a claim fails, with what "check" finds there; and ranks that were proved for
// all sizes are put to the checker, which knows nothing of Z3, on sizes up to 12.

// Witness is a network on which the program fails.
type Witness struct {
	Network string // as a spec
	Sides   []int
	Report  *verify.Report
	Notes   []string // outputs where there is no channel
}

// spec names the network of these sides.
func (f *family) spec(sides []int) string {
	kind, vcs := f.program.Family.Kind, ""
	size := sidesText(sides)
	if kind == "hypercube" {
		size = fmt.Sprint(len(sides))
	}
	if f.program.VCs > 1 {
		vcs = fmt.Sprintf(",vcs=%d", f.program.VCs)
	}
	return kind + ":" + size + vcs
}

// bound is which networks are looked at: of so many switches, with sides up to so many;
// lines and rings by their switches only.
type bound struct{ switches, side int }

// first are looked at before a proof is tried, further where none was found, and hint is
// the largest where a solver's counterexample leads.
var first, further, hint = bound{36, 6}, bound{100, 10}, bound{400, 400}

// small looks at the networks within a bound that were not looked at yet, in the order
// of their switches, up to one that fails.
func (p *prover) small(b bound) (bool, error) {
	if p.dims == 1 {
		b.side = b.switches
	}
	for _, sides := range p.sizesUpTo(b.switches, b.side) {
		if found, err := p.look(sides); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// look looks at one network, unless it was looked at; if it fails, at smaller ones, too.
func (p *prover) look(sides []int) (bool, error) {
	w, err := p.checked(sides)
	if w == nil || err != nil {
		return false, err
	}
	// Fewer switches, in shapes that the search has not come to.
	smaller := p.sizesUpTo(product(sides)-1, product(sides))
	for _, other := range smaller[:min(len(smaller), maxSmaller)] {
		less, err := p.checked(other)
		if err != nil {
			return false, err
		}
		if less != nil {
			w = less
			break
		}
	}
	p.refuted(w)
	return true, nil
}

// maxSmaller bounds the networks that are looked at once a larger one has failed.
const maxSmaller = 200

// checked checks one network, unless it was looked at; nil: it does not fail.
func (p *prover) checked(sides []int) (*Witness, error) {
	if slices.ContainsFunc(p.report.Searched, func(s []int) bool { return slices.Equal(s, sides) }) {
		return nil, nil
	}
	w, rep, err := p.try(sides, p.Switching)
	if err != nil {
		return nil, err
	}
	p.report.Searched = append(p.report.Searched, sides)
	p.cyclic = p.cyclic || rep.Acyclic.Verdict == verify.Refuted
	return w, nil
}

// hinted looks at networks of the sizes at which a solver found something amiss.
func (p *prover) hinted() (bool, error) {
	slices.SortStableFunc(p.hints, func(a, b []int) int { return product(a) - product(b) })
	seen := 0
	for _, sides := range p.hints {
		if product(sides) > hint.switches || seen == maxHints {
			break
		}
		before := len(p.report.Searched)
		if found, err := p.look(sides); found || err != nil {
			return found, err
		}
		seen += len(p.report.Searched) - before
	}
	return false, nil
}

// maxHints bounds the networks that hints lead to.
const maxHints = 12

// try checks the program on one network; nil: it holds there, or is undecided.
func (s *system) try(sides []int, switching model.Switching) (*Witness, *verify.Report, error) {
	r, notes, err := s.gather(s.ctx, sides)
	if err != nil {
		return nil, nil, err
	}
	rep, err := verify.Check(s.ctx, r, verify.Options{Switching: switching, AllStates: true, NoPairs: true})
	if err != nil {
		return nil, nil, err
	}
	if rep.Verdict() == verify.Refuted {
		return &Witness{s.spec(sides), sides, rep, notes}, rep, nil
	}
	return nil, rep, nil
}

// recheck puts the ranks to the checker on the network of these sides.
func (p *proof) recheck(ctx context.Context, sides []int, switching model.Switching) error {
	n, err := p.network(sides)
	if err != nil {
		return err
	}
	r, _, err := p.program.Relation(ctx, n)
	if err != nil {
		return err
	}
	given := p.numbering(r, sides)
	_, err = verify.Check(ctx, r, verify.Options{Switching: switching, Ranks: given, EscapeRanks: p.escape != nil, NoPairs: true})
	return err
}

// sizesToRecheck lists the networks on which ranks are rechecked: all sizes equal up to
// 12, and for sizes of their own some unequal ones; as far as they have at most so many
// switches.
func (f *family) sizesToRecheck(switches int) (list [][]int) {
	for k := int(f.least); k <= 12; k++ {
		choices := [][]int{make([]int, len(f.sizes))}
		for i := range f.sizes {
			choices[0][i] = k
		}
		if len(f.sizes) > 1 && k%3 == 0 {
			other := slices.Clone(choices[0])
			other[0] = max(int(f.least), k-2)
			choices = append(choices, other)
		}
		for _, c := range choices {
			if sides := f.sidesOf(c); product(sides) <= switches {
				list = append(list, sides)
			}
		}
		if len(f.sizes) == 0 {
			break
		}
	}
	return list
}
