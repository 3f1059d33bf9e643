package parametric

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file defines the classes of a program, the moves between them, and their invariants.
//
// invariant(c) is a condition on the place and the destination of a packet on a channel of
// class c. It holds in every reachable state, and may hold in other states. It has
// two parts:
//
//   - The last hop: at the tail the packet took some path with an output of class c, so
//     the guard of this path holds there. This is a disjunction over paths and needs no
//     induction.
//   - Preserved conditions: conditions that every hop preserves (houdini.go). They describe
//     the whole path of a packet and are needed if the VC encodes history.
//
// Obligations prove both again, from the paths alone.

type system struct {
	*family
	ctx       context.Context
	script    *smt.Script
	limit     time.Duration // of a question
	claims    []string      // the claims to prove; if nil, all of them
	pathsOnly bool          // deadlock-freedom is not to be proved
	flowOf    *bubble.Flow  // flow control of the networks that are checked one by one, or nil
	paths     []path
	splitters []splitter
	classes   []class
	preserved map[class][]atom
	moves     map[[2]class][]int // paths that a packet may take from one class to another
	facts     *facts
	adaptive  map[class]bool    // of the claim fully-adaptive: the classes whose packets are permitted each hop that leads nearer
	edges     map[[2]class]bool // moves that were found possible; all other moves are impossible
}

// outputs returns the classes that an output can lead to.
func (s *system) outputs(o program.Output) (list []class) {
	whole := node{dir: o.Dir, vc: o.VC}
	for region := range uint(1) << len(s.splitters) {
		if region&^s.parts(whole) != 0 {
			continue
		}
		list = append(list, class{o.Dir, o.VC, o.State, false, region})
		if s.wraps(o.Dir.Dim()) {
			list = append(list, class{o.Dir, o.VC, o.State, true, region})
		}
	}
	return list
}

// parts returns a set of bits: bit i says that splitter i splits the classes of a whole node.
func (s *system) parts(whole node) (bits uint) {
	for i, k := range s.splitters {
		if k.of[whole] {
			bits |= 1 << i
		}
	}
	return bits
}

// region returns the formula: the current place is in the part of class c.
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

// regionAt returns the region of a channel of a whole node whose tail is point.
func (s *system) regionAt(whole node, point []int64) (r uint) {
	for i, k := range s.splitters {
		if k.of[whole] && k.cond.holds(point) {
			r |= 1 << i
		}
	}
	return r
}

// arguments returns the arguments for formulas of a place, after substitution by.
func (s *system) arguments(by []form) string {
	var list []string
	for v := range s.variables() {
		if v >= 2*s.dims && v < 3*s.dims {
			continue // a ghost variable
		}
		x := s.variable(v)
		if by != nil {
			x = x.substitute(by)
		}
		list = append(list, s.names.term(x))
	}
	return strings.Join(list, " ")
}

// parameters returns the parameter list that matches arguments.
func (s *system) parameters() string {
	var list []string
	for v, n := range s.names {
		if v < 2*s.dims || v >= 3*s.dims {
			list = append(list, "("+n+" Int)")
		}
	}
	return "(" + strings.Join(list, " ") + ")"
}

// define returns the definition of a formula of a place.
func (s *system) define(name, body string) string {
	return fmt.Sprintf("(define-fun %s %s Bool\n  %s)\n", name, s.parameters(), body)
}

// apply returns the named formula at the current place, after substitution by.
func (s *system) apply(name string, by []form) string {
	if s.variables() == 0 {
		return name
	}
	return "(" + name + " " + s.arguments(by) + ")"
}

// movedText returns a formula after substitution: (let ((x ...)) body).
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

// definitions returns the definitions of domain and paths.
func (s *system) definitions() string {
	var b strings.Builder
	b.WriteString(s.define("domain", and(s.names.all(s.domain()), s.undelivered(nil))))
	for i := range s.paths {
		b.WriteString(s.define(pathName(i), s.names.all(s.paths[i].guard)))
	}
	return b.String()
}

// hopTo returns the formula: a packet takes one of the paths, and an output that fits permits the hop to class c.
func (s *system) hopTo(paths []int, c class, by []form, fits func(*path) []program.Output) string {
	if !s.complete() {
		return s.anyPath(paths, by)
	}
	var list []string
	for _, i := range paths {
		var hops []string
		for _, o := range fits(&s.paths[i]) {
			if !c.isOf(o) {
				continue
			}
			for _, all := range s.hops(o) {
				moved := all
				if by != nil {
					moved = nil
					for _, a := range all {
						moved = append(moved, a.substitute(by))
					}
				}
				hops = append(hops, s.names.all(moved))
			}
		}
		list = append(list, and(s.apply(pathName(i), by), or(hops...)))
	}
	return or(list...)
}

func allOutputs(p *path) []program.Output { return p.outputs }

// anyPath returns the disjunction of the guards of paths, after substitution by.
func (s *system) anyPath(paths []int, by []form) string {
	parts := make([]string, len(paths))
	for i, p := range paths {
		parts[i] = s.apply(pathName(p), by)
	}
	return or(parts...)
}

// tailFormula returns the formula: the current place is the tail of a channel of class c.
func (s *system) tailFormula(c class) string {
	return and(s.names.all(s.tailAtoms(c.dir, c.wrap)), s.region(c))
}

// lastHop returns the first part of the invariant of c, at its head: some path led there.
func (s *system) lastHop(c class) string {
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
	return and(s.names.all(s.headAtoms(c.dir, c.wrap)), s.movedText(s.region(c), back), s.undelivered(back),
		s.hopTo(taken, c, back, allOutputs))
}

// invariant returns the invariant of class c, at its head.
func (s *system) invariant(c class) string { return and(s.lastHop(c), s.names.all(s.preserved[c])) }

// moveFormula returns the formula: a packet takes one of the paths, which leads to class b.
func (s *system) moveFormula(paths []int, b class) string {
	return and(s.hopTo(paths, b, nil, allOutputs), s.tailFormula(b))
}

// onFormula returns the formula: an undelivered packet is on class a.
func (s *system) onFormula(a class) string { return and(s.apply("domain", nil), s.invariant(a)) }

// ask asks Z3 for a place, destination and sizes that satisfy a formula.
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

// splitter is a condition on the tail that splits the classes of some directions and VCs.
type splitter struct {
	cond atom
	of   map[node]bool // whole nodes
}
