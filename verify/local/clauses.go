package local

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file decides whether formulas have a solution.
//
// Each inequality is a literal, and its negation the opposite one. Clauses say what the formulas say of literals. A model of the
// clauses is a set of inequalities. If these contradict each other, a further clause says so, and the search goes on (lazy
// satisfiability modulo theories; C. Barrett and others, Handbook of Satisfiability, 2009, chapter 26).

// costOfModel is the cost of a model beside the square of its number of inequalities.
const costOfModel = 1000

// clauses has formulas as clauses.
type clauses struct {
	solver  *clausal.Solver
	atoms   map[string]int32 // variables of inequalities and divisibilities by their texts
	forms   []everysize.Form // by variable; nil if the variable stands for no inequality
	divides map[int32]*everysize.Formula
	width   int // of the longest form
	given   []*node
	left    int64 // what the search may cost
}

// node is a part of a formula, with the literal that implies it; 0 for a formula that is given.
type node struct {
	literal int32
	op      everysize.Op
	parts   []*node
}

func newClauses(limit int64) *clauses {
	return &clauses{solver: clausal.New(0), atoms: map[string]int32{}, forms: make([]everysize.Form, 1),
		divides: map[int32]*everysize.Formula{}, left: limit}
}

func (c *clauses) variable(f everysize.Form) int32 {
	c.forms = append(c.forms, f)
	return c.solver.Variable()
}

// literal returns the literal of an inequality or divisibility.
func (c *clauses) literal(f *everysize.Formula) int32 {
	form, sign := f.Form, int32(1)
	if f.Op == everysize.AtLeast {
		if i := slices.IndexFunc(form[1:], func(k int64) bool { return k != 0 }); i >= 0 && form[1+i] < 0 {
			form, sign = everysize.Form{-1}.Sum(form, -1), -1
		}
	}
	c.width = max(c.width, len(form))
	var key strings.Builder
	fmt.Fprint(&key, f.Mod, form[0])
	for v, k := range form[1:] {
		if k != 0 {
			fmt.Fprint(&key, " ", v, ":", k)
		}
	}
	v, ok := c.atoms[key.String()]
	if !ok {
		if f.Op == everysize.Divides {
			v = c.variable(nil)
			c.divides[v] = f
		} else {
			v = c.variable(form)
		}
		c.atoms[key.String()] = v
	}
	return sign * v
}

// add adds a clause, unless it is always true.
func (c *clauses) add(kind int, literals ...int32) {
	slices.Sort(literals)
	literals = slices.Compact(literals)
	for _, l := range literals {
		if _, both := slices.BinarySearch(literals, -l); both && l < 0 {
			return
		}
	}
	c.solver.Add(kind, literals...)
}

// give states that a formula holds. The clauses are of a kind.
func (c *clauses) give(kind int, f *everysize.Formula) {
	n := c.part(kind, f)
	c.add(kind, n.literal)
	c.given = append(c.given, n)
}

// part returns the literal that implies a formula.
func (c *clauses) part(kind int, f *everysize.Formula) *node {
	n := &node{op: f.Op}
	if f.Op == everysize.AtLeast || f.Op == everysize.Divides {
		n.literal = c.literal(f)
		return n
	}
	for _, x := range f.Args {
		n.parts = append(n.parts, c.part(kind, x))
	}
	n.literal = c.variable(nil)
	some := []int32{-n.literal}
	for _, p := range n.parts {
		if f.Op == everysize.And {
			c.add(kind, -n.literal, p.literal)
		}
		some = append(some, p.literal)
	}
	if f.Op == everysize.Or {
		c.add(kind, some...)
	}
	return n
}

// needed adds the literals of a model that make a part of a formula hold.
func (c *clauses) needed(n *node, set map[int32]bool, list []int32) []int32 {
	switch n.op {
	case everysize.And:
		for _, p := range n.parts {
			list = c.needed(p, set, list)
		}
		return list
	case everysize.Or:
		for _, p := range n.parts {
			if set[p.literal] {
				return list
			}
		}
		for _, p := range n.parts {
			if c.solver.True(p.literal) {
				return c.needed(p, set, list)
			}
		}
		return list
	}
	if !set[n.literal] {
		set[n.literal] = true
		list = append(list, n.literal)
	}
	return list
}

// inequalities returns those that literals say. A divisibility by m is: the form is m times a further variable.
func (c *clauses) inequalities(literals []int32) (list []inequality) {
	further := c.width
	for _, l := range literals {
		form := c.forms[max(l, -l)]
		f := c.divides[l]
		switch {
		case f != nil:
			multiple := make(everysize.Form, further+1)
			multiple[further] = -f.Mod
			form = f.Form.Sum(multiple, 1)
			list = append(list, inequality{form, l}, inequality{everysize.Form{0}.Sum(form, -1), l})
			further++
		case l < 0:
			list = append(list, inequality{everysize.Form{-1}.Sum(form, -1), l})
		default:
			list = append(list, inequality{form, l})
		}
	}
	return list
}

// model returns the literals of a model of the clauses that the formulas need, or nil if there is no model.
func (c *clauses) model(ctx context.Context) ([]int32, error) {
	before := c.solver.Work()
	c.solver.Limit(before + max(1, c.left))
	result := c.solver.Solve(ctx)
	c.left -= c.solver.Work() - before
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case result == clausal.Unsat:
		return nil, nil
	case result == clausal.Unknown || c.left < 0:
		return nil, errLimit
	}
	set, literals := map[int32]bool{}, []int32{}
	for _, n := range c.given {
		literals = c.needed(n, set, literals)
	}
	c.left -= costOfModel + int64(len(literals)*len(literals))
	return literals, nil
}

// solve returns values of variables that satisfy all formulas, or nil if there are none. It fails with errLimit if it does not decide.
func (c *clauses) solve(ctx context.Context) (map[int]int64, error) {
	for {
		literals, err := c.model(ctx)
		if literals == nil || err != nil {
			return nil, err
		}
		result := satisfy(c.inequalities(literals))
		switch {
		case result.clashes != nil:
			for _, clash := range result.clashes {
				for i := range clash {
					clash[i] = -clash[i]
				}
				c.add(0, clash...)
			}
		case result.of == nil:
			return nil, errLimit
		default:
			maps.DeleteFunc(result.of, func(v int, _ int64) bool { return v+1 >= c.width })
			return result.of, nil
		}
	}
}

// core returns the kinds of the clauses that a contradiction needs, except 0.
func (c *clauses) core() (kinds []int) {
	for _, s := range c.solver.Refutation() {
		if s.Kind > 0 {
			kinds = append(kinds, s.Kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
