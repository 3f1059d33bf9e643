package parametric

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"turnproof/verify/smt"
)

// This file synthesises ranks: for each node a tuple of linear forms in the tail's
// coordinates and the sizes, so that every dependency raises the rank in lexicographic
// order. For each network the graph is finite, so a rank that rises leaves no cycle;
// it need not be bounded, nor positive.
//
// The first number is that of the strong component in the graph of nodes, and costs
// nothing. Each component is then solved alone by counterexamples (CEGIS): small
// unknown coefficients that raise the rank on the dependencies known so far, checked
// against all of them; what fails is added. Short tuples are tried first, and what is
// found is made smaller while that goes quickly, since it is to be read.
//
// Sources: W. J. Dally and C. L. Seitz, IEEE Trans. Computers C-36(5), 1987, for the
// theorem; A. Solar-Lezama et al., ASPLOS, 2006, for the method.

// tuples give each node its tuple: forms over the tail and the sizes.
type tuples map[node][]form

// piece is a tuple where the tail fulfils the guard.
type piece struct {
	guard []atom
	tuple []form
}

// ranks give each node its rank, in pieces of which one applies at every tail. Those
// that are synthesised have one piece.
type ranks map[node][]piece

func (t tuples) ranks() ranks {
	r := ranks{}
	for n, tuple := range t {
		r[n] = []piece{{nil, tuple}}
	}
	return r
}

// at is the rank of a node's channel at a point, its tail; nil: it has none.
func (r ranks) at(n node, tail []int64) []int64 {
	for _, p := range r[n] {
		if allHold(p.guard, tail) {
			rank := make([]int64, len(p.tuple))
			for i, f := range p.tuple {
				rank[i] = f.at(tail)
			}
			return rank
		}
	}
	return nil
}

const (
	maxTuple    = 3 // components beside the number of the strong component
	maxConstant = 4 // of a component
)

// pair is an edge between nodes.
type pair struct{ from, to node }

func sortedPairs[T any](m map[pair]T) []pair {
	list := slices.Collect(maps.Keys(m))
	slices.SortFunc(list, func(a, b pair) int {
		if c := compareNodes(a.from, b.from); c != 0 {
			return c
		}
		return compareNodes(a.to, b.to)
	})
	return list
}

func compareNodes(a, b node) int {
	return compareClasses(class{a.dir, a.vc, 0, a.wrap, a.region}, class{b.dir, b.vc, 0, b.wrap, b.region})
}

// lower is the formula: tuple a is less than tuple b.
func (n names) lower(a, b []form) string {
	if len(a) == 0 {
		return "false"
	}
	x, y := n.term(a[0]), n.term(b[0])
	rest := n.lower(a[1:], b[1:])
	if rest == "false" {
		return fmt.Sprintf("(< %s %s)", x, y)
	}
	return fmt.Sprintf("(or (< %s %s) (and (= %s %s) %s))", x, y, x, y, rest)
}

// rises is the formula: the rank of p.to at the place at hand is above that of p.from,
// whose head is there, or with ghost at the ghost.
func (s *system) rises(r ranks, p pair, ghost bool) string {
	back := s.tailOf(p.from, ghost)
	var parts []string
	for _, from := range r[p.from] {
		var before []form
		for _, f := range from.tuple {
			before = append(before, f.moved(back))
		}
		var there []atom
		for _, a := range from.guard {
			there = append(there, a.moved(back))
		}
		for _, to := range r[p.to] {
			lower := s.names.lower(before, to.tuple)
			if apart := append(there[:len(there):len(there)], to.guard...); len(apart) > 0 {
				lower = or(not(s.names.all(apart)), lower)
			}
			parts = append(parts, lower)
		}
	}
	if len(parts) == 0 {
		return "false"
	}
	return and(parts...)
}

// tailOf gives the tail of a node's channel in terms of the place at hand, or of the
// ghost.
func (s *system) tailOf(n node, ghost bool) []form {
	back := s.toTail(n.dir, n.wrap)
	if ghost {
		to := s.toGhost()
		for d := range s.dims {
			x := s.here(d)
			if back[d] != nil {
				x = back[d]
			}
			back[d] = x.moved(to)
		}
	}
	return back
}

// failure is a pair that no rank of the template raises, or that was left undecided.
type failure struct {
	pairs  []pair
	reason string
	points []dependency // that were demanded when synthesis gave up
}

func (e *failure) Error() string { return "parametric: " + e.reason }

// synthesise finds ranks, or tells by a failure where there are none.
func (s *system) synthesise(req requirement) (tuples, *failure, error) {
	components := strong(req.pairs)
	found := tuples{}
	for number, nodes := range components {
		inner, ranked := inside(nodes, req.pairs), tuples{}
		for _, n := range nodes {
			ranked[n] = nil
		}
		if len(inner) > 0 {
			var fail *failure
			var err error
			if ranked, fail, err = s.component(nodes, inner, req); fail != nil || err != nil {
				return nil, fail, err
			}
		}
		for n, tuple := range ranked {
			found[n] = append([]form{s.number(int64(number))}, tuple...)
		}
	}
	longest := 0
	for _, tuple := range found {
		longest = max(longest, len(tuple))
	}
	for n, tuple := range found {
		for len(tuple) < longest {
			tuple = append(tuple, s.number(0))
		}
		found[n] = tuple
	}
	return found, nil, nil
}

// inside are the pairs between nodes of a list.
func inside(nodes []node, pairs []pair) (inner []pair) {
	for _, p := range pairs {
		if slices.Contains(nodes, p.from) && slices.Contains(nodes, p.to) {
			inner = append(inner, p)
		}
	}
	return inner
}

// component solves a strong component: tuples as short as can be.
func (s *system) component(nodes []node, pairs []pair, req requirement) (tuples, *failure, error) {
	t := s.newTemplate(nodes, pairs, req)
	for stage := range maxTuple * len(levels) {
		t.length, t.level = 1+stage/len(levels), stage%len(levels)
		if err := t.begin(); err != nil {
			return nil, nil, err
		}
		if found, err := t.best(); found != nil || err != nil {
			return found, nil, err
		}
	}
	return nil, &failure{pairs: pairs, points: t.points, reason: t.why}, nil
}

// levels are what a component of a rank may be made of: the simple first, since it is
// found and proved faster, and read more easily.
var levels = []struct {
	sizes    bool
	constant int64
}{{false, 0}, {false, maxConstant}, {true, maxConstant}}

// polish bounds Z3's steps in making a rank smaller: steps, not time, so that the same
// rank comes out everywhere.
const polish = 400_000

// best finds ranks and makes them as small as it goes with little work.
func (t *template) best() (tuples, error) {
	found, err := t.cegis("")
	for better := found; better != nil && err == nil; {
		found = better
		better, err = t.cegis(fmt.Sprintf("(assert (< cost %d))", t.cost))
	}
	return found, err
}

// template is the unknown ranks of a component.
type template struct {
	*system
	nodes  []node
	pairs  []pair
	req    requirement
	length int
	level  int          // of levels
	known  []dependency // of these pairs, on small networks
	points []dependency // that must rise
	terms  []string     // unknowns
	at     map[node]int
	script *smt.Script
	cost   int64 // of the last ranks found
	why    string
}

func (s *system) newTemplate(nodes []node, pairs []pair, req requirement) *template {
	t := &template{system: s, nodes: nodes, pairs: pairs, req: req, at: map[node]int{}}
	for i, n := range nodes {
		t.at[n] = i
	}
	for _, d := range req.known {
		if slices.Contains(pairs, pair{d.from, d.to}) {
			t.known = append(t.known, d)
		}
	}
	return t
}

// columns are the variables that a rank may use.
func (t *template) columns() (list []int) {
	for v := range t.variables() {
		if v < t.dims || v >= 3*t.dims && levels[t.level].sizes {
			list = append(list, v)
		}
	}
	return list
}

func (t *template) unknown(n node, k, v int) string { return fmt.Sprintf("c%d_%d_%d", t.at[n], k, v) }

// begin declares the unknowns of tuples of this length, and what is demanded so far.
func (t *template) begin() (err error) {
	if t.script, err = smt.NewScript(); err != nil {
		return err
	}
	t.terms = nil
	var b strings.Builder
	var costs []string
	for _, n := range t.nodes {
		if t.req.fixed[n] != nil {
			continue
		}
		for k := range t.length {
			for _, v := range append(t.columns(), t.variables()) {
				c, most := t.unknown(n, k, v), int64(1)
				if v == t.variables() {
					most = levels[t.level].constant
				}
				t.terms = append(t.terms, c)
				fmt.Fprintf(&b, "(declare-const %s Int)(assert (<= (- %d) %s %d))", c, most, c, most)
				costs = append(costs, fmt.Sprintf("(ite (>= %s 0) %s (- %s))", c, c, c))
			}
		}
	}
	if len(costs) == 0 {
		costs = []string{"0"}
	}
	fmt.Fprintf(&b, "(declare-const cost Int)(assert (= cost (+ 0 %s)))", strings.Join(costs, " "))
	for _, d := range t.points {
		b.WriteString(t.demand(d))
	}
	return t.script.Tell(b.String())
}

// value is the term of component k of a node's rank at a point.
func (t *template) value(n node, k int, point []int64) string {
	if given := t.req.fixed[n]; given != nil {
		return number(given[k].at(point))
	}
	parts := []string{t.unknown(n, k, t.variables())}
	for _, v := range t.columns() {
		if point[v] != 0 {
			parts = append(parts, fmt.Sprintf("(* %s %s)", number(point[v]), t.unknown(n, k, v)))
		}
	}
	return "(+ 0 " + strings.Join(parts, " ") + ")"
}

// demand asserts that a dependency rises.
func (t *template) demand(d dependency) string {
	text := "false"
	for k := t.length - 1; k >= 0; k-- {
		x, y := t.value(d.from, k, d.fromTail), t.value(d.to, k, d.toTail)
		if text == "false" {
			text = fmt.Sprintf("(< %s %s)", x, y)
		} else {
			text = fmt.Sprintf("(or (< %s %s) (and (= %s %s) %s))", x, y, x, y, text)
		}
	}
	return "(assert " + text + ")"
}

// cegis returns ranks that rise on all dependencies, under one more demand; nil if
// there are none.
func (t *template) cegis(extra string) (tuples, error) {
	for range maxRounds {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		limit := smt.Limit{Time: t.limit}
		if extra != "" {
			limit.Steps = polish
		}
		result, values, reason, err := t.script.Ask(t.ctx, extra, append([]string{"cost"}, t.terms...), limit)
		if err != nil {
			return nil, err
		}
		if result != smt.Sat {
			if t.why = "no rank of this form rises on all dependencies"; result == smt.Unknown {
				t.why = "the search for a rank was not finished: " + reason
			}
			return nil, nil
		}
		t.cost = values[0]
		candidate := t.read(values[1:])
		failed, err := t.failing(candidate)
		if err != nil {
			return nil, err
		}
		if len(failed) == 0 {
			return candidate, nil
		}
		var b strings.Builder
		for _, d := range failed {
			t.points = append(t.points, d)
			b.WriteString(t.demand(d))
		}
		if err := t.script.Tell(b.String()); err != nil {
			return nil, err
		}
	}
	t.why = fmt.Sprintf("the search for a rank was not finished in %d rounds", maxRounds)
	return nil, nil
}

const maxRounds = 400

func (t *template) read(values []int64) tuples {
	found := tuples{}
	for _, n := range t.nodes {
		if given := t.req.fixed[n]; given != nil {
			found[n] = given
			continue
		}
		for range t.length {
			f := t.number(0)
			for _, v := range append(t.columns(), t.variables()) {
				f[v] = values[0]
				values = values[1:]
			}
			found[n] = append(found[n], f)
		}
	}
	return found
}

// perPair bounds the counterexamples that small networks give for a pair at a time.
const perPair = 3

// failing returns dependencies on which a rank does not rise: known ones, else any.
func (t *template) failing(candidate tuples) (list []dependency, err error) {
	r := candidate.ranks()
	if list = r.falling(t.known); len(list) > 0 || t.req.text == nil {
		return list, nil
	}
	for _, p := range t.pairs {
		d, _, err := t.counterexample(p, t.req, r)
		if err != nil {
			return nil, err
		}
		if d != nil {
			list = append(list, *d)
		}
	}
	return list, nil
}

// falling returns dependencies on which a rank does not rise, a few for each pair.
func (r ranks) falling(known []dependency) (list []dependency) {
	count := map[pair]int{}
	for _, d := range known {
		p := pair{d.from, d.to}
		if count[p] < perPair && slices.Compare(r.at(d.from, d.fromTail), r.at(d.to, d.toTail)) >= 0 {
			count[p]++
			list = append(list, d)
		}
	}
	return list
}

// counterexample looks for a dependency of a pair on which a rank does not rise. An
// undecided question counts as none here: what is found is proved afterwards.
func (s *system) counterexample(p pair, req requirement, r ranks) (*dependency, smt.Result, error) {
	ask := "(assert (and " + req.text(p) + " " + not(s.rises(r, p, req.ghost)) + "))"
	result, point, _, err := req.script.Ask(s.ctx, ask, s.names, smt.Limit{Time: s.limit})
	if err != nil || result != smt.Sat {
		return nil, result, err
	}
	tail := s.shifted(point, s.tailOf(p.from, req.ghost))
	return &dependency{from: p.from, to: p.to, fromTail: tail, toTail: point}, result, nil
}

// strong returns the strong components of the graph of pairs, each before those that
// it leads to (R. Tarjan, SIAM J. Computing 1(2), 1972).
func strong(pairs []pair) (components [][]node) {
	next := map[node][]node{}
	var nodes []node
	for _, p := range pairs {
		next[p.from] = append(next[p.from], p.to)
		for _, n := range []node{p.from, p.to} {
			if !slices.Contains(nodes, n) {
				nodes = append(nodes, n)
			}
		}
	}
	slices.SortFunc(nodes, compareNodes)
	order, low, on := map[node]int{}, map[node]int{}, map[node]bool{}
	var stack []node
	var visit func(n node)
	visit = func(n node) {
		order[n] = len(order) + 1
		low[n], on[n] = order[n], true
		stack = append(stack, n)
		for _, m := range next[n] {
			if order[m] == 0 {
				visit(m)
				low[n] = min(low[n], low[m])
			} else if on[m] {
				low[n] = min(low[n], order[m])
			}
		}
		if low[n] == order[n] {
			i := slices.Index(stack, n)
			part := slices.Clone(stack[i:])
			for _, m := range part {
				on[m] = false
			}
			stack = stack[:i]
			slices.SortFunc(part, compareNodes)
			components = append(components, part)
		}
	}
	for _, n := range nodes {
		if order[n] == 0 {
			visit(n)
		}
	}
	slices.Reverse(components)
	return components
}
