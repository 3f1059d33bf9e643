package parametric

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file finds what every hop preserves: the largest set of candidate conditions
// that is closed under all paths (C. Flanagan and K. R. M. Leino, Houdini, FME, 2001).
// It does not depend on the order in which candidates fall.
//
// Candidates for a class, at its head and at its tail: the conditions of the program's
// paths and their negations, and the differences of place and destination by dimension.
// Those that a reachable state of a small network contradicts fall at once, and those
// that the last hop implies say nothing new; few are left to ask Z3 about.

// candidates are the conditions that may be kept, for class c.
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
		for _, x := range []atom{a, a.moved(back)} {
			add(x)
			if x.mod == 0 {
				add(atom{form: x.form.times(-1).add(-1)})
				add(atom{form: x.form.times(-1)})
			}
		}
	}
	for i := range s.paths {
		for _, a := range s.paths[i].guard {
			both(a)
		}
	}
	for d := range s.dims {
		ahead := s.there(d).plus(s.here(d), -1)
		both(atom{form: ahead})
		both(atom{form: ahead.add(-1)})
		both(atom{form: s.there(d).add(-1)})
		both(atom{form: s.sides[d].plus(s.there(d), -1).add(-2)})
		if s.program.Family.Wrap() {
			both(atom{form: ahead.times(2).plus(s.sides[d], 1)})
			both(atom{form: ahead.times(2).plus(s.sides[d], -1)})
		}
	}
	return list
}

// nowhere is the condition that holds nowhere: no packet gets onto a class that keeps it.
func (s *system) nowhere() []atom { return []atom{{form: s.number(-1)}} }

// keep fills in what is kept for every class.
func (s *system) keep() error {
	s.kept = map[class][]atom{}
	open := map[class]bool{} // classes that no packet of a small network gets onto
	for _, c := range s.classes {
		if c == injected {
			continue
		}
		if open[c] = !slices.ContainsFunc(s.facts.states, func(f fact) bool { return f.class == c }); open[c] {
			s.kept[c] = s.nowhere()
			continue
		}
		if err := s.propose(c); err != nil {
			return err
		}
	}
	todo := slices.Clone(s.classes[1:]) // those that may keep less than they do
	for len(todo) > 0 {
		b := todo[0]
		todo = todo[1:]
		changed := false
		for len(s.kept[b]) > 0 {
			more, err := s.drop(b)
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

// propose makes the candidates of a class what it keeps: those that small networks do
// not contradict and that the last hop does not imply.
func (s *system) propose(c class) error {
	list := s.candidates(c)
	for _, f := range s.facts.states {
		if f.class == c {
			list = slices.DeleteFunc(list, func(a atom) bool { return !a.holds(f.point) })
		}
	}
	s.kept[c] = nil
	base := s.on(c)
	isNew := make([]bool, len(list))
	for i, a := range list {
		if isNew[i] {
			continue
		}
		result, point, err := s.ask(and(base, not(s.names.condition(a))))
		if err != nil {
			return err
		}
		if result == smt.Sat { // the point may speak for others, too
			for j := i; j < len(list); j++ {
				isNew[j] = isNew[j] || !list[j].holds(point)
			}
		}
	}
	for i, a := range list {
		if isNew[i] {
			s.kept[c] = append(s.kept[c], a)
		}
	}
	return nil
}

// drop asks whether some hop onto class b breaks one of its conditions, and drops all
// that are broken there. It reports whether any was.
func (s *system) drop(b class) (bool, error) {
	forward := s.toHead(b.dir, b.wrap)
	after := make([]atom, len(s.kept[b]))
	for i, a := range s.kept[b] {
		after[i] = a.moved(forward)
	}
	var parts []string
	for _, a := range s.classes {
		if list := s.moves[[2]class{a, b}]; len(list) > 0 {
			parts = append(parts, and(s.invariant(a), s.some(list, nil)))
		}
	}
	result, point, err := s.ask(and(s.apply("domain", nil), s.leaves(b), s.elsewhere(forward), or(parts...), not(s.names.all(after))))
	if err != nil {
		return false, err
	}
	switch result {
	case smt.Unsat:
		return false, nil
	case smt.Unknown:
		s.kept[b] = nil
		return true, nil
	}
	left := s.kept[b][:0:0]
	for i, x := range after {
		if x.holds(point) {
			left = append(left, s.kept[b][i])
		}
	}
	if len(left) == len(s.kept[b]) {
		return false, fmt.Errorf("parametric: internal error: Z3's point breaks no condition of %s", b)
	}
	s.kept[b] = left
	return true, nil
}
