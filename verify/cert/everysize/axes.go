package everysize

import (
	"fmt"
	"slices"
)

// This file has the channels of grids with other links than those of a mesh. Directions 2i and 2i+1 are plus and minus of axis i; the first axes
// are the dimensions.
//
//	hexgrid(n, m)                  axis 2 leads from (x, y) to (x-1, y+1)
//	brickwall(n, m)                axis 1 leads from (x, y) to (x, y+1), if x+y is even
//	express(n, m, interval = k)    axis dims+d leads k further in dimension d, from multiples of k

// axis is a kind of links. A link leads from a place x to x+shift if both are on the grid, and the sum of the coordinates times of is a multiple
// of mod. If mod is 0, every place has it.
type axis struct {
	shift, of []int64
	mod       int64
}

// The kinds of families with axes.
const (
	hexGrid   = "hexgrid"
	brickWall = "brickwall"
	express   = "express"
)

// maxInterval is the largest length of express links.
const maxInterval = 1 << 10

func (p *program) hasAxes() bool {
	return p.kind == hexGrid || p.kind == brickWall || p.kind == express
}

// makeAxes sets the axes after the family is read, if it has some.
func (p *program) makeAxes(wrong error) error {
	if (p.interval != 0) != (p.kind == express) {
		return wrong
	}
	if !p.hasAxes() {
		return nil
	}
	if p.anyDims != "" || p.kind != express && p.dims != 2 {
		return wrong
	}
	unit := func(d int, k int64) []int64 {
		v := make([]int64, p.dims)
		v[d] = k
		return v
	}
	for d := range p.dims {
		p.axes = append(p.axes, axis{shift: unit(d, 1)})
	}
	switch p.kind {
	case hexGrid:
		p.axes = append(p.axes, axis{shift: []int64{-1, 1}})
	case brickWall:
		p.axes[1].of, p.axes[1].mod = []int64{1, 1}, 2
	case express:
		for d := range p.dims {
			p.axes = append(p.axes, axis{shift: unit(d, p.interval), of: unit(d, 1), mod: p.interval})
		}
	}
	return nil
}

// numAxes returns the number of axes.
func (p *program) numAxes() int {
	if p.hasAxes() {
		return len(p.axes)
	}
	return p.dims
}

// unknownOnAxes are the names that programs for a family with axes may not use: functions about distances or rings of a mesh or torus.
var unknownOnAxes = []string{"ahead", "crosses_dateline", "distance", "productive", "ring", "works", "wraps"}

// checkAxes returns an error if a program for a family with axes uses such a name.
func (p *program) checkAxes(tokens []token) error {
	for _, t := range tokens {
		if p.hasAxes() && t.kind == nameToken && slices.Contains(unknownOnAxes, t.text) {
			return fmt.Errorf("line %d: %s in a program for %s", t.line, t.text, p.kind)
		}
	}
	return nil
}

// next returns coordinate d of the place that a channel in a direction leads to.
func (f *family) next(dir direction, d int) Form {
	k := f.axes[dir.dim()].shift[d]
	if !dir.plus() {
		k = -k
	}
	return f.here(d).shift(k)
}

// axisTail returns the formula: a channel in a direction leaves the place.
func (f *family) axisTail(dir direction) *Formula {
	x := f.axes[dir.dim()]
	var list []*Formula
	sum := number(0)
	for d, k := range x.shift {
		if k != 0 {
			list = append(list, atLeast(f.next(dir, d)), lessThan(f.next(dir, d), f.side(d)))
		}
		if x.mod == 0 {
			continue
		}
		if dir.plus() {
			sum = sum.plus(f.here(d), x.of[d])
		} else {
			sum = sum.plus(f.next(dir, d), x.of[d])
		}
	}
	if x.mod != 0 {
		list = append(list, divides(sum, x.mod))
	}
	return and(list...)
}

// alongAxis returns the replacement of the place by the head of a channel.
func (f *family) alongAxis(dir direction) []Form {
	by := make([]Form, f.variables())
	for d, k := range f.axes[dir.dim()].shift {
		if k != 0 {
			by[d] = f.next(dir, d)
		}
	}
	return by
}

// axisFarther returns the formula: the hop does not decrease the sum of the distances in the dimensions.
func (f *family) axisFarther(dir direction) *Formula {
	var list []*Formula
	var visit func(d int, when *Formula, before, after Form)
	forward := f.alongAxis(dir)
	visit = func(d int, when *Formula, before, after Form) {
		if d == f.dims {
			list = append(list, and(when, atMost(before, after)))
			return
		}
		if forward[d] == nil {
			visit(d+1, when, before, after)
			return
		}
		for _, a := range f.distances(d) {
			for _, b := range f.distances(d) {
				visit(d+1, and(when, a.when, b.when.move(forward)), before.plus(a.hops, 1), after.plus(b.hops.move(forward), 1))
			}
		}
	}
	visit(0, always, number(0), number(0))
	return or(list...)
}
