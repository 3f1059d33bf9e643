package parametric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file finds the ranks of a strongly connected component by counterexamples (CEGIS).
// The coefficients are small unknowns. They must make the rank rise on the dependencies known so
// far. Z3 then checks all dependencies, and those that fail are added. Short tuples are
// tried first. A result is made smaller within a few steps, because people read it.
//
// Source of the method: A. Solar-Lezama et al., ASPLOS, 2006.

const (
	maxTuple    = 3 // numbers after that of the strongly connected component
	maxConstant = 4 // largest constant of a number
)

// solveComponent finds the ranks of a strongly connected component, as short as possible.
func (s *system) solveComponent(nodes []node, pairs []pair, req requirement) (tuples, *failure, error) {
	t := s.newTemplate(nodes, pairs, req)
	for stage := range maxTuple * len(levels) {
		if t.length, t.level = 1+stage/len(levels), stage%len(levels); levels[t.level].failures && !levels[t.level].sizes && len(t.faults) == 0 {
			continue
		}
		if err := t.declare(); err != nil {
			return nil, nil, err
		}
		if found, err := t.smallest(); found != nil || err != nil {
			return found, nil, err
		}
	}
	return nil, &failure{pairs: pairs, points: t.points, reason: t.why}, nil
}

// levels limit the forms of a rank, simple ones first: they are found and proved faster and
// are easier to read.
var levels = []struct {
	failures bool // coordinates of failures may occur
	sizes    bool
	constant int64
}{{false, false, 0}, {false, false, maxConstant}, {true, false, maxConstant}, {true, true, maxConstant}}

// minimizeSteps bounds Z3's steps when a rank is made smaller. A limit of steps, not time, gives
// the same rank on every machine.
const minimizeSteps = 400_000

// smallest finds ranks and makes them as small as minimizeSteps permits.
func (t *template) smallest() (tuples, error) {
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
	level  int          // index of levels
	known  []dependency // dependencies of these pairs on small networks
	points []dependency // dependencies on which the rank must rise
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

// columns returns the variables that a rank may use.
func (t *template) columns() (list []int) {
	sizes := 3 * t.dims
	failures := sizes + len(t.sizes)
	for v := range t.variables() {
		isPlace := v < t.dims || v < 2*t.dims && t.pathsOnly
		if isPlace || v >= sizes && v < failures && levels[t.level].sizes || v >= failures && v < t.firstExtra() && levels[t.level].failures ||
			t.isOnto(v) {
			list = append(list, v)
		}
	}
	return list
}

func (t *template) unknown(n node, k, v int) string { return fmt.Sprintf("c%d_%d_%d", t.at[n], k, v) }

// declare declares the unknowns of tuples of this length, and asserts the requirements so far.
func (t *template) declare() (err error) {
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
		b.WriteString(t.require(d))
	}
	return t.script.Tell(b.String())
}

// value returns the term of number k of a node's rank at a point.
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

// require returns the assertion that the rank rises on a dependency.
func (t *template) require(d dependency) string {
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

// cegis returns ranks that rise on all dependencies and satisfy extra, or nil.
func (t *template) cegis(extra string) (tuples, error) {
	for range maxRounds {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		limit := smt.Limit{Time: t.limit}
		if extra != "" {
			limit.Steps = minimizeSteps
		}
		result, values, reason, err := t.script.Ask(t.ctx, extra, append([]string{"cost"}, t.terms...), limit)
		if err != nil {
			return nil, err
		}
		if result != smt.Sat {
			if t.why = "no rank of this form rises on all dependencies"; result == smt.Unknown {
				t.why = "the search for a rank did not finish: " + reason
			}
			return nil, nil
		}
		t.cost = values[0]
		candidate := t.read(values[1:])
		failed, err := t.counterexamples(candidate)
		if err != nil {
			return nil, err
		}
		if len(failed) == 0 {
			return candidate, nil
		}
		var b strings.Builder
		for _, d := range failed {
			t.points = append(t.points, d)
			b.WriteString(t.require(d))
		}
		if err := t.script.Tell(b.String()); err != nil {
			return nil, err
		}
	}
	t.why = fmt.Sprintf("the search for a rank did not finish in %d rounds", maxRounds)
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

// maxPerPair bounds the counterexamples of small networks for each pair at a time.
const maxPerPair = 3

// counterexamples returns dependencies on which a rank does not rise: known ones, otherwise those of Z3.
func (t *template) counterexamples(candidate tuples) (list []dependency, err error) {
	r := candidate.ranks()
	if list = r.notRising(t.known); len(list) > 0 || t.req.text == nil {
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

// notRising returns known dependencies on which a rank does not rise, a few for each pair.
func (r ranks) notRising(known []dependency) (list []dependency) {
	count := map[pair]int{}
	for _, d := range known {
		p := pair{d.from, d.to}
		if count[p] < maxPerPair && slices.Compare(r.at(d.from, d.fromTail), r.at(d.to, d.toTail)) >= 0 {
			count[p]++
			list = append(list, d)
		}
	}
	return list
}

// counterexample returns a dependency of a pair on which a rank does not rise, or nil. An
// undecided question counts as none, because obligations prove the result later.
func (s *system) counterexample(p pair, req requirement, r ranks) (*dependency, smt.Result, error) {
	ask := "(assert (and " + req.text(p) + " " + not(s.risesFormula(r, p, req.ghost)) + "))"
	result, point, _, err := req.script.Ask(s.ctx, ask, s.names, smt.Limit{Time: s.limit})
	if err != nil || result != smt.Sat {
		return nil, result, err
	}
	tail := s.shift(point, s.tailOf(p.from, req.ghost))
	return &dependency{from: p.from, to: p.to, fromTail: tail, toTail: point}, result, nil
}
