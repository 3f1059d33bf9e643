package arithmetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/linear"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file searches for a proof of one formula.

// Limits of the search.
const (
	mostNodes  = 20_000 // of a refutation
	fewNodes   = 400    // to exclude a path of a program
	mostSplits = 12     // of variables above a node
	mostCuts   = 12     // above a node
	mostTried  = 40     // cases of a disjunction that are compared with the rows
)

// Search finds proofs of obligations. It implements everysize.Solver.
type Search struct {
	Context  context.Context // if nil, the search has no deadline
	Proofs   []int32         // of the obligations in order
	Nodes    int             // visited, in all obligations
	Progress func(kind string, done int)
	Limit    int // of nodes for an obligation; defaults to 20,000

	done   int
	points [][]int64 // models of earlier obligations
	nodes  int       // left for the current obligation
}

// Satisfied is the error for a formula that has a solution.
type Satisfied struct{ Model []int64 }

// Error implements error.
func (e *Satisfied) Error() string { return fmt.Sprintf("it has the solution %v", e.Model) }

// ErrLimit is the error if the search ends without a proof and without a model.
var ErrLimit = errors.New("no proof was found within the limits of the search")

// node is what is known at a node of the tree.
type node struct {
	facts     []*fact
	variables int
	splits    int
	cuts      int
	open      []*fact // disjunctions of which no case was added
}

// Refute implements everysize.Solver.
func (s *Search) Refute(o *everysize.Obligation) error {
	if s.done++; s.Progress != nil {
		s.Progress(o.Kind, s.done)
	}
	numbers, err := s.prove(o, cmp.Or(s.Limit, mostNodes))
	s.Proofs = append(s.Proofs, numbers...)
	return err
}

// Possible implements everysize.Solver. Proofs gets 1 for an alternative that may be possible; otherwise 0 and the proof.
func (s *Search) Possible(o *everysize.Obligation) (bool, error) {
	for _, p := range s.points {
		if len(p) >= o.Variables && o.Formula.Holds(p) {
			s.Proofs = append(s.Proofs, 1)
			return true, nil
		}
	}
	numbers, err := s.prove(o, fewNodes)
	var found *Satisfied
	switch {
	case err == nil:
		s.Proofs = append(append(s.Proofs, 0), numbers...)
		return false, nil
	case errors.As(err, &found):
		s.points = append(s.points, found.Model)
	case !errors.Is(err, ErrLimit):
		return false, err
	}
	s.Proofs = append(s.Proofs, 1)
	return true, nil
}

// prove returns the numbers of a proof.
func (s *Search) prove(o *everysize.Obligation, limit int) ([]int32, error) {
	s.nodes = limit
	n := &node{variables: o.Variables}
	root := n.with(o.Formula)
	p, err := s.visit(n)
	if err != nil {
		return nil, err
	}
	w := &writer{rows: map[*fact]int{}, cases: map[*fact]int{}, variable: map[int]int{}, variables: o.Variables}
	for v := range o.Variables {
		w.variable[v] = v
	}
	w.add(root)
	w.write(p)
	return w.out, w.err
}

// with adds a formula to a node, and returns the new facts.
func (n *node) with(f *everysize.Formula) []*fact {
	before := len(n.facts)
	n.add(f)
	return n.facts[before:]
}

func (n *node) add(f *everysize.Formula) {
	switch f.Op {
	case everysize.And:
		for _, x := range f.Args {
			n.add(x)
		}
	case everysize.Or:
		d := &fact{cases: f.Args}
		n.facts, n.open = append(n.facts, d), append(n.open, d)
	case everysize.AtLeast:
		n.facts = append(n.facts, &fact{row: f.Form})
	case everysize.Divides:
		row := make([]int64, n.variables+2)
		copy(row, f.Form)
		row[n.variables+1] = -f.Mod
		negated := make([]int64, len(row))
		for v, c := range row {
			negated[v] = -c
		}
		n.facts = append(n.facts, &fact{row: row, numbers: []int{n.variables}}, &fact{row: negated})
		n.variables++
	}
}

// branch returns a copy of n to which facts can be added.
func (n *node) branch() *node {
	c := *n
	c.facts, c.open = slices.Clip(n.facts), slices.Clip(n.open)
	return &c
}

// visit returns a proof of a node.
func (s *Search) visit(n *node) (*proof, error) {
	s.Nodes++
	if s.nodes--; s.nodes < 0 {
		return nil, ErrLimit
	}
	if s.Context != nil && s.nodes%16 == 0 && s.Context.Err() != nil {
		return nil, s.Context.Err()
	}
	rows, list := n.rows()
	point, multipliers, ok := linear.Feasible(list, n.variables)
	if !ok {
		return nil, ErrLimit
	}
	if multipliers != nil {
		p := &proof{leaf: []term{}}
		for i, m := range multipliers {
			if m > 0 {
				p.leaf = append(p.leaf, term{rows[i], m})
			}
		}
		return p.close(rowsOf(p.leaf)...), nil
	}
	v := fractional(point)
	if v >= 0 && n.cuts < mostCuts {
		if terms, row := findCut(rows, point); terms != nil {
			return s.cut(n, terms, row)
		}
	}
	if d := n.violated(point, list); d != nil {
		return s.cases(n, d)
	}
	if v >= 0 {
		return s.round(n, point, v)
	}
	model := make([]int64, n.variables)
	copy(model, point.Num)
	return nil, &Satisfied{model}
}

func (n *node) rows() (rows []*fact, list [][]int64) {
	for _, f := range n.facts {
		if f.cases == nil {
			rows, list = append(rows, f), append(list, f.row)
		}
	}
	return rows, list
}

// violated returns a disjunction that the point violates, or nil: that with the fewest cases that the rows do not
// contradict.
func (n *node) violated(p *linear.Point, rows [][]int64) (best *fact) {
	least := 0
	for _, f := range slices.Backward(n.open) { // new ones first: they are more often of use
		if slices.ContainsFunc(f.cases, func(c *everysize.Formula) bool { return holdsAt(c, p) }) {
			continue
		}
		open := 0
		for i, c := range f.cases {
			if best != nil && open >= least {
				break
			}
			if len(f.cases) > mostTried {
				open = i + 1 // counts as possible
			} else if !contradicts(rows, c, n.variables) {
				open++
			}
		}
		if best == nil || open < least {
			best, least = f, open
		}
		if least == 0 {
			break
		}
	}
	return best
}

// contradicts reports whether the inequalities of a case contradict the rows.
func contradicts(rows [][]int64, c *everysize.Formula, variables int) bool {
	more := rows[:len(rows):len(rows)]
	for _, x := range append([]*everysize.Formula{c}, c.Args...) {
		if x.Op == everysize.AtLeast && (x == c || c.Op == everysize.And) {
			more = append(more, x.Form)
		}
	}
	if len(more) == len(rows) {
		return false
	}
	_, multipliers, ok := linear.Feasible(more, variables)
	return ok && multipliers != nil
}

// holdsAt evaluates a formula at a rational point.
func holdsAt(f *everysize.Formula, p *linear.Point) bool {
	switch f.Op {
	case everysize.AtLeast:
		num, _ := valueAt(f.Form, p)
		return num >= 0
	case everysize.Divides:
		num, den := valueAt(f.Form, p)
		return num%(den*f.Mod) == 0
	}
	for _, x := range f.Args {
		if holdsAt(x, p) == (f.Op == everysize.Or) {
			return f.Op == everysize.Or
		}
	}
	return f.Op == everysize.And
}

// valueAt returns the value of a form as a fraction with a positive denominator. An overflow gives a wrong value, which
// only guides the search.
func valueAt(f []int64, p *linear.Point) (num, den int64) {
	num, den = f[0], 1
	for v, c := range f[1:] {
		if c != 0 {
			num, den = num*p.Den[v]+c*p.Num[v]*den, den*p.Den[v]
		}
	}
	return num, max(den, 1)
}

// fractional returns a variable that is no integer, or -1.
func fractional(p *linear.Point) int {
	for v, d := range p.Den {
		if d > 1 {
			return v
		}
	}
	return -1
}

// cases proves a node by the cases of a disjunction.
func (s *Search) cases(n *node, d *fact) (*proof, error) {
	p := &proof{of: d}
	for _, f := range d.cases {
		b := n.branch()
		b.open = slices.DeleteFunc(slices.Clone(n.open), func(x *fact) bool { return x == d })
		added := b.with(f)
		q, err := s.visit(b)
		if err != nil {
			return nil, err
		}
		if !q.uses(added) {
			return q, nil
		}
		p.next, p.added = append(p.next, q), append(p.added, added)
	}
	return p.close(d), nil
}

// cut proves a node by a cut.
func (s *Search) cut(n *node, terms []term, row []int64) (*proof, error) {
	b := n.branch()
	b.cuts++
	f := &fact{row: row}
	b.facts = append(b.facts, f)
	q, err := s.visit(b)
	if err != nil || !q.used[f] {
		return q, err
	}
	p := &proof{cut: terms, next: []*proof{q}, added: [][]*fact{{f}}}
	return p.close(rowsOf(terms)...), nil
}

// round proves a node whose rational solution is no integer at variable v, by two cases for v.
func (s *Search) round(n *node, point *linear.Point, v int) (*proof, error) {
	if n.splits == mostSplits {
		return nil, ErrLimit
	}
	above := make([]int64, v+2)
	above[v+1], above[0] = 1, -floorDiv(point.Num[v], point.Den[v])-1
	below := make([]int64, v+2)
	below[v+1], below[0] = -1, -above[0]-1
	p := &proof{split: above}
	for _, row := range [][]int64{above, below} {
		b := n.branch()
		b.splits++
		f := &fact{row: row}
		b.facts = append(b.facts, f)
		q, err := s.visit(b)
		if err != nil {
			return nil, err
		}
		if !q.used[f] {
			return q, nil
		}
		p.next, p.added = append(p.next, q), append(p.added, []*fact{f})
	}
	return p.close(), nil
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
