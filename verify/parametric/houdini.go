package parametric

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file finds the conditions that every hop preserves: the largest set of candidate
// conditions that is closed under all paths (C. Flanagan and K. R. M. Leino, Houdini, FME,
// 2001). The result does not depend on the order in which candidates are removed.
//
// Candidates for a class, at its head and at its tail: the conditions of the program's
// paths and their negations, and the differences of place and destination by dimension.
// A candidate that a state of a small network violates is removed at once. So is one that
// the last hop implies. Z3 decides about the few others.

// candidates returns the candidate conditions of class c.
func (s *system) candidates(c class) (list []atom) {
	seen := map[string]bool{}
	add := func(a atom) {
		if a.form.isConstant() {
			return
		}
		if key := fmt.Sprint(a); !seen[key] {
			seen[key] = true
			list = append(list, a)
		}
	}
	back := s.toTail(c.dir, c.wrap)
	both := func(a atom) {
		places := []atom{a, a.substitute(back)}
		if s.complete() { // conditions on the tail would name the old coordinate
			places = places[:1]
		}
		for _, x := range places {
			add(x)
			if x.mod == 0 {
				add(atom{form: x.form.times(-1).add(-1)})
				add(atom{form: x.form.times(-1)})
			}
		}
	}
	for i := range s.paths {
		for _, a := range atoms(s.paths[i].guard) {
			both(a)
		}
	}
	for k := range s.faults {
		for d := range s.dims {
			both(atom{form: s.failed(k, d).plus(s.here(d), -1)})
			both(atom{form: s.failed(k, d).plus(s.there(d), -1)})
		}
	}
	for d := range s.dims {
		ahead := s.there(d).plus(s.here(d), -1)
		both(atom{form: ahead})
		both(atom{form: ahead.add(-1)})
		both(atom{form: s.there(d).add(-1)})
		both(atom{form: s.sides[d].plus(s.there(d), -1).add(-2)})
		if s.wraps(d) {
			both(atom{form: ahead.times(2).plus(s.sides[d], 1)})
			both(atom{form: ahead.times(2).plus(s.sides[d], -1)})
		}
	}
	return list
}

// never returns a condition that is always false: no packet reaches a class that preserves it.
func (s *system) never() []atom { return []atom{{form: s.number(-1)}} }

// findPreserved sets the preserved conditions of every class.
func (s *system) findPreserved() error {
	s.preserved = map[class][]atom{}
	open := map[class]bool{} // classes that no packet of a small network reaches
	for _, c := range s.classes {
		if c == injected {
			continue
		}
		if open[c] = !slices.ContainsFunc(s.facts.states, func(f fact) bool { return f.class == c }); open[c] {
			s.preserved[c] = s.never()
			continue
		}
		if err := s.propose(c); err != nil {
			return err
		}
	}
	todo := slices.Clone(s.classes[1:]) // classes whose conditions may have to be removed
	for len(todo) > 0 {
		b := todo[0]
		todo = todo[1:]
		changed := false
		for len(s.preserved[b]) > 0 {
			more, err := s.dropBroken(b)
			if err != nil {
				return err
			}
			if !more {
				break
			}
			if changed = true; open[b] {
				open[b] = false
				if err := s.propose(b); err != nil {
					return err
				}
			}
		}
		for _, c := range s.classes[1:] {
			if changed && len(s.moves[[2]class{b, c}]) > 0 && !slices.Contains(todo, c) {
				todo = append(todo, c)
			}
		}
	}
	return nil
}

// propose sets the candidates of class c: those that small networks do not violate and that
// the last hop does not imply.
func (s *system) propose(c class) error {
	list := s.candidates(c)
	for _, f := range s.facts.states {
		if f.class == c {
			list = slices.DeleteFunc(list, func(a atom) bool { return !a.holds(f.point) })
		}
	}
	s.preserved[c] = nil
	base := s.onFormula(c)
	isNew := make([]bool, len(list))
	for i, a := range list {
		if isNew[i] {
			continue
		}
		result, point, err := s.ask(and(base, not(s.names.condition(a))))
		if err != nil {
			return err
		}
		if result == smt.Sat { // the point may decide other candidates as well
			for j := i; j < len(list); j++ {
				isNew[j] = isNew[j] || !list[j].holds(point)
			}
		}
	}
	for i, a := range list {
		if isNew[i] {
			s.preserved[c] = append(s.preserved[c], a)
		}
	}
	return nil
}

// dropBroken asks Z3 whether some hop onto class b violates one of its conditions. It removes the
// violated conditions, and reports whether there were any.
func (s *system) dropBroken(b class) (bool, error) {
	forward := s.toHead(b.dir, b.wrap)
	after := make([]atom, len(s.preserved[b]))
	for i, a := range s.preserved[b] {
		after[i] = a.substitute(forward)
	}
	var parts []string
	for _, a := range s.classes {
		if list := s.moves[[2]class{a, b}]; len(list) > 0 {
			parts = append(parts, and(s.invariant(a), s.hopTo(list, b, nil, allOutputs)))
		}
	}
	result, point, err := s.ask(and(s.apply("domain", nil), s.tailFormula(b), s.undelivered(forward), or(parts...), not(s.names.all(after))))
	if err != nil {
		return false, err
	}
	switch result {
	case smt.Unsat:
		return false, nil
	case smt.Unknown:
		s.preserved[b] = nil
		return true, nil
	}
	left := s.preserved[b][:0:0]
	for i, x := range after {
		if x.holds(point) {
			left = append(left, s.preserved[b][i])
		}
	}
	if len(left) == len(s.preserved[b]) {
		return false, fmt.Errorf("internal error: the point of Z3 violates no condition of %s", b)
	}
	s.preserved[b] = left
	return true, nil
}
