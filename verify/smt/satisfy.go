//go:build z3 && cgo

// This file asks Z3 for truth values that satisfy clauses.
//
// Promise: Sat comes with values under which each clause holds, looked at once
// more here; Unsat means that Z3 found none; Unknown is neither.
// Cost: that of Z3's SAT core; a clause is asserted as a disjunction.

package smt

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <z3.h>

// make_booleans makes n variables; variable v and its negation are at 2v and 2v+1.
static Z3_ast *make_booleans(void *ctx, size_t n) {
	Z3_context c = (Z3_context)ctx;
	Z3_sort b = Z3_mk_bool_sort(c);
	Z3_ast *x = malloc((2 * n + 1) * sizeof *x);
	for (size_t v = 0; v < n; v++) {
		Z3_inc_ref(c, x[2 * v] = Z3_mk_const(c, Z3_mk_int_symbol(c, (int)v), b));
		Z3_inc_ref(c, x[2 * v + 1] = Z3_mk_not(c, x[2 * v]));
	}
	return x;
}

static void drop_booleans(void *ctx, Z3_ast *x, size_t n) {
	for (size_t v = 0; v < 2 * n; v++)
		Z3_dec_ref((Z3_context)ctx, x[v]);
	free(x);
}

// assert_clause asserts that one of k literals is true. The disjunction is the solver's alone.
static void assert_clause(void *ctx, void *solver, Z3_ast *x, const int32_t *literals, size_t k) {
	Z3_ast *some = malloc((k + 1) * sizeof *some);
	for (size_t i = 0; i < k; i++)
		some[i] = literals[i] > 0 ? x[2 * (literals[i] - 1)] : x[2 * (-literals[i] - 1) + 1];
	Z3_solver_assert((Z3_context)ctx, (Z3_solver)solver, Z3_mk_or((Z3_context)ctx, (unsigned)k, some));
	free(some);
}

static bool is_true(void *ctx, void *model, Z3_ast x) {
	Z3_ast value;
	return Z3_model_eval((Z3_context)ctx, (Z3_model)model, x, true, &value) && Z3_get_bool_value((Z3_context)ctx, value) == Z3_L_TRUE;
}
*/
import "C"

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"unsafe"
)

// Satisfy asks Z3 for truth values of n variables, 0 to n-1, under which each
// clause has a literal that is true: v+1 for variable v, -v-1 for its negation.
// Limits and errors are as for Rising. The clauses are read once.
func Satisfy(ctx context.Context, n int, clauses iter.Seq[[]int32], limit Limit) (Result, []bool, error) {
	var result Result
	var values []bool
	var list [][]int32
	for c := range clauses {
		for _, l := range c {
			if l == 0 || int(max(l, -l)) > n {
				return Unknown, nil, fmt.Errorf("smt: clause %d: literal %d of %d variables", len(list), l, n)
			}
		}
		list = append(list, append([]int32(nil), c...))
	}
	err := guard(func() error {
		s := open(ctx, limit, general)
		defer s.close()
		x := s.booleans(n)
		defer x.drop()
		for part := range slices.Chunk(list, askEvery) {
			if s.ctx.Err() != nil {
				break
			}
			x.assert(part)
		}
		var err error
		if result, _, err = s.check(); result == Sat {
			values = x.values()
		}
		return err
	})
	if err != nil {
		return Unknown, nil, err
	}
	if result == Sat {
		err = satisfied(values, list)
	}
	return result, values, err
}

// booleans are the variables of a question, not those of go-z3: that has an object with a finalizer
// for each of hundreds of thousands of clauses, and no other thread calls Z3 on their account.
type booleans struct {
	s *session
	n int
	x *C.Z3_ast
}

func (s *session) booleans(n int) *booleans {
	return &booleans{s, n, C.make_booleans(handle(s.z3), C.size_t(n))}
}

// drop gives the variables back, unless an error has left Z3 as it must not be used.
func (b *booleans) drop() {
	if b.s.answered {
		C.drop_booleans(handle(b.s.z3), b.x, C.size_t(b.n))
	}
}

func (b *booleans) assert(clauses [][]int32) {
	ctx, solver := handle(b.s.z3), handle(b.s.solver)
	for _, c := range clauses {
		C.assert_clause(ctx, solver, b.x, (*C.int32_t)(unsafe.SliceData(c)), C.size_t(len(c)))
	}
	runtime.KeepAlive(b.s)
}

// values reads the model.
func (b *booleans) values() []bool {
	ctx, model := handle(b.s.z3), handle(b.s.model)
	list := make([]bool, b.n)
	for v, x := range unsafe.Slice(b.x, 2*b.n) {
		if v%2 == 0 {
			list[v/2] = bool(C.is_true(ctx, model, x))
		}
	}
	runtime.KeepAlive(b.s)
	return list
}

// satisfied reports the first clause that does not hold.
func satisfied(values []bool, list [][]int32) error {
	for i, c := range list {
		holds := false
		for _, l := range c {
			holds = holds || l > 0 && values[l-1] || l < 0 && !values[-l-1]
		}
		if !holds {
			return fmt.Errorf("smt: z3's values do not satisfy clause %d", i)
		}
	}
	return nil
}
