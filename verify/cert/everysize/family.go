package everysize

// This file defines the variables of a family, and how channels change the place of a packet.
//
// Variables, by number: coordinates of the place of the packet, of its destination, of another place that only
// detours use, then the sizes, then the place of each failure. A channel leads from its tail to its head. The head of a wraparound channel is at
// the other end of the ring.

type family struct {
	*program
	predeclared map[string]any
	fails       []failure // in the case that is judged
	every       bool      // the claims are for every number of dimensions
}

func newFamily(p *program) *family {
	f := &family{program: p}
	f.predeclared = f.declare()
	return f
}

// variables returns the number of variables.
func (f *family) variables() int {
	if f.complete() {
		return f.firstHop() + 3
	}
	return (3+len(f.fails))*f.dims + len(f.names)
}

func (f *family) here(d int) Form  { return variable(d) }
func (f *family) there(d int) Form { return variable(f.dims + d) }
func (f *family) other(d int) Form { return variable(2*f.dims + d) }

// side returns the length of dimension d.
func (f *family) side(d int) Form {
	if s := f.sides[d]; s.size < 0 {
		return number(s.length)
	}
	return variable(3*f.dims + f.sides[d].size)
}

// onGrid returns the formula: at, a coordinate by dimension, is on the network.
func (f *family) onGrid(at func(d int) Form) *Formula {
	var list []*Formula
	for d := range f.dims {
		list = append(list, atLeast(at(d)), lessThan(at(d), f.side(d)))
	}
	return and(list...)
}

// sizes returns the conditions on the sizes.
func (f *family) sizes() (list []*Formula) {
	for i := range f.names {
		list = append(list, atMost(number(f.least(i)), variable(3*f.dims+i)))
	}
	return append(list, f.where...)
}

// domain returns the formula: sizes, place and destination are those of a network, and the program routes the packet.
func (f *family) domain() *Formula {
	return and(and(f.sizes()...), f.onGrid(f.here), f.onGrid(f.there), f.failureDomain(), f.undelivered())
}

// undelivered returns the formula: the program routes a packet at the place. A packet at its destination is
// delivered before, unless the program has EJECT.
func (f *family) undelivered() *Formula {
	if f.passes {
		return always
	}
	return f.away()
}

// away returns the formula: the place is not the destination.
func (f *family) away() *Formula {
	var list []*Formula
	for d := range f.dims {
		list = append(list, differ(f.here(d), f.there(d)))
	}
	return or(list...)
}

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

// distance is the hops to the destination in one dimension, in one case.
type distance struct {
	when *Formula
	hops Form
}

func (f *family) distances(d int) (list []distance) {
	for _, up := range []bool{true, false} {
		hops, when := f.there(d).plus(f.here(d), -1), atMost(f.here(d), f.there(d))
		if !up {
			hops, when = f.here(d).plus(f.there(d), -1), lessThan(f.there(d), f.here(d))
		}
		if !f.rings(d) {
			list = append(list, distance{when, hops})
			continue
		}
		twice, around := hops.plus(hops, 1), f.side(d).plus(hops, -1)
		list = append(list, distance{and(when, atMost(twice, f.side(d))), hops}, distance{and(when, lessThan(f.side(d), twice)), around})
	}
	return list
}
