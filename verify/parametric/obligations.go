package parametric

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file states what must be proved, in SMT-LIB 2: formulas that must have no solution.
// They use the paths of the program and the invariants and ranks; they use no other
// results of the search.
//
// Theorem. Let every formula below be unsatisfiable. Then for all sizes of the family:
//
//	inject     every source draws from at least one header state;
//	cover      packets at every place have a path that the program can take;
//	output     no reachable packet takes a path without an output or with an error, and
//	           none is delivered away from its destination;
//	boundary   no reachable packet is sent to a missing channel;
//	invariant  the invariants hold for all reachable packets: each hop, including the
//	           first, preserves them (induction over the hops of a packet);
//	move       packets move only between the listed classes;
//	rank       every dependency increases the rank of the channel. The dependency graph of
//	           each network is finite, so it has no cycle (Dally and Seitz 1987), and
//	           no packet is forwarded for ever; with cover, output and boundary
//	           every packet arrives.
//
// If the graph has cycles, only for the channels of the escape:
//
//	escape     every reachable packet is permitted an escape channel;
//	rank       a packet on an escape channel requests only escape channels of greater
//	           rank. In any set of blocked packets the one on the channel of greatest rank
//	           can move (Duato 1996), under virtual cut-through and store-and-forward;
//	detour     under wormhole switching the same holds after any number of non-escape
//	           hops (Duato 1993). "detour" shows by induction where such hops can lead;
//	distance   every hop within a group of classes that packets can return to decreases
//	           the distance to the destination: no packet is forwarded for ever.
//
// For the claims minimal, deterministic and fully-adaptive (choices.go):
//
//	minimal    every hop decreases the distance to the destination;
//	choice     no source draws between header states, and no reachable packet is permitted two hops;
//	adaptive   packets of some classes, which include created packets, are permitted each hop that decreases the distance, to one of these
//	           classes.

// With flow control of rings, bubble.go says what rank, slot, enter and distance show.

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

func (s *proof) invariantName(c class) string { return "invariant_" + c.identifier() }

// invariants returns the definitions of the invariants.
func (s *proof) invariants() string {
	var b strings.Builder
	for _, c := range s.classes {
		b.WriteString(s.define(s.invariantName(c), s.invariant(c)))
	}
	return b.String()
}

// known returns the formula: an undelivered packet of class a is at the current place.
func (s *proof) known(a class) string {
	return and(s.apply("domain", nil), s.apply(s.invariantName(a), nil))
}

// obligations returns all obligations.
func (s *proof) obligations() (list []Obligation) {
	add := func(kind, name, text string, p *pair) {
		if text != "false" {
			list = append(list, Obligation{Kind: kind, Name: name, Text: "(assert " + text + ")", pair: p})
		}
	}
	for i, guard := range s.silent {
		if !s.wants("connected") && !s.wantsExtra("fully-adaptive") {
			break
		}
		add("inject", fmt.Sprintf("path %d", i+1), and(s.apply("domain", nil), s.names.all(guard)), nil)
	}
	for _, a := range s.classes {
		add("cover", a.String(), and(s.known(a), s.uncovered(a)), nil)
		add("output", a.String(), and(s.known(a), s.stuck(a)), nil)
		if s.wants("connected") || s.escape != nil {
			if over := s.overEdge(a); over != "false" {
				add("boundary", a.String(), and(s.known(a), over), nil)
			}
		}
		add("move", a.String(), s.unlistedMove(a), nil)
	}
	for _, b := range s.classes[1:] {
		add("invariant", b.String(), s.broken(b), nil)
	}
	if s.escape != nil {
		for _, a := range s.classes {
			add("escape", a.String(), and(s.known(a), s.unescaped(a)), nil)
		}
	}
	if s.detour != nil {
		list = append(list, s.detourObligations()...)
	}
	if s.flow != nil {
		s.flowObligations(add)
	}
	for _, p := range s.rankPairs() {
		add("rank", p.String(), and(s.request(p), not(s.risesFormula(s.ranks, p, s.detour != nil))), &p)
	}
	s.choiceObligations(add)
	if s.wantsExtra("minimal") {
		s.eachHop(func(a, b class, formula string) { add("minimal", a.String()+" > "+b.String(), formula, nil) })
	}
	if s.needsDistance {
		for _, a := range s.classes[1:] {
			for _, b := range s.classes[1:] {
				if step := s.nearing(a, b); s.groups[a] == s.groups[b] && !s.isMeasured(a) && step != "false" {
					add("distance", a.String()+" > "+b.String(), and(s.known(a), step, s.notNearer(b)), nil)
				}
			}
		}
	}
	return list
}

func (p pair) String() string { return p.from.String() + " > " + p.to.String() }

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

// rankPairs returns the pairs of nodes that depend on each other. The obligations "move" show that
// there are no others.
func (s *proof) rankPairs() []pair {
	if s.detour != nil {
		return s.detourPairs()
	}
	seen := map[pair]bool{}
	if !s.endsPaths() {
		return nil
	}
	for key := range s.edges {
		if s.pathsOnly && s.needsDistance && (s.groups[key[0]] != s.groups[key[1]] || s.ranks[s.nodeOf(key[0])] == nil) {
			continue // the distance decreases, or the group is a later one
		}
		if key[0] != injected && s.escape.isRanked(s.nodeOf(key[0])) && len(s.escaping(s.escape, key)) > 0 {
			seen[pair{s.nodeOf(key[0]), s.nodeOf(key[1])}] = true
		}
	}
	if s.flow != nil {
		maps.DeleteFunc(seen, func(p pair, _ bool) bool { return p.isStraight() })
	}
	return sortedPairs(seen)
}

func (s *proof) inEscape(n node) bool { return s.escape.nodes[n.whole()] }

// request returns the formula: a packet on a channel of p.from may request a channel of p.to.
func (s *proof) request(p pair) string {
	if s.detour != nil {
		return s.detourRequest(p)
	}
	var parts []string
	for _, a := range s.classes[1:] {
		for _, b := range s.classes[1:] {
			if s.nodeOf(a) == p.from && s.nodeOf(b) == p.to {
				if step := s.stepBy(a, b, s.escape.selected); step != "false" {
					parts = append(parts, and(s.apply(s.invariantName(a), nil), step))
				}
			}
		}
	}
	return and(s.apply("domain", nil), or(parts...))
}

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

// preamble returns the definitions that all obligations use.
func (s *proof) preamble() string {
	return "(set-logic QF_LIA)\n" + s.declarations() + s.definitions() + s.invariants() + s.detourDefinition()
}

// contextQuestions is the number of obligations that are asked one after another in one Z3 context. It is fixed, so that
// solutions do not depend on the number of processors. A context costs some milliseconds.
const contextQuestions = 64

// prove asks Z3 for each obligation, on all processors. It calls progress after each, one call at a time.
func (s *proof) prove(progress func(done, of int)) ([]Obligation, error) {
	list := s.obligations()
	preamble := s.preamble()
	parts := slices.Collect(slices.Chunk(list, contextQuestions))
	var lock sync.Mutex
	done := 0
	err := parallel.Do(s.ctx, parallel.Workers(len(parts)), len(parts), func(_, i int) error {
		return s.askAll(preamble, parts[i], func() {
			lock.Lock()
			defer lock.Unlock()
			done++
			progress(done, len(list))
		})
	})
	return list, err
}

// askAll asks Z3 for each obligation of list in a context of its own, and calls answered after each.
func (s *proof) askAll(preamble string, list []Obligation, answered func()) error {
	script, err := smt.NewScript()
	if err != nil {
		return err
	}
	if err := script.Tell(preamble); err != nil {
		return err
	}
	for i := range list {
		o := &list[i]
		began := time.Now()
		if o.Result, o.Point, o.Reason, err = script.Ask(s.ctx, o.Text, s.names, smt.Limit{Time: s.limit}); err != nil {
			return err
		}
		o.Seconds = time.Since(began).Seconds()
		answered()
	}
	return nil
}

// file returns the obligations as one file for any solver, which must answer unsat each time.
func (s *proof) file(title string, list []Obligation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "; %s\n; Every (check-sat) must answer unsat: z3 FILE, cvc5 --incremental FILE.\n", title)
	b.WriteString(s.preamble())
	for _, o := range list {
		fmt.Fprintf(&b, "(echo \"%s %s\")\n(push 1)\n%s\n(check-sat)\n(pop 1)\n", o.Kind, o.Name, o.Text)
	}
	return b.String()
}
