package everysize

// This file defines how channels change the place of a packet. A channel leads from its tail to its head. The head of a wraparound
// channel is at the other end of the ring.

// isTail returns the formula: a channel of this direction leaves the place. wrap says which kind.
func (f *family) isTail(dir direction, wrap bool) *Formula {
	d := dir.dim()
	var x, last Form
	if d < f.dims {
		x, last = f.here(d), f.side(d).shift(-1)
	}
	switch {
	case f.complete():
		return f.inLine(f.onto(), d)
	case f.hasAxes():
		return f.axisTail(dir)
	case wrap && dir.plus():
		return equal(x, last)
	case wrap:
		return equal(x, number(0))
	case dir.plus():
		return lessThan(x, last)
	}
	return lessThan(number(0), x)
}

// isHead returns the formula: a channel of this direction enters the place. It is the channel back from there.
func (f *family) isHead(dir direction, wrap bool) *Formula {
	if f.complete() {
		return f.inLine(f.old(), dir.dim())
	}
	return f.isTail(dir^1, wrap)
}

// toHead returns the replacement of the place by the place one hop further, toTail by the place one hop back.
func (f *family) toHead(dir direction, wrap bool) []Form {
	by, d := make([]Form, f.variables()), dir.dim()
	if f.complete() {
		return f.hopForward(d)
	}
	if f.hasAxes() {
		return f.alongAxis(dir)
	}
	switch {
	case wrap && dir.plus():
		by[d] = number(0)
	case wrap:
		by[d] = f.side(d).shift(-1)
	case dir.plus():
		by[d] = f.here(d).shift(1)
	default:
		by[d] = f.here(d).shift(-1)
	}
	return by
}

func (f *family) toTail(dir direction, wrap bool) []Form {
	if f.complete() {
		return f.hopBack(dir.dim())
	}
	return f.toHead(dir^1, wrap)
}

// toOther returns the replacement of the place by the other place, otherHere the reverse.
func (f *family) toOther() []Form {
	by := make([]Form, f.variables())
	for d := range f.dims {
		by[d] = f.other(d)
	}
	if f.complete() {
		by[f.firstHop()] = f.far()
	}
	return by
}

func (f *family) otherHere() []Form {
	by := make([]Form, f.variables())
	for d := range f.dims {
		by[2*f.dims+d] = f.here(d)
	}
	return by
}

// fartherAfter returns the formula: the hop over a channel of this direction does not decrease the distance
// to the destination. Only the distance in one dimension changes.
func (f *family) fartherAfter(dir direction, wrap bool) *Formula {
	if f.complete() {
		return f.notNearer(dir.dim())
	}
	if f.hasAxes() {
		return f.axisFarther(dir)
	}
	var list []*Formula
	forward := f.toHead(dir, wrap)
	for _, a := range f.distances(dir.dim()) {
		for _, b := range f.distances(dir.dim()) {
			list = append(list, and(a.when, b.when.move(forward), atMost(a.hops, b.hops.move(forward))))
		}
	}
	return or(list...)
}
