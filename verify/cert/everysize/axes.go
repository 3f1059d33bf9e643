package everysize

// This file has the channels of grids with other links than those of a mesh. Directions 2i and 2i+1 are plus and minus of axis i; the first axes
// are the dimensions.
//
//	hexgrid(n, m)                  axis 2 leads from (x, y) to (x-1, y+1)
//	brickwall(n, m)                axis 1 leads from (x, y) to (x, y+1), if x+y is even
//	express(n, m, interval = k)    axis dims+d leads k further in dimension d, from multiples of k

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
