//go:build z3 && cgo

// This file asks Z3 for truth values that satisfy clauses.
//
// Promise: with Sat come values that were checked here. Unsat means that Z3 found none. Unknown
// means neither.
// Cost: that of Z3's SAT core; a clause is asserted as a disjunction.

package smt

import (
	"context"
	"fmt"
	"iter"
)

// Satisfy asks Z3 for truth values of variables 0 to n-1 such that each clause has a true
// literal: v+1 for variable v, -v-1 for its negation. Limits and errors are as for Rising. The
// clauses are read once.
func Satisfy(ctx context.Context, n int, clauses iter.Seq[[]int32], limit Limit) (Result, []bool, error) {
	var result Result
	var values []bool
	var list [][]int32
	for c := range clauses {
		for _, l := range c {
			if l == 0 || int(max(l, -l)) > n {
				return Unknown, nil, fmt.Errorf("cannot read clause %d: literal %d of %d variables", len(list), l, n)
			}
		}
		list = append(list, append([]int32(nil), c...))
	}
	err := guard(func() error {
		s := open(ctx, limit, general)
		defer s.close()
		x := s.booleans(n)
		defer x.drop()
		for i, c := range list {
			if i%askEvery == 0 && s.ctx.Err() != nil {
				break
			}
			x.some(c)
		}
		var err error
		if result, _, err = s.check(); result == Sat {
			values = x.truth()
		}
		return err
	})
	if err != nil {
		return Unknown, nil, err
	}
	if result == Sat {
		err = checkClauses(values, list)
	}
	return result, values, err
}

// checkClauses returns an error for the first clause that the values do not satisfy.
func checkClauses(values []bool, list [][]int32) error {
	for i, c := range list {
		holds := false
		for _, l := range c {
			holds = holds || l > 0 && values[l-1] || l < 0 && !values[-l-1]
		}
		if !holds {
			return fmt.Errorf("internal error: the values of Z3 do not satisfy clause %d", i)
		}
	}
	return nil
}
