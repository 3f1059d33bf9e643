package program

import (
	"fmt"
	"slices"
	"strings"
)

// This file describes the networks that a program is for.

// Kinds returns the kinds of families with sizes. A program can also be for AnyNetwork.
func Kinds() []string {
	return []string{"mesh", "torus", "ring", "line", "hypercube", HyperX, HexGrid, BrickWall, Express}
}

// AnyNetwork is the kind of programs for any network. They have no sizes, so nothing is proved of them for every size.
const AnyNetwork = "network"

// HyperX is the kind of families in which every dimension is a complete graph.
const HyperX = "hyperx"

// The kinds of families with axes.
const (
	HexGrid   = "hexgrid"
	BrickWall = "brickwall"
	Express   = "express"
)

// Family describes the networks that a program is for.
type Family struct {
	Kind  string // one of Kinds, or AnyNetwork
	Sides []Side // empty if AnyDims is given
	// AnyDims is the name in mesh(*n) or hypercube(d): the sides, or the number of dimensions.
	// The program is then for any number of dimensions.
	AnyDims string
	// Rings are the dimensions with wraparound of a torus. If nil, every dimension of a torus
	// or ring has wraparound.
	Rings    []int
	Interval int // the length of express links, of Express
	Where    []SizeCondition
}

// Side is the length of a dimension: a symbol or a number.
type Side struct {
	Name   string
	Length int // if Name is empty
}

// SizeCondition is a condition on the sizes of a family. Its value is the sum of Factors times the sizes, plus
// Constant.
type SizeCondition struct {
	Text     string
	Factors  map[string]int // by the name of the size
	Constant int
	Op       ConditionOp
	Mod      int // of Divides
}

// ConditionOp says what a SizeCondition demands of its value.
type ConditionOp int

// The value is 0 or more, is 0, or is divisible by Mod.
const (
	NotNegative ConditionOp = iota
	Zero
	Divides
)

// complete reports whether all switches of a line are linked.
func (f *Family) complete() bool { return f.Kind == HyperX }

// Wrap reports whether the kind has wraparound: in all dimensions, or in those of Rings.
func (f *Family) Wrap() bool { return f.Kind == "torus" || f.Kind == "ring" }

// WrapsIn reports whether dimension d has wraparound.
func (f *Family) WrapsIn(d int) bool {
	return f.Wrap() && (f.Rings == nil || slices.Contains(f.Rings, d))
}

// maxDims is the maximum number of dimensions.
const maxDims = 16

// Shape returns the sides for a network with dims dimensions. It fails if the family has
// another number of dimensions.
func (f *Family) Shape(dims int) ([]Side, error) {
	if f.Kind == AnyNetwork {
		return nil, fmt.Errorf("%s has no dimensions; want one of %s", f, strings.Join(Kinds(), ", "))
	}
	if f.AnyDims == "" {
		if dims != len(f.Sides) {
			return nil, fmt.Errorf("%s has %d dimensions, not %d", f, len(f.Sides), dims)
		}
		return f.Sides, nil
	}
	sides := make([]Side, dims)
	for d := range sides {
		if sides[d] = (Side{Name: fmt.Sprintf("%s%d", f.AnyDims, d)}); f.Kind == "hypercube" {
			sides[d] = Side{Length: 2}
		}
	}
	return sides, nil
}

// String returns the family in the notation of programs.
func (f *Family) String() string {
	switch {
	case f.Kind == "hypercube":
		return "hypercube(" + f.AnyDims + ")"
	case f.AnyDims != "":
		return f.Kind + "(*" + f.AnyDims + ")"
	}
	var list []string
	for _, s := range f.Sides {
		list = append(list, s.String())
	}
	if f.Rings != nil {
		list = append(list, `wrap = "`+DimensionWords(f.Rings)+`"`)
	}
	if f.Interval != 0 {
		list = append(list, fmt.Sprintf("interval = %d", f.Interval))
	}
	return f.Kind + "(" + strings.Join(list, ", ") + ")"
}

// DimensionWords returns the letters of dimensions, or digits after z, as in the key wrap of specs.
func DimensionWords(dims []int) (text string) {
	for _, d := range dims {
		text += "xyz3456789"[d : d+1]
	}
	return text
}

// maxInterval is the maximum length of express links.
const maxInterval = 1 << 10

// String returns the name or the length.
func (s Side) String() string {
	if s.Name != "" {
		return s.Name
	}
	return fmt.Sprint(s.Length)
}
