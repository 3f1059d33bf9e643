package everysize

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges bounds on the length of paths.
//
// A measure of a class is a constant, and a factor for each dimension. Its value for a packet is the constant plus the sum of the
// factors times the distances to the destination, by dimension. Theorem. Let these formulas have no solution:
//
//	length  the measure of a packet that is routed is below 1, or below 0 if the program has EJECT; or a hop does not
//	        decrease the measure.
//
// Then a path has at most as many hops as the measure of the created packet says. The distance in a dimension is at most that
// of two opposite switches, so this bounds all paths by a sum over the sizes. If all factors are 1 and the constant is 0, the bound
// is the distance, and every path is a shortest path.

// measure is a constant, then a factor for each dimension.
type measure []int64

// With failures, each case has measures. The bound has the greatest constant, and the greatest factor of each dimension, of all cases.

// lengths passes the obligations about measures, a constant and factors by class, to the solver. t has been proved.
func (t *theorem) lengths(measures []int32) error {
	all := append([]class{created}, t.classes...)
	if t.hasAxes() { // distances are not sums over dimensions
		return fmt.Errorf("length: on %s", t.kind)
	}
	of := map[class]measure{}
	for i, a := range all {
		m := make(measure, 1+t.dims)
		for k := range m {
			m[k] = int64(measures[i*(1+t.dims)+k])
		}
		of[a] = m
	}
	for _, w := range of[created][1:] {
		if w < 0 {
			return fmt.Errorf("length: a negative factor of created packets")
		}
	}
	least := int64(1)
	if t.passes {
		least = 0
	}
	for _, a := range all {
		known := t.known(a)
		if err := t.refute("length", a.String(), known, t.below(of[a], least)); err != nil {
			return err
		}
		for _, b := range t.targets(a) {
			if of[b] == nil { // "move" shows that no packet gets there
				continue
			}
			step := t.stepBy(a, b, allOutputs)
			forward := t.toHead(b.dir, b.wrap)
			if err := t.refute("length", a.String()+" to "+b.String(), known, step, t.undelivered().move(forward), t.notLower(of[a], of[b], b)); err != nil {
				return err
			}
		}
	}
	return nil
}

// awayIn returns the cases of the distance in dimension d.
func (f *family) awayIn(d int) []distance {
	if !f.complete() {
		return f.distances(d)
	}
	return []distance{{equal(f.here(d), f.there(d)), number(0)}, {differ(f.here(d), f.there(d)), number(1)}}
}

// below returns the formula: the measure of a packet at the place is below least.
func (f *family) below(m measure, least int64) *Formula {
	return f.sumCases(m, 0, number(m[0]-least+1), always, -1)
}

// sumCases returns the formula: the sum of factors times distances in the dimensions from d on, except one, plus rest is at most 0.
func (f *family) sumCases(m measure, d int, rest Form, when *Formula, except int) *Formula {
	if d == f.dims {
		return and(when, atMost(rest, number(0)))
	}
	if d == except || m[1+d] == 0 {
		return f.sumCases(m, d+1, rest, when, except)
	}
	var list []*Formula
	for _, x := range f.awayIn(d) {
		list = append(list, f.sumCases(m, d+1, rest.plus(x.hops, m[1+d]), and(when, x.when), except))
	}
	return or(list...)
}

// notLower returns the formula: a packet of measure a at the place has no lower measure, b, after a hop to class to.
func (f *family) notLower(a, b measure, to class) *Formula {
	d, forward := to.dir.dim(), f.toHead(to.dir, to.wrap)
	difference := make(measure, len(a))
	for k := range a {
		difference[k] = add(a[k], -b[k])
	}
	var list []*Formula
	for _, before := range f.awayIn(d) {
		for _, after := range f.awayIn(d) {
			rest := number(difference[0]).plus(before.hops, a[1+d]).plus(after.hops.move(forward), -b[1+d])
			list = append(list, f.sumCases(difference, 0, rest, and(before.when, after.when.move(forward)), d))
		}
	}
	return or(list...)
}

// created returns the greatest constant and factors of created packets, of all cases, or nil if numbers are missing.
func (f *family) created(e *cert.EverySize) measure {
	var most measure
	measures := e.Length.Measures
	for i := range 1 + len(e.Cases) {
		classes := e.Classes
		if i > 0 {
			classes = e.Cases[i-1].Classes
		}
		size := (1 + len(classes)) * (1 + f.dims)
		if len(measures) < size {
			return nil
		}
		for k, w := range measures[:1+f.dims] {
			if i == 0 {
				most = append(most, int64(w))
			}
			most[k] = max(most[k], int64(w))
		}
		measures = measures[size:]
	}
	return most
}

// lengthText returns what a measure of created packets says about the paths.
func (f *family) lengthText(m measure) string {
	shortest := true
	var parts []string
	for d := range f.dims {
		w := m[1+d]
		if shortest = shortest && w == 1; w == 0 {
			continue
		}
		far := ""
		switch s := f.sides[d]; {
		case f.complete():
			far = "1"
		case s.size < 0 && f.rings(d):
			far = fmt.Sprint(s.length / 2)
		case s.size < 0:
			far = fmt.Sprint(s.length - 1)
		case f.rings(d):
			far = fmt.Sprintf("floor(%s/2)", f.names[s.size])
		default:
			far = fmt.Sprintf("(%s - 1)", f.names[s.size])
		}
		if w > 1 {
			far = fmt.Sprintf("%d*%s", w, far)
		}
		parts = append(parts, far)
	}
	if m[0] != 0 || parts == nil {
		parts = append(parts, fmt.Sprint(m[0]))
	}
	text := "no path has more than " + strings.ReplaceAll(strings.Join(parts, " + "), "+ -", "- ") + " hops"
	if shortest && m[0] == 0 {
		text += ", and every path is a shortest path"
	}
	return text
}

// proveLength passes the obligations about lengths to the solver, after those of the claims were proved.
func (o *opened) proveLength(l *cert.SizeLength, solver Solver) (err error) {
	defer catch(&err)
	if o.every {
		return fmt.Errorf("length: for every number of dimensions")
	}
	measures := l.Measures
	for _, t := range o.cased {
		size := (1 + len(t.classes)) * (1 + t.dims)
		if len(measures) < size {
			return fmt.Errorf("length: the measures end early")
		}
		t.solver = solver
		if err := t.lengths(measures[:size]); err != nil {
			return err
		}
		measures = measures[size:]
	}
	if len(measures) > 0 {
		return fmt.Errorf("length: %d numbers after the measures", len(measures))
	}
	return nil
}

// ProveLength passes the obligations about lengths of c, which is a certificate with the other proofs, to the solver.
func ProveLength(c *cert.Certificate, solver Solver) error {
	claim := evidenced(c)
	if claim == nil || claim.Sizes.Length == nil {
		return fmt.Errorf("not a certificate about the length of paths")
	}
	o, err := open(c)
	if err != nil {
		return err
	}
	if _, err := o.proveCases(claim.Sizes, &reader{&stream{numbers: claim.Sizes.Proofs}}); err != nil {
		return err
	}
	return o.proveLength(claim.Sizes.Length, solver)
}

// LengthText returns what a measure of created packets, a constant and a factor for each dimension, says about the paths of a program.
func LengthText(text string, dims int, created []int64) (string, error) {
	p, err := read(text, dims)
	if err != nil {
		return "", err
	}
	return newFamily(p).lengthText(created), nil
}
