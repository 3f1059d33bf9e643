package everysize

import "fmt"

// This file defines networks with at most one or two failed links or switches, anywhere, and what works(at, a) is there.
//
// A theorem about failures has cases, each with its own evidence: none, a link of dimension 0, of dimension 1, and so on; or
// none, and a switch; then two of them, in ascending order. The coordinates of the failures are variables after the sizes. Two
// failures may be at the same place. A failed link is that of the channel in
// the plus direction from there; both of its channels fail. A failed switch has no packets, and its channels fail.

// switchFailed is the failure of a switch. From 0 on, it is that of a link of this dimension.
const switchFailed failure = -1

// faultKinds are the failures that a theorem can be about: the words, and the greatest number.
var faultKinds = map[string]struct {
	most     int
	switches bool
	text     string
}{
	"":           {0, false, ""},
	"links:1":    {1, false, ", with at most one failed link anywhere"},
	"links:2":    {2, false, ", with at most two failed links anywhere"},
	"switches:1": {1, true, ", with at most one failed switch anywhere"},
	"switches:2": {2, true, ", with at most two failed switches anywhere"},
}

// cases returns the cases of faults, which is a key of faultKinds: what fails in each.
func (f *family) cases(faults string) (list [][]failure, err error) {
	kind, known := faultKinds[faults]
	if !known {
		return nil, fmt.Errorf("failures %.40q; want links or switches, and 1 or 2: links:1", faults)
	}
	single := []failure{switchFailed}
	if !kind.switches {
		single = nil
		for d := range f.dims {
			single = append(single, failure(d))
		}
	}
	list = [][]failure{nil}
	if kind.most > 0 {
		for _, a := range single {
			list = append(list, []failure{a})
		}
	}
	if kind.most > 1 {
		for _, a := range single {
			for _, b := range single {
				if a <= b {
					list = append(list, []failure{a, b})
				}
			}
		}
	}
	return list, nil
}

// faultsText describes faults in a theorem.
func faultsText(faults string) string { return faultKinds[faults].text }

// in returns the family in a case.
func (f *family) in(fails []failure) *family {
	g := *f
	g.fails = fails
	return &g
}

// failed returns the place of failure k: a coordinate by dimension.
func (f *family) failed(k int) func(d int) Form {
	return func(d int) Form { return variable((3+k)*f.dims + len(f.names) + d) }
}

// isFailed returns the formula: at, a coordinate by dimension, is the place of failure k.
func (f *family) isFailed(at func(d int) Form, k int) *Formula {
	var list []*Formula
	for d := range f.dims {
		list = append(list, equal(at(d), f.failed(k)(d)))
	}
	return and(list...)
}

// failureDomain returns the formula: the failures are on the network, and neither the place nor the destination has failed.
func (f *family) failureDomain() *Formula {
	var list []*Formula
	for k, what := range f.fails {
		list = append(list, f.onGrid(f.failed(k)))
		if what == switchFailed {
			list = append(list, not(f.isFailed(f.here, k)), not(f.isFailed(f.there, k)))
		} else if d := int(what); !f.rings(d) {
			list = append(list, lessThan(f.failed(k)(d), f.side(d).shift(-1)))
		}
	}
	return and(list...)
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
		fine := []*Formula{b.when}
		for k, what := range f.fails {
			switch {
			case what == switchFailed:
				fine = append(fine, not(f.isFailed(at, k)), not(f.isFailed(b.at, k)))
			case int(what) != dir.dim(): // no link of this dimension has failed
			case dir.plus():
				fine = append(fine, not(f.isFailed(at, k)))
			default:
				fine = append(fine, not(f.isFailed(b.at, k)))
			}
		}
		list = append(list, and(fine...))
	}
	return and(f.onGrid(at), or(list...))
}

// domain returns the formula: sizes, place and destination are those of a network, and the program routes the packet.
func (f *family) domain() *Formula {
	return and(and(f.sizes()...), f.onGrid(f.here), f.onGrid(f.there), f.failureDomain(), f.undelivered())
}
