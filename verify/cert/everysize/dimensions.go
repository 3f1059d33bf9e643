package everysize

import (
	"fmt"
	"slices"
)

// This file decides whether the proof for one dimension is a proof for every number of dimensions. Programs have one of three
// forms: they correct one dimension after another (inorder.go), they have such an escape beside hops in all dimensions (spread.go), or
// they go in one direction of all dimensions before the other (phases.go).
//
// In each form the statements outside of functions have literals only, since those about n[1] fail in one dimension, and others in two.

// EveryDimension returns why a proof of the program in one dimension holds for every number of dimensions. It fails if the program has
// no form for which this is known. escape is the escape of the proof, pairs of a direction in one dimension and a VC; without an escape it is
// empty.
func EveryDimension(text string, escape [][2]int) (why string, err error) {
	defer catch(&err)
	p, err := read(text, 1)
	if err != nil {
		return "", err
	}
	return newFamily(p).everyDimension(escape)
}

// The reasons of EveryDimension. InOrder is that of programs that correct one dimension after another.
const (
	InOrder   = "the program treats all dimensions in the same manner and corrects one after another"
	whySpread = "the escape corrects one dimension after another, and every other hop is one that the program permits in a dimension alone"
	whyPhases = "the program goes in one direction of the dimensions before the other"
)

func (f *family) everyDimension(escape [][2]int) (why string, err error) {
	switch {
	case f.anyDims == "":
		return "", fmt.Errorf("the family has %d dimensions", f.dims)
	case f.states > 1 || f.draws || f.passes:
		return "", fmt.Errorf("a program with header states, inject or EJECT")
	}
	for name := range f.global {
		if reserved[name] || name == f.anyDims {
			return "", fmt.Errorf("the program defines %s", name)
		}
	}
	for _, s := range f.list {
		if !s.isFixed() {
			return "", fmt.Errorf("line %d: outside of functions, a value that may depend on the number of dimensions", s.line)
		}
	}
	route := f.list[slices.IndexFunc(f.list, func(s *stmt) bool { return s.kind == "def" && s.name == "route" })]
	if len(route.params) != 3 {
		return "", fmt.Errorf("line %d: route has %d parameters", route.line, len(route.params))
	}
	if len(escape) > 0 {
		return whySpread, f.spreads(route, escape)
	}
	if f.inPhases(route) == nil {
		return whyPhases, nil
	}
	return InOrder, f.inOrder(route)
}
