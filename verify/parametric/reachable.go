package parametric

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file computes the classes that packets reach, and the moves between classes.

// findClasses finds the classes that packets reach. It starts with all classes that
// outputs name, and removes unreachable ones until nothing changes.
func (s *system) findClasses() error {
	for {
		s.findMoves()
		before := len(s.classes)
		if err := s.removeUnreachable(); err != nil || len(s.classes) == before {
			return err
		}
	}
}

// namedClasses returns injected and all classes that outputs name.
func (s *system) namedClasses() []class {
	list := []class{injected}
	for i := range s.paths {
		for _, o := range s.paths[i].outputs {
			for _, c := range s.outputs(o) {
				if !slices.Contains(list, c) {
					list = append(list, c)
				}
			}
		}
	}
	slices.SortFunc(list, compareClasses)
	return list
}

// findMoves sets moves between the current classes. If there are no classes yet, it starts with namedClasses.
func (s *system) findMoves() {
	if s.classes == nil {
		s.classes = s.namedClasses()
	}
	s.moves = map[[2]class][]int{}
	by := map[program.Output][]class{}
	for _, b := range s.classes {
		o := program.Output{Dir: b.dir, VC: b.vc, State: b.state}
		by[o] = append(by[o], b)
	}
	for i := range s.paths {
		outputs := map[program.Output]bool{}
		for _, o := range s.paths[i].outputs {
			o.To = 0
			outputs[o] = true
		}
		for _, a := range s.classes {
			if !s.paths[i].accepts(a) {
				continue
			}
			for o := range outputs {
				for _, b := range by[o] {
					s.moves[[2]class{a, b}] = append(s.moves[[2]class{a, b}], i)
				}
			}
		}
	}
}

// removeUnreachable removes the classes that no packet can reach, given the current classes.
func (s *system) removeUnreachable() error {
	s.findMoves()
	s.edges = map[[2]class]bool{}
	seen := map[class]bool{injected: true}
	todo := []class{injected}
	for len(todo) > 0 {
		a := todo[0]
		todo = todo[1:]
		next, err := s.successors(a)
		if err != nil {
			return err
		}
		for _, b := range next {
			if s.edges[[2]class{a, b}] = true; !seen[b] {
				seen[b] = true
				todo = append(todo, b)
			}
		}
	}
	s.classes = slices.DeleteFunc(s.classes, func(c class) bool { return !seen[c] })
	for key := range s.moves {
		if !seen[key[0]] || !seen[key[1]] {
			delete(s.moves, key)
			delete(s.edges, key)
		}
	}
	return nil
}

// successors returns the classes that packets on class a can move to: those known from small
// networks, then those that Z3 finds.
func (s *system) successors(a class) (list []class, err error) {
	var open []class
	for _, b := range s.classes {
		switch key := [2]class{a, b}; {
		case len(s.moves[key]) == 0:
		case s.facts.moves[key]:
			list = append(list, b)
		default:
			open = append(open, b)
		}
	}
	for len(open) > 0 {
		var parts []string
		for _, b := range open {
			parts = append(parts, s.moveFormula(s.moves[[2]class{a, b}], b))
		}
		result, point, err := s.ask(and(s.onFormula(a), or(parts...)))
		if err != nil || result == smt.Unsat {
			return list, err
		}
		if result == smt.Unknown { // all of them are possible
			return append(list, open...), nil
		}
		found := slices.IndexFunc(open, func(b class) bool { return s.movesAt(a, b, point) })
		if found < 0 {
			return nil, fmt.Errorf("internal error: no class follows %s at the point of Z3", a)
		}
		list = append(list, open[found])
		open = slices.Delete(open, found, found+1)
	}
	return list, nil
}

// movesAt reports whether by its paths a packet of class a at point may move to class b.
func (s *system) movesAt(a, b class, point []int64) bool {
	return allHold(s.tailAtoms(b.dir, b.wrap), point) && s.regionAt(b.node().whole(), point) == b.region &&
		slices.ContainsFunc(s.moves[[2]class{a, b}], func(i int) bool {
			return allHold(s.paths[i].guard, point) && slices.ContainsFunc(s.paths[i].outputs, func(o program.Output) bool {
				return b.isOf(o) && s.isHop(o, point)
			})
		})
}
