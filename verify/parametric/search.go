package parametric

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file checks single networks. A refutation is the smallest network on which a
// claim fails, with the report of verify.Check. Ranks that were proved for all sizes go
// to the checker, which does not use Z3, on sizes up to 12.

// bound limits the networks of a search: number of switches, and length of each side. For
// lines and rings the side may be as long as the number of switches.
type bound struct{ switches, side int }

// firstBound limits the networks before a proof is tried, furtherBound those after a proof
// failed, and hintBound those that a counterexample of Z3 suggests.
var firstBound, furtherBound, hintBound = bound{36, 6}, bound{100, 10}, bound{400, 400}

// bounds are the bounds of the first and the further search.
type bounds struct{ first, further bound }

// bounds returns the bounds of a search. Each network counts once for each place of the failures.
func (p *prover) bounds() bounds {
	switch len(p.faults) {
	case 0:
		return bounds{firstBound, furtherBound}
	case 1:
		return bounds{bound{16, 5}, bound{25, 6}}
	}
	return bounds{bound{9, 4}, bound{12, 4}}
}

// searchSmall checks the networks within a bound, smallest first, until one fails.
func (p *prover) searchSmall(b bound) (bool, error) {
	if p.complete() {
		b.switches = b.switches * 2 / 3
	}
	if p.dims == 1 && !p.complete() {
		b.side = b.switches
	}
	list := p.sizesUpTo(b.switches, b.side)
	if len(list) == 0 { // the sizes have large lower bounds
		list = p.sizesUpTo(hintBound.switches, hintBound.switches)
		list = list[:min(len(list), maxLarge)]
	}
	if len(list) == 0 && p.script != nil { // after the search for a proof
		list = p.sizesUpTo(largestSwitches, largestSwitches)
		list = list[:min(len(list), 1)]
	}
	for _, sides := range list {
		if found, err := p.searchFrom(sides); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// searchFrom checks one network. If it fails, searchFrom also checks smaller ones, and reports the refutation.
func (p *prover) searchFrom(sides []int) (bool, error) {
	w, err := p.checkOnce(sides)
	if w == nil || err != nil {
		return false, err
	}
	// Fewer switches, in shapes that the search has not reached.
	smaller := p.sizesUpTo(p.switches(sides)-1, p.switches(sides))
	for _, other := range smaller[:min(len(smaller), maxSmaller)] {
		less, err := p.checkOnce(other)
		if err != nil {
			return false, err
		}
		if less != nil {
			w = less
			break
		}
	}
	p.reportRefuted(w)
	return true, nil
}

// largestSwitches bounds the switches of the only network that is checked if all networks of the family are larger than hintBound.
const largestSwitches = 2500

// maxLarge bounds the networks that are checked if all networks of the family are large.
const maxLarge = 4

// maxSmaller bounds the networks that are checked after a larger one has failed.
const maxSmaller = 200

// checkOnce checks one network, unless it was checked before. If the network does not fail, it
// returns nil.
func (p *prover) checkOnce(sides []int) (*Witness, error) {
	if slices.ContainsFunc(p.report.Searched, func(s []int) bool { return slices.Equal(s, sides) }) {
		return nil, nil
	}
	w, rep, err := p.checkNetwork(sides, p.Switching)
	if err != nil {
		return nil, err
	}
	p.report.Searched = append(p.report.Searched, sides)
	p.cyclic = p.cyclic || rep.Acyclic.Verdict == verify.Refuted
	return w, nil
}

// searchHints checks networks of the sizes for which Z3 found a counterexample.
func (p *prover) searchHints() (bool, error) {
	slices.SortStableFunc(p.hints, func(a, b []int) int { return p.switches(a) - p.switches(b) })
	seen := 0
	for _, sides := range p.hints {
		if p.switches(sides) > hintBound.switches || seen == maxHints {
			break
		}
		before := len(p.report.Searched)
		if found, err := p.searchFrom(sides); found || err != nil {
			return found, err
		}
		seen += len(p.report.Searched) - before
	}
	return false, nil
}

// maxHints bounds the networks that searchHints checks.
const maxHints = 12

// checkNetwork checks the program on one network. The witness is nil unless the network refutes
// the program.
func (s *system) checkNetwork(sides []int, switching model.Switching) (*Witness, *verify.Report, error) {
	r, notes, err := s.addNetwork(s.ctx, sides)
	if err != nil {
		return nil, nil, err
	}
	if len(s.claims) == 1 && slices.Contains(ExtraClaims, s.claims[0]) {
		w, err := s.checkExample(r, sides, switching)
		return w, &verify.Report{}, err
	}
	rep, err := verify.Check(s.ctx, r, verify.Options{Switching: switching, AllStates: true, NoPairs: true, Conditions: s.given(), NoSearch: s.pathsOnly})
	if err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(rep.Claims(), func(c verify.Claim) bool { return c.Verdict == verify.Refuted && s.wants(c.Name) }) {
		return &Witness{Network: s.spec(sides), Sides: sides, Report: rep, Notes: notes}, rep, nil
	}
	return nil, rep, nil
}

// recheck passes the ranks to the checker on the network with these sides.
func (p *proof) recheck(ctx context.Context, sides []int, switching model.Switching) error {
	n, err := p.network(sides)
	if err != nil {
		return err
	}
	r, _, err := p.program.Relation(ctx, n)
	if err != nil {
		return err
	}
	if p.flow != nil {
		return p.recheckFlow(r, sides)
	}
	given := p.numbering(r, sides)
	_, err = verify.Check(ctx, r, verify.Options{Switching: switching, Ranks: &verify.Ranks{Ranks: given, IsEscape: p.escape != nil}, NoPairs: true})
	return err
}

// maxPlaces bounds the places of failures for which the ranks of a network are rechecked.
const maxPlaces = 5

// sizesToRecheck returns the sides of the networks on which ranks are rechecked: all sizes
// equal up to 12, and some unequal sizes, with at most the given number of switches.
func (f *family) sizesToRecheck(switches int) (list [][]int) {
	if f.complete() {
		switches = min(switches, maxComplete)
	}
	if len(f.where) > 0 {
		list = f.sizesUpTo(switches, 12)
		return list[:min(len(list), maxRechecked)]
	}
	if len(f.sizes) == 0 {
		return [][]int{f.sidesOf(nil)}
	}
	for k := int(slices.Min(f.least)); k <= 12; k++ {
		choices := [][]int{make([]int, len(f.sizes))}
		for i, least := range f.least {
			choices[0][i] = max(int(least), k)
		}
		if len(f.sizes) > 1 && k%3 == 0 {
			other := slices.Clone(choices[0])
			other[0] = max(int(f.least[0]), k-2)
			choices = append(choices, other)
		}
		for _, c := range choices {
			if sides := f.sidesOf(c); product(sides) <= switches {
				list = append(list, few(f.settings(sides), maxPlaces)...)
			}
		}
	}
	return list
}

// maxComplete bounds the switches of HyperX networks on which ranks are rechecked. They have more channels than grids.
const maxComplete = 64

// maxRechecked bounds the networks on which ranks are rechecked if the family has conditions on its sizes.
const maxRechecked = 40

// given returns the conditions of the networks that are checked one by one.
func (s *system) given() []model.Condition {
	if s.flowOf == nil {
		return nil
	}
	return []model.Condition{s.flowOf}
}
