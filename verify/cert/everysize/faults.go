package everysize

import "fmt"

// This file defines networks with at most one failed link or switch, anywhere, and what works(at, a) is there.
//
// A theorem about failures has cases, each with its own evidence: none, a link of dimension 0, of dimension 1, and so on; or
// none, and a switch. The coordinates of the failure are variables after the sizes. A failed link is that of the channel in
// the plus direction from there; both of its channels fail. A failed switch has no packets, and its channels fail.

// failure is what fails in a case.
type failure int

// The failures. From 0 on, it is a link of this dimension.
const (
	noFailure    failure = -2
	switchFailed failure = -1
)

// cases returns the cases of faults: "", "links:1" or "switches:1".
func (f *family) cases(faults string) (list []failure, err error) {
	list = []failure{noFailure}
	switch faults {
	case "":
	case "links:1":
		for d := range f.dims {
			list = append(list, failure(d))
		}
	case "switches:1":
		list = append(list, switchFailed)
	default:
		return nil, fmt.Errorf("failures %.40q; want links:1 or switches:1", faults)
	}
	return list, nil
}

// faultsText describes faults in a theorem.
func faultsText(faults string) string {
	switch faults {
	case "links:1":
		return ", with at most one failed link anywhere"
	case "switches:1":
		return ", with at most one failed switch anywhere"
	}
	return ""
}

// in returns the family in a case.
func (f *family) in(fails failure) *family {
	g := *f
	g.fails = fails
	return &g
}

// failed returns coordinate d of the failure.
func (f *family) failed(d int) Form { return variable(3*f.dims + len(f.names) + d) }

// isFailed returns the formula: at, a coordinate by dimension, is the place of the failure.
func (f *family) isFailed(at func(d int) Form) *Formula {
	var list []*Formula
	for d := range f.dims {
		list = append(list, equal(at(d), f.failed(d)))
	}
	return and(list...)
}

// failureDomain returns the formula: the failure is on the network, and neither the place nor the destination has failed.
func (f *family) failureDomain() *Formula {
	switch f.fails {
	case noFailure:
		return always
	case switchFailed:
		return and(f.onGrid(f.failed), not(f.isFailed(f.here)), not(f.isFailed(f.there)))
	}
	if d := int(f.fails); !f.rings(d) {
		return and(f.onGrid(f.failed), lessThan(f.failed(d), f.side(d).shift(-1)))
	}
	return f.onGrid(f.failed)
}

// beyond returns the place one hop from a place, with the condition under which it is there: over an inner channel, or over a
// wraparound channel.
type beyond struct {
	when *Formula
	at   func(d int) Form
}

func (f *family) beyond(at func(d int) Form, dir direction) []beyond {
	d := dir.dim()
	with := func(x Form) func(int) Form {
		return func(e int) Form {
			if e == d {
				return x
			}
			return at(e)
		}
	}
	last := f.side(d).shift(-1)
	edge, step, other := last, int64(1), number(0)
	if !dir.plus() {
		edge, step, other = number(0), -1, last
	}
	list := []beyond{{differ(at(d), edge), with(at(d).shift(step))}}
	if f.rings(d) {
		list = append(list, beyond{equal(at(d), edge), with(other)})
	}
	return list
}

// works returns the formula: the switch at a place has a channel in this direction that has not failed.
func (f *family) works(at func(d int) Form, dir direction) *Formula {
	var list []*Formula
	for _, b := range f.beyond(at, dir) {
		fine := always
		switch {
		case f.fails == switchFailed:
			fine = and(not(f.isFailed(at)), not(f.isFailed(b.at)))
		case int(f.fails) != dir.dim(): // no link of this dimension has failed
		case dir.plus():
			fine = not(f.isFailed(at))
		default:
			fine = not(f.isFailed(b.at))
		}
		list = append(list, and(b.when, fine))
	}
	return and(f.onGrid(at), or(list...))
}

// workingChannel is the function works of programs.
func (m *machine) workingChannel(at, dir any) any {
	if m.complete() {
		fail("works of a program for hyperx")
	}
	a, ok := dir.(direction)
	items, isPlace := elements(at)
	if _, isList := at.(*list); !ok || !isPlace || isList || a.dim() >= m.dims || len(items) != m.dims {
		fail("works wants a place of %d coordinates, and a direction", m.dims)
	}
	coords := make([]Form, m.dims)
	for d, v := range items {
		switch v := v.(type) {
		case int64:
			coords[d] = number(v)
		case *symbol:
			if v.den != 1 {
				fail("works of a fraction")
			}
			coords[d] = v.num
		default:
			fail("works of a coordinate that is not a number")
		}
	}
	working := m.works(func(d int) Form { return coords[d] }, a)
	return m.choose(working, not(working)) == 0
}
