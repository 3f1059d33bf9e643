package program

import (
	"slices"

	"go.starlark.net/syntax"
)

// This file describes grids with other links than those of a mesh. Directions 2i and 2i+1 are plus and minus of axis i. The first axes are the
// dimensions.
//
//	hexgrid(n, m)                  axis 2, directions U and D, leads from (x, y) to (x-1, y+1)
//	brickwall(n, m)                links in y leave (x, y) in the plus direction only if x+y is even
//	express(n, m, interval = k)    axis dims+d leads k switches further in dimension d, from multiples of k
//
// A switch is not known by a model.Grid there: its number is x + n*y, and the ports are those of the directions.

// Axis is one kind of links. A link leads from a place x to x+Shift if both are on the grid, and if the sum of the coordinates times Of is a
// multiple of Mod. If Mod is 0, all places have it.
type Axis struct {
	Shift []int
	Of    []int
	Mod   int
}

// HasAxes reports whether the family has axes that are not its dimensions.
func (f *Family) HasAxes() bool {
	return slices.Contains([]string{HexGrid, BrickWall, Express}, f.Kind)
}

// Axes returns the axes of a family with dims dimensions, or nil unless HasAxes.
func (f *Family) Axes(dims int) (list []Axis) {
	if !f.HasAxes() {
		return nil
	}
	unit := func(d, k int) []int {
		v := make([]int, dims)
		v[d] = k
		return v
	}
	for d := range dims {
		list = append(list, Axis{Shift: unit(d, 1)})
	}
	switch f.Kind {
	case HexGrid:
		list = append(list, Axis{Shift: []int{-1, 1}})
	case BrickWall:
		list[1].Of, list[1].Mod = []int{1, 1}, 2
	case Express:
		for d := range dims {
			list = append(list, Axis{Shift: unit(d, f.Interval), Of: unit(d, 1), Mod: f.Interval})
		}
	}
	return list
}

// NumAxes returns the number of axes: the dimensions, unless HasAxes.
func (f *Family) NumAxes(dims int) int {
	if f.Kind == Express {
		return 2 * dims
	}
	if f.Kind == HexGrid {
		return 3
	}
	return dims
}

// Next returns the place to which the channel in direction a leads from a place on a grid with these sides. ok is false if there is none.
func (x *Axis) Next(sides, at []int, minus bool) (next []int, ok bool) {
	next = slices.Clone(at)
	for d, k := range x.Shift {
		if minus {
			k = -k
		}
		if next[d] += k; next[d] < 0 || next[d] >= sides[d] {
			return nil, false
		}
	}
	tail := at
	if minus {
		tail = next
	}
	sum := 0
	for d, k := range x.Of {
		sum += k * tail[d]
	}
	return next, x.Mod == 0 || sum%x.Mod == 0
}

// unknownOnAxes are functions about distances or rings of a mesh or torus. Programs for families with axes do not have them.
var unknownOnAxes = []string{"ahead", "crosses_dateline", "distance", "productive", "ring", "works", "wraps"}

// checkAxes returns an error if a program for a family with axes has a part that such programs do not have.
func (p *Program) checkAxes(file *syntax.File, s *syntax.AssignStmt) error {
	f := &p.Family
	switch {
	case f.Kind != Express && f.Interval != 0:
		return at(s.OpPos, "interval is for express(n, m, interval = 4)")
	case !f.HasAxes():
		return nil
	case f.AnyDims != "" || f.Kind != Express && len(f.Sides) != 2:
		return at(s.OpPos, "%s has one size for each dimension; hexgrid and brickwall have two dimensions", f.Kind)
	case f.Kind == Express && f.Interval == 0:
		return at(s.OpPos, "want the length of express links, as in express(n, m, interval = 4)")
	case p.Ranked:
		return at(s.OpPos, "programs for %s have no function rank", f.Kind)
	}
	for _, name := range unknownOnAxes {
		if mentions(file, name) {
			return at(s.OpPos, "programs for %s have no %s, which is about meshes and tori", f.Kind, name)
		}
	}
	return nil
}
