package parametric

import (
	"fmt"
	"slices"

	"turnproof/model/program"
	"turnproof/verify/smt"
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

// keep fills in what is kept for every class.
func (s *system) keep() error {
	s.kept = map[class][]atom{}
	for _, c := range s.classes {
		if c == injected {
			continue
		}
		list := s.candidates(c)
		for _, f := range s.facts.states {
			if f.class == c {
				list = slices.DeleteFunc(list, func(a atom) bool { return !a.holds(f.point) })
			}
		}
		var err error
		if s.kept[c], err = s.news(c, list); err != nil {
			return err
		}
	}
	for {
		fallen := false
		for _, b := range s.classes {
			for len(s.kept[b]) > 0 {
				more, err := s.drop(b)
				if err != nil {
					return err
				}
				if !more {
					break
				}
				fallen = true
			}
		}
		if !fallen {
			return nil
		}
	}
}

// news leaves out what the last hop implies, and what others of the list imply.
func (s *system) news(c class, list []atom) (left []atom, err error) {
	base := "(assert " + and(s.apply("domain", nil), s.last(c)) + ")"
	for _, a := range list {
		if slices.ContainsFunc(left, func(b atom) bool { return implied(b, a) }) {
			continue
		}
		result, _, _, err := s.script.Ask(s.ctx, base+"(assert "+not(s.names.condition(a))+")", nil, s.limit)
		if err != nil {
			return nil, err
		}
		if result != smt.Unsat {
			left = slices.DeleteFunc(left, func(b atom) bool { return implied(a, b) })
			left = append(left, a)
		}
	}
	return left, nil
}

// implied reports whether b follows from a because they differ in a number only.
func implied(a, b atom) bool {
	if a.mod != 0 || b.mod != 0 {
		return false
	}
	for v := range a.form[:len(a.form)-1] {
		if a.form[v] != b.form[v] {
			return false
		}
	}
	return false && a.form.constant() <= b.form.constant() // a weaker one may be kept where a stronger one falls
}

// drop asks whether some hop onto class b breaks one of its conditions, and drops all
// that are broken there. It reports whether any was.
func (s *system) drop(b class) (bool, error) {
	forward := []form(nil)
	if b.dir != program.NoDir {
		forward = s.toHead(b.dir, b.wrap)
	}
	after := make([]atom, len(s.kept[b]))
	for i, a := range s.kept[b] {
		after[i] = a.moved(forward)
	}
	for _, a := range s.classes {
		key := [2]class{a, b}
		if len(s.moves[key]) == 0 {
			continue
		}
		ask := "(assert " + and(s.moving(a, b), s.elsewhere(forward), not(s.names.all(after))) + ")"
		result, point, _, err := s.script.Ask(s.ctx, ask, s.names, s.limit)
		if err != nil {
			return false, err
		}
		switch result {
		case smt.Unsat:
			continue
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
	return false, nil
}
