package sat

import (
	"context"
	"fmt"
	"time"
)

// This file holds what all engines share: questions, answers, and the clauses
// that several encodings need.

// Lit is a literal: variable v as v, its negation as -v. 0 is none.
type Lit int32

// Result is what an engine found. The zero value is Unknown.
type Result uint8

const (
	// Unknown is no answer: a limit was reached or the question was stopped.
	Unknown Result = iota
	// Sat means that there is a model.
	Sat
	// Unsat means that there is none.
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

// Limit bounds one question; zero does not bound it. There is no limit in steps,
// since gini does not count them for its users: so whether an answer is Unknown
// may depend on the machine, but no model and no core does.
type Limit struct {
	Time time.Duration
}

// Solver holds clauses and answers questions about them. Clauses may be added
// between questions. It is not safe for concurrent use.
type Solver interface {
	// Var returns a new variable.
	Var() Lit
	// Add adds a clause of variables that Var returned; the empty one is false.
	Add(clause ...Lit)
	// Solve looks for a model in which the assumptions hold too. It returns
	// Unknown when the context ends or the limit is reached.
	Solve(ctx context.Context, limit Limit, assumptions ...Lit) Result
	// True reports whether a literal holds in the model. Only after Sat, and
	// before the next clause.
	True(l Lit) bool
	// Core returns assumptions that cannot all hold, none if the clauses alone
	// have no model; it need not be a smallest such list. Only after Unsat, and
	// before the next clause.
	Core() []Lit
}

// pairwise is the number of literals up to which a clause for each pair is
// written.
const pairwise = 6

// AtMostOne adds clauses that let at most one of the literals be true.
// Method: a clause for each pair; of many literals, groups chained by new
// variables that say "one up to here" (C. Sinz, Towards an optimal CNF encoding
// of Boolean cardinality constraints, CP 2005, by groups).
// Cost: about 5 clauses a literal.
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

// MoreThan returns literals, the j-th of which holds where more than j of the list do, for j up to
// limit. (The other way round they may hold or not.)
// Method: a counter, one literal after the other (C. Sinz, as above; O. Bailleux and Y. Boufkhad,
// CP 2003, for the tree).
// Cost: len(list) × limit clauses, twice.
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
