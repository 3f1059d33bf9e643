package parametric

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/turnproof/turnproof/internal/parallel"
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

// invariants returns the definitions of the invariants.
func (s *proof) invariants() string {
	var b strings.Builder
	for _, c := range s.classes {
		b.WriteString(s.define(s.invariantName(c), s.invariant(c)))
	}
	return b.String()
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
