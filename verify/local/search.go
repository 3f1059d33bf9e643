package local

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/turnproof/turnproof/internal/linear"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file searches for a proof that a formula has no solution, in the form that the checker reads. Package clausal has chosen the facts
// that the proof needs (clauses.go).
//
// The formulas here have many disjunctions, and most inequalities bound the difference of two variables. So the search keeps the
// longest paths between all variables (differences.go). A disjunction with one possible case adds this case. Otherwise
// the search takes the cases of a disjunction one after the other. Other inequalities are left to package linear.

// solve returns a solution of an obligation, or the numbers of a proof that there is none. It subtracts the cost of its nodes from
// left, and fails with errLimit below 0. A node costs about the square of the number of variables.
func solve(ctx context.Context, o *everysize.Obligation, left *int) (model []int64, proof []int32, err error) {
	s := &solver{ctx: ctx, left: left, cost: o.Variables*o.Variables + costOfNode}
	n := &state{bounds: newDifferences(o.Variables), variables: o.Variables}
	root := n.with(o.Formula)
	tree, err := s.visit(n)
	if err != nil {
		return nil, nil, err
	}
	if tree == nil {
		return s.model[:o.Variables], nil, nil
	}
	w := &writer{rows: map[*fact]int{}, cases: map[*fact]int{}}
	w.add(root)
	w.write(tree)
	return nil, w.out, w.err
}

// fact is an inequality or a disjunction that is known at a node.
type fact struct {
	row   everysize.Form
	cases []*everysize.Formula
}

// state is what is known at a node.
type state struct {
	rows      []*fact
	open      []*fact
	bounds    *differences
	others    int // rows that are no difference
	variables int
	clash     []term // a contradiction of rows, or nil
}

type term struct {
	row  *fact
	mult int64
}

// tree is a proof: a leaf, or the cases of a disjunction.
type tree struct {
	leaf  []term
	of    *fact
	next  []*tree
	added [][]*fact
	used  map[*fact]bool
}

type solver struct {
	ctx   context.Context
	left  *int // what the nodes may cost
	cost  int  // of a node
	nodes int
	model []int64
}

// branch returns a copy of a state.
func (n *state) branch() *state {
	c := *n
	c.rows, c.open = slices.Clip(n.rows), slices.Clip(n.open)
	c.bounds = n.bounds.clone()
	return &c
}

// with adds a formula, and returns the new facts in the order of the checker.
func (n *state) with(f *everysize.Formula) (added []*fact) {
	switch f.Op {
	case everysize.And:
		for _, x := range f.Args {
			added = append(added, n.with(x)...)
		}
	case everysize.Or:
		d := &fact{cases: f.Args}
		n.open = append(n.open, d)
		added = []*fact{d}
	case everysize.AtLeast:
		r := &fact{row: f.Form}
		added = []*fact{r}
		n.rows = append(n.rows, r)
		if n.clash == nil {
			n.bound(r)
		}
	case everysize.Divides:
		row := make(everysize.Form, n.variables+2)
		copy(row, f.Form)
		row[n.variables+1] = -f.Mod
		negated := make(everysize.Form, len(row))
		for v, c := range row {
			negated[v] = -c
		}
		n.variables++
		added = []*fact{{row: row}, {row: negated}}
		n.rows = append(n.rows, added...)
		n.others += 2
	}
	return added
}

// bound adds a row to the bounds.
func (n *state) bound(r *fact) {
	from, to, least, ok := difference(r.row)
	if !ok {
		n.others++
		return
	}
	if from == to {
		if least > 0 {
			n.clash = []term{{r, 1}}
		}
		return
	}
	if n.bounds.contradicts(from, to, least) {
		n.clash = append(n.bounds.path(to, from, n.rows), term{r, 1})
		return
	}
	n.bounds.add(from, to, least)
}

// difference reads a row as: variable to - variable from >= least. Variable 0 is the number 0; others are numbered from 1.
func difference(f everysize.Form) (from, to int, least int64, ok bool) {
	for v, c := range f[1:] {
		switch {
		case c == 0:
		case c == 1 && to == 0:
			to = v + 1
		case c == -1 && from == 0:
			from = v + 1
		default:
			return 0, 0, 0, false
		}
	}
	return from, to, -f[0], true
}

// verdict says what bounds say about a formula.
type verdict int

const (
	unknown verdict = iota
	isTrue
	isFalse
)

// judge says what the bounds say about a formula.
func (n *state) judge(f *everysize.Formula) verdict {
	switch f.Op {
	case everysize.AtLeast:
		from, to, least, ok := difference(f.Form)
		switch {
		case !ok:
			return unknown
		case from == to && least > 0 || from != to && n.bounds.contradicts(from, to, least):
			return isFalse
		case from == to || n.bounds.implies(from, to, least):
			return isTrue
		}
		return unknown
	case everysize.And:
		all := isTrue
		for _, x := range f.Args {
			switch n.judge(x) {
			case isFalse:
				return isFalse
			case unknown:
				all = unknown
			}
		}
		return all
	case everysize.Or:
		none := isFalse
		for _, x := range f.Args {
			switch n.judge(x) {
			case isTrue:
				return isTrue
			case unknown:
				none = unknown
			}
		}
		return none
	}
	return unknown
}

// visit returns a proof of a node, or nil if it has a solution, which is in s.model then.
func (s *solver) visit(n *state) (*tree, error) {
	if *s.left -= s.cost; *s.left < 0 {
		return nil, errLimit
	}
	if s.nodes++; s.nodes%64 == 0 && s.ctx.Err() != nil {
		return nil, s.ctx.Err()
	}
	if n.clash != nil {
		return leaf(n.clash), nil
	}
	kept := n.open[:0:0]
	for _, d := range n.open {
		possible, holds := 0, false
		for _, c := range d.cases {
			v := n.judge(c)
			holds = holds || v == isTrue
			if v != isFalse {
				possible++
			}
		}
		if holds {
			continue
		}
		if possible <= 1 {
			return s.cases(n, d)
		}
		kept = append(kept, d)
	}
	n.open = kept
	point, clash, ok := n.solution()
	if clash != nil {
		return leaf(clash), nil
	}
	var best *fact
	for _, d := range slices.Backward(n.open) {
		if ok && slices.ContainsFunc(d.cases, func(c *everysize.Formula) bool { return c.Holds(point) }) {
			continue
		}
		if best == nil || len(d.cases) < len(best.cases) {
			best = d
		}
	}
	if best != nil {
		return s.cases(n, best)
	}
	if !ok {
		return nil, errLimit
	}
	s.model = point
	return nil, nil
}

// solution returns integers that satisfy the rows. ok is false if it finds none; clash is a contradiction of rows.
func (n *state) solution() (point []int64, clash []term, ok bool) {
	point = n.bounds.solution(n.variables)
	if n.others == 0 || !slices.ContainsFunc(n.rows, func(r *fact) bool { return valueAt(r.row, point) < 0 }) {
		return point, nil, true
	}
	var rows [][]int64
	for _, r := range n.rows {
		rows = append(rows, r.row)
	}
	p, multipliers, ok := linear.Feasible(rows, n.variables)
	if !ok {
		return point, nil, false
	}
	for i, m := range multipliers {
		if m > 0 {
			clash = append(clash, term{n.rows[i], m})
		}
	}
	if clash != nil {
		return nil, clash, false
	}
	for v := range p.Den {
		if p.Den[v] != 1 {
			return point, nil, false
		}
	}
	return p.Num, nil, true
}

func valueAt(f everysize.Form, point []int64) int64 {
	sum := f[0]
	for v, c := range f[1:] {
		sum += c * point[v]
	}
	return sum
}

// cases proves a node by the cases of a disjunction. Cases that the bounds contradict come first.
func (s *solver) cases(n *state, d *fact) (*tree, error) {
	p := &tree{of: d, next: make([]*tree, len(d.cases)), added: make([][]*fact, len(d.cases))}
	order := make([]int, len(d.cases))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return rank(n.judge(d.cases[i])) - rank(n.judge(d.cases[j])) })
	n.open = slices.DeleteFunc(slices.Clone(n.open), func(x *fact) bool { return x == d })
	for k, i := range order {
		if added, clash := n.refuted(d.cases[i]); clash != nil {
			p.added[i], p.next[i] = added, leaf(clash)
			if !p.next[i].uses(added) {
				return p.next[i], nil
			}
			continue
		}
		b := n
		if k+1 < len(order) {
			b = n.branch()
		}
		p.added[i] = b.with(d.cases[i])
		q, err := s.visit(b)
		if err != nil || q == nil {
			return nil, err
		}
		if !q.uses(p.added[i]) {
			return q, nil
		}
		p.next[i] = q
	}
	return p.close(d), nil
}

// refuted returns the facts of a conjunction of inequalities, and a contradiction if the bounds contradict one of them.
func (n *state) refuted(f *everysize.Formula) (added []*fact, clash []term) {
	list := []*everysize.Formula{f}
	if f.Op == everysize.And {
		list = f.Args
	}
	for _, x := range list {
		if x.Op != everysize.AtLeast {
			return nil, nil
		}
		r := &fact{row: x.Form}
		added = append(added, r)
		if from, to, least, ok := difference(x.Form); ok && clash == nil {
			if from == to && least > 0 {
				clash = []term{{r, 1}}
			} else if from != to && n.bounds.contradicts(from, to, least) {
				clash = append(n.bounds.path(to, from, n.rows), term{r, 1})
			}
		}
	}
	return added, clash
}

func rank(v verdict) int {
	if v == isFalse {
		return 0
	}
	return 1
}

func leaf(terms []term) *tree {
	t := &tree{leaf: terms, used: map[*fact]bool{}}
	for _, x := range terms {
		t.used[x.row] = true
	}
	return t
}

func (t *tree) uses(list []*fact) bool {
	return slices.ContainsFunc(list, func(f *fact) bool { return t.used[f] })
}

// close computes the facts that a tree uses.
func (t *tree) close(d *fact) *tree {
	t.used = map[*fact]bool{d: true}
	for i, q := range t.next {
		for f := range q.used {
			if !slices.Contains(t.added[i], f) {
				t.used[f] = true
			}
		}
	}
	return t
}

// writer writes a proof in the numbers of verify/cert/everysize.
type writer struct {
	rows, cases map[*fact]int
	out         []int32
	err         error
}

func (w *writer) put(list ...int64) {
	for _, k := range list {
		if k > math.MaxInt32 || k < math.MinInt32 {
			w.err = errors.New("local: a number of a proof exceeds 32 bits")
		}
		w.out = append(w.out, int32(k))
	}
}

// add numbers facts. It returns a function that removes them.
func (w *writer) add(list []*fact) func() {
	for _, f := range list {
		if f.cases != nil {
			w.cases[f] = len(w.cases)
		} else {
			w.rows[f] = len(w.rows)
		}
	}
	return func() {
		for _, f := range list {
			delete(w.rows, f)
			delete(w.cases, f)
		}
	}
}

func (w *writer) write(t *tree) {
	if t.of == nil {
		w.put(0, int64(len(t.leaf)))
		for _, x := range t.leaf {
			w.put(int64(w.rows[x.row]), x.mult)
		}
		return
	}
	w.put(2, int64(w.cases[t.of]))
	for i, q := range t.next {
		remove := w.add(t.added[i])
		w.write(q)
		remove()
	}
}
