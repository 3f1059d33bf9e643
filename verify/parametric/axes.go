package parametric

import "github.com/turnproof/turnproof/model/program"

// This file defines the channels of families with axes: hexagonal grids, brick walls and express meshes. The direction of a channel is 2i or 2i+1,
// plus or minus of axis i. There is no wraparound.

// numDirs returns the number of directions of a grid.
func (f *family) numDirs() program.Dir { return program.Dir(2 * f.program.Family.NumAxes(f.dims)) }

// alongAxis is toHead for a family with axes.
func (f *family) alongAxis(dir program.Dir) []form {
	by := make([]form, f.variables())
	for d, k := range f.axes[dir.Dim()].Shift {
		if k != 0 {
			by[d] = f.here(d).add(step(dir) * int64(k))
		}
	}
	return by
}

// axisTail is tailAtoms for a family with axes.
func (f *family) axisTail(dir program.Dir) (list []atom) {
	axis, by := f.axes[dir.Dim()], f.alongAxis(dir)
	for d, x := range by[:f.dims] {
		if x == nil {
			continue
		}
		for i, a := range f.within(x, d) { // the place itself is on the network
			if lower := i == 0; lower == (step(dir)*int64(axis.Shift[d]) < 0) {
				list = append(list, a)
			}
		}
	}
	if axis.Mod == 0 {
		return list
	}
	sum := f.number(0)
	for d, k := range axis.Of {
		x := f.here(d)
		if dir.Minus() && by[d] != nil { // the tail of the link's plus direction
			x = by[d]
		}
		sum = sum.plus(x, int64(k))
	}
	return append(list, atom{form: sum, mod: int64(axis.Mod)})
}

// noAxis returns the conditions: no channel leaves the current place in direction dir. One of them holds then.
func (f *family) noAxis(dir program.Dir) (list [][]atom) {
	for _, a := range f.axisTail(dir) {
		if a.mod == 0 {
			list = append(list, a.negated())
			continue
		}
		for k := int64(1); k < a.mod; k++ {
			list = append(list, []atom{{form: a.form.add(k), mod: a.mod}})
		}
	}
	return list
}
