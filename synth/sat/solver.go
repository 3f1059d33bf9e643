package sat

import (
	"context"
	"fmt"
	"time"
)

// This file has the interface of all solvers and the encodings that several packages use.

// Lit is a literal: variable v is v, and its negation is -v. 0 is no literal.
type Lit int32

// Result is the result of a solver. The zero value is Unknown.
type Result uint8

const (
	// Unknown means that a limit was reached or that the context ended.
	Unknown Result = iota
	// Sat means that there is a model.
	Sat
	// Unsat means that there is no model.
	Unsat
)

// String returns unknown, sat or unsat.
func (r Result) String() string {
	switch r {
	case Unknown:
		return "unknown"
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return fmt.Sprintf("Result(%d)", uint8(r))
}

// Limit limits one call of Solve. If zero, there is no limit. Steps have no limit, since gini does
// not report their number. So Unknown may depend on the machine, but models and cores do not.
type Limit struct {
	Time time.Duration
}

// Solver stores clauses and decides whether they have a model. Clauses may be added between calls
// of Solve. It is not safe for concurrent use.
type Solver interface {
	// Var returns a new variable.
	Var() Lit
	// Add adds a clause of variables that Var returned. The empty clause is false.
	Add(clause ...Lit)
	// Solve searches for a model in which the assumptions are true. It returns Unknown if the
	// context ends or the limit is reached.
	Solve(ctx context.Context, limit Limit, assumptions ...Lit) Result
	// True reports whether a literal is true in the model. Call it only after Sat and before the
	// next Add.
	True(l Lit) bool
	// Core returns assumptions that cannot all be true. It returns none if the clauses alone have
	// no model. The list need not be a smallest one. Call it only after Unsat and before the next
	// Add.
	Core() []Lit
}

// pairwise is the largest number of literals for which AtMostOne adds a clause for each pair.
const pairwise = 6

// AtMostOne adds clauses that let at most one of the literals be true. For few literals it adds a
// clause for each pair. Otherwise it chains groups by new variables "one is true up to here" (C.
// Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005, by groups).
// Cost: about 5 clauses for each literal.
func AtMostOne(s Solver, list []Lit) {
	for len(list) > pairwise {
		some := s.Var()
		for _, l := range list[:pairwise-1] {
			s.Add(-l, some)
		}
		pairs(s, list[:pairwise-1])
		rest := append([]Lit{some}, list[pairwise-1:]...)
		list = rest
	}
	pairs(s, list)
}

func pairs(s Solver, list []Lit) {
	for i, l := range list {
		for _, k := range list[:i] {
			s.Add(-l, -k)
		}
	}
}

// MoreThan returns literals. For j up to limit, literal j is true if more than j literals of the
// list are true. Otherwise its value is free. The encoding is a counter over the literals one
// after the other (C. Sinz, as above; O. Bailleux and Y. Boufkhad, CP 2003, for the tree). Cost: 2
// × len(list) × limit clauses.
func MoreThan(s Solver, list []Lit, limit int) []Lit {
	var out []Lit
	for _, x := range list {
		next := make([]Lit, min(len(out)+1, limit+1))
		for j := range next {
			if next[j] = s.Var(); j < len(out) {
				s.Add(-out[j], next[j])
			}
			if j == 0 {
				s.Add(-x, next[0])
			} else {
				s.Add(-x, -out[j-1], next[j])
			}
		}
		out = next
	}
	return out
}
