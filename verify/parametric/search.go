package parametric

import (
	"context"
	"fmt"
	"slices"

	"turnproof/verify"
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

// first bounds the networks that are looked at before a proof is tried; further those
// looked at where none was found.
var first, further = struct{ switches, side int }{36, 6}, struct{ switches, side int }{100, 10}

// try checks the program on one network; nil: it holds there, or is undecided.
func (s *system) try(sides []int, switching verify.Switching) (*Witness, *verify.Report, error) {
	r, notes, err := s.gather(s.ctx, sides)
	if err != nil {
		return nil, nil, err
	}
	rep, err := verify.Check(s.ctx, r, verify.Options{Switching: switching, AllStates: true})
	if err != nil {
		return nil, nil, err
	}
	if rep.Verdict() == verify.Refuted {
		return &Witness{s.spec(sides), sides, rep, notes}, rep, nil
	}
	return nil, rep, nil
}

// recheck puts the ranks to the checker on the network of these sides.
func (p *proof) recheck(ctx context.Context, sides []int, switching verify.Switching) error {
	n, err := p.network(sides)
	if err != nil {
		return err
	}
	r, _, err := p.program.Relation(ctx, n)
	if err != nil {
		return err
	}
	given := p.numbering(r, sides)
	_, err = verify.Check(ctx, r, verify.Options{Switching: switching, Ranks: given})
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
