package everysize

// This file defines the variables of a family.
//
// Variables, by number: coordinates of the place of the packet, of its destination, of another place that only
// detours use, then the sizes, then the place of each failure.

type family struct {
	*program
	predeclared map[string]any
	fails       []failure // in the case that is judged
	every       bool      // the claims are for every number of dimensions
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

// failure is what fails in a case.
type failure int

func (f *family) old() Form  { return variable(f.firstHop()) }
func (f *family) onto() Form { return variable(f.firstHop() + 1) }
func (f *family) far() Form  { return variable(f.firstHop() + 2) }

// firstHop is the number of the variable old.
func (f *family) firstHop() int { return 3*f.dims + len(f.names) }

// inLine returns the formula: x is a coordinate of dimension d.
func (f *family) inLine(x Form, d int) *Formula { return and(atLeast(x), lessThan(x, f.side(d))) }
