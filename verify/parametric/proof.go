package parametric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file defines a proof: the formulas about paths, invariants and ranks of which obligations consist (obligations.go).

// proof is the invariants and ranks that the obligations use.
type proof struct {
	*system
	ranks         ranks
	escape        *escape       // if nil, the whole graph has a rank
	detour        []clause      // nil unless wormhole switching with an escape
	flow          *bubble.Flow  // flow control of rings, or nil
	needsDistance bool          // livelock freedom needs the distance
	groups        map[class]int // if needsDistance: the strongly connected component of each class
}

// clause says: premise implies one of the lists in either. It is about ghost, place and destination.
type clause struct {
	premise []atom
	either  [][]atom
}

// Obligation is a formula that must have no solution.
type Obligation struct {
	Kind    string
	Name    string // the class or pair that it is about
	Text    string // SMT-LIB 2: an assertion that uses the definitions
	Result  smt.Result
	Reason  string  // why it is undecided
	Point   []int64 // a solution: the values of the variables
	Seconds float64

	pair *pair
}

func (s *proof) invariantName(c class) string { return "invariant_" + c.identifier() }

// known returns the formula: an undelivered packet of class a is at the current place.
func (s *proof) known(a class) string {
	return and(s.apply("domain", nil), s.apply(s.invariantName(a), nil))
}

// taken returns the formula: a packet of class a takes one of the paths that fits accepts.
func (s *proof) taken(a class, fits func(*path) bool) string {
	var list []int
	for i := range s.paths {
		if p := &s.paths[i]; p.accepts(a) && fits(p) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return "false"
	}
	return s.anyPath(list, nil)
}

// uncovered returns the formula: a packet of class a, in one of its states, has no path.
func (s *proof) uncovered(a class) string {
	if a != injected {
		return not(s.taken(a, func(*path) bool { return true }))
	}
	var parts []string
	for _, state := range s.starts {
		parts = append(parts, not(s.taken(a, func(p *path) bool { return p.state < 0 || p.state == state })))
	}
	return or(parts...)
}

// stuck returns the formula: a packet of class a takes a path with an error. With the claim connected: or one without an output, or
// it is delivered away from its destination.
func (s *proof) stuck(a class) string {
	if !s.wants("connected") {
		return s.taken(a, func(p *path) bool { return p.err != nil })
	}
	stuck := s.without(a, func(p *path) bool { return p.err != nil }, allOutputs)
	if !s.program.Passes {
		return stuck
	}
	return or(stuck, and(s.taken(a, func(p *path) bool { return p.ejects }), s.notAtDestination(nil)))
}

// without returns the formula: a packet of class a takes a path that fits, or one without an output that some selects.
func (s *proof) without(a class, fits func(*path) bool, some func(*path) []program.Output) string {
	if !s.complete() {
		return s.taken(a, func(p *path) bool { return fits(p) || len(some(p)) == 0 && !p.ejects })
	}
	var list []string
	for i := range s.paths {
		switch p := &s.paths[i]; {
		case !p.accepts(a):
		case fits(p):
			list = append(list, s.apply(pathName(i), nil))
		case !p.ejects:
			if empty := s.emptiness(some(p)); empty != "false" {
				list = append(list, and(s.apply(pathName(i), nil), empty))
			}
		}
	}
	return or(list...)
}

// stepTo returns the formula: a packet of class a at the current place moves to class b.
func (s *proof) stepTo(a, b class) string {
	return s.stepBy(a, b, allOutputs)
}

// stepBy is stepTo by the outputs that some selects.
func (s *proof) stepBy(a, b class, some func(*path) []program.Output) string {
	var list []int
	for i := range s.paths {
		if p := &s.paths[i]; p.accepts(a) && slices.ContainsFunc(some(p), b.isOf) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return "false"
	}
	return and(s.hopTo(list, b, nil, some), s.tailFormula(b))
}

// overEdge returns the formula: a packet of class a is sent to a missing channel.
func (s *proof) overEdge(a class) string {
	var parts []string
	if s.complete() {
		return s.beside(a)
	}
	for dir := range s.numDirs() {
		taken := s.taken(a, func(p *path) bool {
			return slices.ContainsFunc(p.outputs, func(o program.Output) bool { return o.Dir == dir })
		})
		var missing []string
		for _, condition := range s.missing(dir) {
			missing = append(missing, s.names.all(condition))
		}
		if taken != "false" && len(missing) > 0 {
			parts = append(parts, and(taken, or(missing...)))
		}
	}
	return or(parts...)
}

// unescaped returns the formula: a packet of class a takes a path without an output of the escape.
func (s *proof) unescaped(a class) string {
	return s.without(a, func(*path) bool { return false }, s.escape.outputsOf)
}

// beside is overEdge for HyperX networks.
func (s *proof) beside(a class) string {
	var parts []string
	for i := range s.paths {
		if p := &s.paths[i]; p.accepts(a) {
			for _, o := range p.outputs {
				if s.value(o) != nil {
					parts = append(parts, and(s.apply(pathName(i), nil), s.noTarget(o)))
				}
			}
		}
	}
	return or(parts...)
}

// unlistedMove returns the formula: a packet of class a moves to a class without a listed move.
func (s *proof) unlistedMove(a class) string {
	var parts []string
	seen := map[class]bool{}
	for i := range s.paths {
		for _, o := range s.paths[i].outputs {
			for _, b := range s.outputs(o) {
				if s.paths[i].accepts(a) && !s.edges[[2]class{a, b}] && !seen[b] {
					seen[b] = true
					parts = append(parts, s.stepTo(a, b))
				}
			}
		}
	}
	if len(parts) == 0 {
		return "false"
	}
	return and(s.known(a), or(parts...))
}

// broken returns the formula: a hop onto class b, not to the destination, violates its invariant.
func (s *proof) broken(b class) string {
	var parts []string
	for _, a := range s.classes {
		if step := s.stepTo(a, b); step != "false" {
			parts = append(parts, and(s.apply(s.invariantName(a), nil), step))
		}
	}
	forward := s.toHead(b.dir, b.wrap)
	return and(s.apply("domain", nil), or(parts...), s.undelivered(forward), not(s.apply(s.invariantName(b), forward)))
}

// isEscape reports whether an output is to an escape channel.
func (s *proof) isEscape(o program.Output) bool { return s.escape.nodes[node{dir: o.Dir, vc: o.VC}] }

func (s *proof) inEscape(n node) bool { return s.escape.nodes[n.whole()] }

// notNearer returns the formula: the hop to class b does not decrease the distance to the destination.
func (s *proof) notNearer(b class) string {
	if d := b.dir.Dim(); s.complete() { // other coordinates are as before
		there := s.names.term(s.there(d))
		return or("(= "+s.names.term(s.here(d))+" "+there+")", not("(= "+s.names.term(s.onto())+" "+there+")"))
	}
	forward := s.toHead(b.dir, b.wrap)
	return fmt.Sprintf("(>= %s %s)", s.distanceTerm(forward), s.distanceTerm(nil))
}

// distanceTerm returns the term: length of a shortest path to the destination.
func (s *system) distanceTerm(by []form) string {
	var parts []string
	for d := range s.dims {
		parts = append(parts, s.distanceIn(d, by))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(+ " + strings.Join(parts, " ") + ")"
}

// distanceIn returns the term: the hops to the destination in dimension d, from the current place after substitution by.
func (s *system) distanceIn(d int, by []form) string {
	x := s.here(d)
	if by != nil {
		x = x.substitute(by)
	}
	ahead, back := s.there(d).plus(x, -1), x.plus(s.there(d), -1)
	term := func(f form) string { return s.names.term(f) }
	shorter := func(a, n form) string { // the shorter direction around a ring of n, if one direction has a hops
		return fmt.Sprintf("(ite (<= (* 2 %s) %s) %s %s)", term(a), term(n), term(a), term(n.plus(a, -1)))
	}
	switch {
	case s.complete():
		return fmt.Sprintf("(ite (= %s 0) 0 1)", term(ahead))
	case s.wraps(d):
		return fmt.Sprintf("(ite (>= %s 0) %s %s)", term(ahead), shorter(ahead, s.sides[d]), shorter(back, s.sides[d]))
	}
	return fmt.Sprintf("(ite (>= %s 0) %s %s)", term(ahead), term(ahead), term(back))
}

// nearing returns the formula: a packet of class a moves to class b by a hop that must decrease the distance. In a proof
// about paths with an escape, these are the hops of the escape.
func (s *proof) nearing(a, b class) string {
	if s.pathsOnly {
		return s.stepBy(a, b, s.escape.selected)
	}
	return s.stepTo(a, b)
}

// isMeasured reports whether the ranks of packets show that paths within the group of class a are finite.
func (s *proof) isMeasured(a class) bool { return s.pathsOnly && s.ranks[s.nodeOf(a)] != nil }

func (p pair) String() string { return p.from.String() + " > " + p.to.String() }
