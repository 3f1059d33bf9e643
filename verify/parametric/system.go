package parametric

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file is what the paths of a program make of the channels: which classes packets
// get onto, and from which to which.
//
// Invariants. invariant(c) says where a packet on a channel of class c can be and want
// to: it is true of every reachable state, and may be true of more. It has two parts:
//
//   - the last hop: the packet took some path, at the tail, with an output of class c,
//     so the guard of that path holds there. This is a disjunction over paths, and
//     needs no induction;
//   - kept: conditions that every hop preserves (houdini.go), which speak of the whole
//     way; needed where the VC remembers something.
//
// Both are proved once more, from the paths alone, as obligations.

type system struct {
	*family
	ctx       context.Context
	script    *smt.Script
	limit     time.Duration // of a question
	paths     []path
	splitters []splitter
	classes   []class
	kept      map[class][]atom
	moves     map[[2]class][]int // paths from a class to a class, all that may be taken
	facts     *facts
	edges     map[[2]class]bool // moves that were found possible; others are not
}

// outputs are the classes that an output can lead to.
func (s *system) outputs(o program.Output) (list []class) {
	whole := node{dir: o.Dir, vc: o.VC}
	for region := range uint(1) << len(s.splitters) {
		if region&^s.parts(whole) != 0 {
			continue
		}
		list = append(list, class{o.Dir, o.VC, o.State, false, region})
		if s.program.Family.Wrap() {
			list = append(list, class{o.Dir, o.VC, o.State, true, region})
		}
	}
	return list
}

// parts has a bit for each splitter that splits the classes of a whole node.
func (s *system) parts(whole node) (bits uint) {
	for i, k := range s.splitters {
		if k.of[whole] {
			bits |= 1 << i
		}
	}
	return bits
}

// leads reports whether path p has an output of class c.
func (p *path) leads(c class) bool {
	return slices.ContainsFunc(p.outputs, func(o program.Output) bool {
		return o.Dir == c.dir && o.VC == c.vc && o.State == c.state
	})
}

// region says that the place at hand lies in the part of a class.
func (s *system) region(c class) string {
	if c.dir == program.NoDir {
		return "true"
	}
	var parts []string
	for i, k := range s.splitters {
		if !k.of[c.node().whole()] {
			continue
		}
		text := s.names.condition(k.cond)
		if c.region>>i&1 == 0 {
			text = not(text)
		}
		parts = append(parts, text)
	}
	return and(parts...)
}

// regionAt is the region of a channel of a whole node whose tail is a point.
func (s *system) regionAt(whole node, point []int64) (r uint) {
	for i, k := range s.splitters {
		if k.of[whole] && k.cond.holds(point) {
			r |= 1 << i
		}
	}
	return r
}

// arguments are the variables that formulas of a place take, moved.
func (s *system) arguments(by []form) string {
	var list []string
	for v := range s.variables() {
		if v >= 2*s.dims && v < 3*s.dims {
			continue // the ghost
		}
		x := s.variable(v)
		if by != nil {
			x = x.moved(by)
		}
		list = append(list, s.names.term(x))
	}
	return strings.Join(list, " ")
}

// parameters declares them.
func (s *system) parameters() string {
	var list []string
	for v, n := range s.names {
		if v < 2*s.dims || v >= 3*s.dims {
			list = append(list, "("+n+" Int)")
		}
	}
	return "(" + strings.Join(list, " ") + ")"
}

// define makes the definition of a formula of a place.
func (s *system) define(name, body string) string {
	return fmt.Sprintf("(define-fun %s %s Bool\n  %s)\n", name, s.parameters(), body)
}

// apply is the formula of that name at the place at hand, moved.
func (s *system) apply(name string, by []form) string {
	if s.variables() == 0 {
		return name
	}
	return "(" + name + " " + s.arguments(by) + ")"
}

// movedText is a formula at a moved place: (let ((x ...)) body).
func (s *system) movedText(body string, by []form) string {
	var list []string
	for v, x := range by {
		if x != nil {
			list = append(list, fmt.Sprintf("(%s %s)", s.names[v], s.names.term(x)))
		}
	}
	if len(list) == 0 || body == "true" {
		return body
	}
	return "(let (" + strings.Join(list, " ") + ") " + body + ")"
}

func pathName(i int) string { return fmt.Sprintf("path_%d", i) }

// definitions are domain and paths.
func (s *system) definitions() string {
	var b strings.Builder
	b.WriteString(s.define("domain", and(s.names.all(s.domain()), s.elsewhere(nil))))
	for i := range s.paths {
		b.WriteString(s.define(pathName(i), s.names.all(s.paths[i].guard)))
	}
	return b.String()
}

// some is the disjunction of paths at the place at hand, moved.
func (s *system) some(paths []int, by []form) string {
	parts := make([]string, len(paths))
	for i, p := range paths {
		parts[i] = s.apply(pathName(p), by)
	}
	return or(parts...)
}

// leaves says that the place at hand is the tail of a channel of class c.
func (s *system) leaves(c class) string {
	return and(s.names.all(s.edge(c.dir, c.wrap)), s.region(c))
}

// last is the first part of the invariant of c, at its head: some path led there.
func (s *system) last(c class) string {
	if c == injected {
		return "true"
	}
	back := s.toTail(c.dir, c.wrap)
	var taken []int
	for key, list := range s.moves {
		if key[1] == c {
			taken = append(taken, list...)
		}
	}
	slices.Sort(taken)
	taken = slices.Compact(taken)
	return and(s.names.all(s.came(c.dir, c.wrap)), s.movedText(s.region(c), back), s.elsewhere(back), s.some(taken, back))
}

// invariant is what is known of packets on class c, at its head.
func (s *system) invariant(c class) string { return and(s.last(c), s.names.all(s.kept[c])) }

// onward says that a packet, not arrived, moves on to class b by one of these paths.
func (s *system) onward(paths []int, b class) string { return and(s.some(paths, nil), s.leaves(b)) }

// on says that a packet is on class a, not arrived.
func (s *system) on(a class) string { return and(s.apply("domain", nil), s.invariant(a)) }

// movesAt reports whether a packet of class a at a point may move on to class b, as far
// as the paths tell.
func (s *system) movesAt(a, b class, point []int64) bool {
	return allHold(s.edge(b.dir, b.wrap), point) && s.regionAt(b.node().whole(), point) == b.region &&
		slices.ContainsFunc(s.moves[[2]class{a, b}], func(i int) bool { return allHold(s.paths[i].guard, point) })
}

// find finds the classes that packets get onto. It begins with all that outputs name
// and drops what cannot be reached, until nothing changes.
func (s *system) find() error {
	for {
		s.link()
		before := len(s.classes)
		if err := s.reach(); err != nil || len(s.classes) == before {
			return err
		}
	}
}

// named are the source and all classes that outputs name.
func (s *system) named() []class {
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

func compareClasses(a, b class) int {
	key := func(c class) []int {
		w := 0
		if c.wrap {
			w = 1
		}
		return []int{int(c.dir), c.vc, w, int(c.region), c.state}
	}
	return slices.Compare(key(a), key(b))
}

// link finds the moves between the classes at hand that outputs name, or all that they
// name if there are none yet.
func (s *system) link() {
	if s.classes == nil {
		s.classes = s.named()
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
			outputs[o] = true
		}
		for _, a := range s.classes {
			if !s.paths[i].from(a) {
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

// reach keeps the classes that a packet can get onto, given the ones at hand.
func (s *system) reach() error {
	s.link()
	s.edges = map[[2]class]bool{}
	seen := map[class]bool{injected: true}
	todo := []class{injected}
	for len(todo) > 0 {
		a := todo[0]
		todo = todo[1:]
		next, err := s.next(a)
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

// ask asks for a place, destination and sizes under which a formula holds.
func (s *system) ask(text string) (smt.Result, []int64, error) {
	terms := append(append([]string{}, s.names[:2*s.dims]...), s.names[3*s.dims:]...)
	result, values, _, err := s.script.Ask(s.ctx, "(assert "+text+")", terms, smt.Limit{Time: s.limit})
	if values == nil {
		return result, nil, err
	}
	point := make([]int64, s.variables())
	copy(point, values[:2*s.dims])
	copy(point[3*s.dims:], values[2*s.dims:])
	return result, point, err
}

// next returns the classes that packets on class a can move on to, as far as is known:
// those of small networks, then what Z3 finds, until it finds no other.
func (s *system) next(a class) (list []class, err error) {
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
			parts = append(parts, s.onward(s.moves[[2]class{a, b}], b))
		}
		result, point, err := s.ask(and(s.on(a), or(parts...)))
		if err != nil || result == smt.Unsat {
			return list, err
		}
		if result == smt.Unknown { // all of them may be
			return append(list, open...), nil
		}
		found := slices.IndexFunc(open, func(b class) bool { return s.movesAt(a, b, point) })
		if found < 0 {
			return nil, fmt.Errorf("parametric: internal error: at Z3's point nothing moves on from %s", a)
		}
		list = append(list, open[found])
		open = slices.Delete(open, found, found+1)
	}
	return list, nil
}
