package parametric

import (
	"fmt"

	"github.com/turnproof/turnproof/model/program"
)

// This file proves the claim minimal: every hop decreases the distance to the destination.

// checkDistances returns an error if the program cannot have a claim about distances with failures.
func (f *family) checkDistances(claim string, faults *Faults) error {
	if faults != nil {
		return fmt.Errorf("cannot prove %s %s with failures: distances depend on the failures", f.program.Name, claim)
	}
	return nil
}

// noDistances returns why a claim about distances is undecided in the family, or "".
func (f *family) noDistances(claim string) string {
	if claim == "deterministic" || !isExtra(claim) || !f.hasAxes() || f.isHexagonal() {
		return ""
	}
	return fmt.Sprintf("distances in %s are not known as a formula; without this claim the others can be proved", &f.program.Family)
}

// eachHop visits the pairs of classes that packets move between, with the formula: a packet moves, and comes no nearer.
func (s *proof) eachHop(visit func(a, b class, formula string)) {
	for _, a := range s.classes {
		for _, b := range s.classes[1:] {
			if step := s.stepTo(a, b); step != "false" {
				visit(a, b, and(s.known(a), step, s.longWay(b)))
			}
		}
	}
}

// longWay returns the formula: the hop to class b does not decrease the distance to the destination.
func (s *proof) longWay(b class) string {
	if !s.isHexagonal() {
		return s.notNearer(b)
	}
	return not(s.hexNearer(b.dir))
}

// isHexagonal reports whether the networks are hexagonal grids.
func (f *family) isHexagonal() bool { return f.program.Family.Kind == program.HexGrid }

// hexNearer returns the formula: the hop in direction dir decreases the distance to the destination in a hexagonal grid. With the differences
// a and b of the coordinates the distance is the maximum of |a|, |b| and |a + b|, because the links are (1, 0), (0, 1) and (-1, 1).
func (f *family) hexNearer(dir program.Dir) string {
	parts := func(by []form) (list []form) {
		a, b := f.there(0).plus(f.here(0).substitute(by), -1), f.there(1).plus(f.here(1).substitute(by), -1)
		for _, x := range []form{a, b, a.plus(b, 1)} {
			list = append(list, x, x.times(-1))
		}
		return list
	}
	var some []string
	for _, before := range parts(make([]form, f.variables())) {
		var all []string
		for _, after := range parts(f.alongAxis(dir)) {
			all = append(all, "(< "+f.names.term(after)+" "+f.names.term(before)+")")
		}
		some = append(some, and(all...))
	}
	return or(some...)
}
