package parametric

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file writes down what has to be proved, as SMT-LIB 2: formulas none of which
// may have a solution. They begin from the paths of the program and from the
// invariants and ranks as written; nothing that the search took for known goes in.
//
// Theorem. Let every formula below be unsatisfiable. Then for all sizes of the family:
//
//	inject     every source draws from at least one header state;
//	cover      packets at every place have a path that the program can take;
//	output     no reachable packet finds a path without an output, or with an error, and none
//	           is delivered away from its destination;
//	boundary   no reachable packet is sent where there is no channel;
//	invariant  the invariants hold of all reachable packets: each hop, also the first,
//	           keeps them (induction over the hops of a packet);
//	move       packets move only between the classes named;
//	rank       every dependency raises the rank of the channel. So the dependency graph
//	           of each network of the family, which is finite, has no cycle (Dally and
//	           Seitz 1987), and no packet can be forwarded for ever; with cover, output
//	           and boundary every packet then arrives.
//
// Where the graph has cycles, of the escape's channels only:
//
//	escape     every reachable packet is permitted an escape channel;
//	rank       a packet on an escape channel may ask only for escape channels of higher
//	           rank: so of any set of blocked packets the one on the channel of highest
//	           rank can move (Duato 1996), under virtual cut-through and
//	           store-and-forward;
//	detour     under wormhole switching also those that it may ask for after any hops
//	           that are no escape hops (Duato 1993); "detour" shows where such hops can
//	           lead, by induction;
//	distance   every hop within a group of classes that packets can come back to gets
//	           nearer to the destination: no packet is forwarded for ever.

// Obligation is one formula that must have no solution.
type Obligation struct {
	Kind    string
	Name    string // what it is about
	Text    string // SMT-LIB 2: an assertion in terms of the definitions
	Result  smt.Result
	Reason  string  // why it is undecided
	Point   []int64 // of a solution: the variables' values
	Seconds float64

	pair *pair
}

// proof is all that is written down.
type proof struct {
	*system
	ranks  ranks
	escape *escape       // nil: the whole graph has a rank
	detour []clause      // nil: not under wormhole switching
	far    bool          // livelock freedom needs the distance
	groups map[class]int // with far: the strong component of each class
}

func (s *proof) invariantName(c class) string { return "invariant_" + c.identifier() }

// invariants are the definitions of the invariants.
func (s *proof) invariants() string {
	var b strings.Builder
	for _, c := range s.classes {
		b.WriteString(s.define(s.invariantName(c), s.invariant(c)))
	}
	return b.String()
}

// known says that a packet of class a is at the place at hand, not arrived.
func (s *proof) known(a class) string {
	return and(s.apply("domain", nil), s.apply(s.invariantName(a), nil))
}

// all lists the obligations.
func (s *proof) all() (list []Obligation) {
	add := func(kind, name, text string, p *pair) {
		if text != "false" {
			list = append(list, Obligation{Kind: kind, Name: name, Text: "(assert " + text + ")", pair: p})
		}
	}
	for i, guard := range s.silent {
		add("inject", fmt.Sprintf("path %d", i+1), and(s.apply("domain", nil), s.names.all(guard)), nil)
	}
	for _, a := range s.classes {
		add("cover", a.String(), and(s.known(a), s.uncovered(a)), nil)
		add("output", a.String(), and(s.known(a), s.stuck(a)), nil)
		if !s.program.Family.Wrap() {
			add("boundary", a.String(), s.overEdge(a), nil)
		}
		add("move", a.String(), s.astray(a), nil)
	}
	for _, b := range s.classes[1:] {
		add("invariant", b.String(), s.broken(b), nil)
	}
	if s.escape != nil {
		for _, a := range s.classes {
			add("escape", a.String(), and(s.known(a), s.taken(a, func(p *path) bool { return !p.ejects && len(s.escape.of(p)) == 0 })), nil)
		}
	}
	if s.detour != nil {
		list = append(list, s.detours()...)
	}
	for _, p := range s.rankPairs() {
		add("rank", p.String(), and(s.asking(p), not(s.rises(s.ranks, p, s.detour != nil))), &p)
	}
	if s.far {
		for _, a := range s.classes[1:] {
			for _, b := range s.classes[1:] {
				if s.groups[a] == s.groups[b] && s.step(a, b) != "false" {
					add("distance", a.String()+" > "+b.String(), and(s.known(a), s.step(a, b), s.notNearer(b)), nil)
				}
			}
		}
	}
	return list
}

func (p pair) String() string { return p.from.String() + " > " + p.to.String() }

// taken says that a packet of class a takes one of the paths that fit.
func (s *proof) taken(a class, fits func(*path) bool) string {
	var list []int
	for i := range s.paths {
		if p := &s.paths[i]; p.from(a) && fits(p) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return "false"
	}
	return s.some(list, nil)
}

// uncovered says that a packet of class a has no path, in one of its states.
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

// stuck says that a packet of class a takes a path without an output or with an error, or one
// that delivers it away from its destination.
func (s *proof) stuck(a class) string {
	stuck := s.taken(a, func(p *path) bool { return p.err != nil || len(p.outputs) == 0 && !p.ejects })
	if !s.program.Passes {
		return stuck
	}
	return or(stuck, and(s.taken(a, func(p *path) bool { return p.ejects }), s.apart(nil)))
}

// step says that a packet of class a, at the place at hand, goes on to class b.
func (s *proof) step(a, b class) string {
	taken := s.taken(a, func(p *path) bool { return p.leads(b) })
	if taken == "false" {
		return taken
	}
	return and(taken, s.leaves(b))
}

// overEdge says that a packet of class a is sent where there is no channel.
func (s *proof) overEdge(a class) string {
	var parts []string
	for dir := range program.Dir(2 * s.dims) {
		taken := s.taken(a, func(p *path) bool {
			return slices.ContainsFunc(p.outputs, func(o program.Output) bool { return o.Dir == dir })
		})
		if taken != "false" {
			parts = append(parts, and(taken, not(s.names.all(s.edge(dir, false)))))
		}
	}
	if len(parts) == 0 {
		return "false"
	}
	return and(s.known(a), or(parts...))
}

// astray says that a packet of class a goes on to a class to which no move is known.
func (s *proof) astray(a class) string {
	var parts []string
	seen := map[class]bool{}
	for i := range s.paths {
		for _, o := range s.paths[i].outputs {
			for _, b := range s.outputs(o) {
				if s.paths[i].from(a) && !s.edges[[2]class{a, b}] && !seen[b] {
					seen[b] = true
					parts = append(parts, s.step(a, b))
				}
			}
		}
	}
	if len(parts) == 0 {
		return "false"
	}
	return and(s.known(a), or(parts...))
}

// broken says that a hop onto class b, not to the destination, breaks its invariant.
func (s *proof) broken(b class) string {
	var parts []string
	for _, a := range s.classes {
		if step := s.step(a, b); step != "false" {
			parts = append(parts, and(s.apply(s.invariantName(a), nil), step))
		}
	}
	forward := s.toHead(b.dir, b.wrap)
	return and(s.apply("domain", nil), or(parts...), s.elsewhere(forward), not(s.apply(s.invariantName(b), forward)))
}

// isEscape reports whether an output is onto an escape channel.
func (s *proof) isEscape(o program.Output) bool { return s.escape.nodes[node{dir: o.Dir, vc: o.VC}] }

// rankPairs are the pairs of nodes that depend on each other, as far as moves are
// known; no others are, which the obligations "move" show.
func (s *proof) rankPairs() []pair {
	if s.detour != nil {
		return s.detourPairs()
	}
	seen := map[pair]bool{}
	for key := range s.edges {
		if key[0] != injected && s.escape.ranks(key[0].node()) && len(s.escaping(s.escape, key)) > 0 {
			seen[pair{key[0].node(), key[1].node()}] = true
		}
	}
	return sortedPairs(seen)
}

func (s *proof) inEscape(n node) bool { return s.escape.nodes[n.whole()] }

// asking says that a packet on a channel of p.from may ask for one of p.to.
func (s *proof) asking(p pair) string {
	if s.detour != nil {
		return s.detourAsking(p)
	}
	var parts []string
	for _, a := range s.classes[1:] {
		for _, b := range s.classes[1:] {
			if a.node() == p.from && b.node() == p.to {
				if taken := s.taken(a, func(p *path) bool { return s.escape.leads(p, b) }); taken != "false" {
					parts = append(parts, and(s.apply(s.invariantName(a), nil), taken, s.leaves(b)))
				}
			}
		}
	}
	return and(s.apply("domain", nil), or(parts...))
}

// notNearer says that the hop to class b does not get nearer to the destination.
func (s *proof) notNearer(b class) string {
	forward := s.toHead(b.dir, b.wrap)
	return fmt.Sprintf("(>= %s %s)", s.distanceTerm(forward), s.distanceTerm(nil))
}

// distanceTerm is the length of a shortest way to the destination.
func (s *system) distanceTerm(by []form) string {
	var parts []string
	for d := range s.dims {
		x := s.here(d)
		if by != nil {
			x = x.moved(by)
		}
		ahead, back := s.there(d).plus(x, -1), x.plus(s.there(d), -1)
		term := func(f form) string { return s.names.term(f) }
		shorter := func(a, n form) string { // the shorter way round, a hops one way
			return fmt.Sprintf("(ite (<= (* 2 %s) %s) %s %s)", term(a), term(n), term(a), term(n.plus(a, -1)))
		}
		if s.program.Family.Wrap() {
			parts = append(parts, fmt.Sprintf("(ite (>= %s 0) %s %s)", term(ahead), shorter(ahead, s.sides[d]), shorter(back, s.sides[d])))
		} else {
			parts = append(parts, fmt.Sprintf("(ite (>= %s 0) %s %s)", term(ahead), term(ahead), term(back)))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(+ " + strings.Join(parts, " ") + ")"
}

// preamble is what all obligations are in terms of.
func (s *proof) preamble() string {
	return "(set-logic QF_LIA)\n" + s.declarations() + s.definitions() + s.invariants() + s.detourDefinition()
}

// prove asks Z3 for each obligation, in a conversation of its own.
func (s *proof) prove(progress func(done, of int)) ([]Obligation, error) {
	list := s.all()
	script, err := smt.NewScript()
	if err != nil {
		return nil, err
	}
	if err := script.Tell(s.preamble()); err != nil {
		return nil, err
	}
	for i := range list {
		o := &list[i]
		began := time.Now()
		if o.Result, o.Point, o.Reason, err = script.Ask(s.ctx, o.Text, s.names, smt.Limit{Time: s.limit}); err != nil {
			return nil, err
		}
		o.Seconds = time.Since(began).Seconds()
		progress(i+1, len(list))
	}
	return list, nil
}

// script writes the obligations as one file for any solver, which must answer unsat
// each time.
func (s *proof) file(title string, list []Obligation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "; %s\n; Every (check-sat) must answer unsat: z3 FILE, cvc5 --incremental FILE.\n", title)
	b.WriteString(s.preamble())
	for _, o := range list {
		fmt.Fprintf(&b, "(echo \"%s %s\")\n(push 1)\n%s\n(check-sat)\n(pop 1)\n", o.Kind, o.Name, o.Text)
	}
	return b.String()
}
