//go:build z3 && cgo

// This file asks Z3 questions with many variables and constraints.
//
// go-z3 has an object with a finalizer for each term, and finalizers take the lock that a check
// holds. A long check would keep all other questions from releasing memory. Here terms belong to
// the solver only, so a session has no other objects.

package smt

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <z3.h>

// make_variables creates n variables: integers or truth values. Entry n+v is the negation of truth value v.
static Z3_ast *make_variables(void *ctx, size_t n, bool integers) {
	Z3_context c = (Z3_context)ctx;
	Z3_sort sort = integers ? Z3_mk_int_sort(c) : Z3_mk_bool_sort(c);
	Z3_ast *x = malloc((2 * n + 1) * sizeof *x);
	for (size_t v = 0; v < n; v++) {
		Z3_inc_ref(c, x[v] = Z3_mk_const(c, Z3_mk_int_symbol(c, (int)v), sort));
		Z3_inc_ref(c, x[n + v] = integers ? x[v] : Z3_mk_not(c, x[v]));
	}
	return x;
}

static void drop_variables(void *ctx, Z3_ast *x, size_t n) {
	for (size_t v = 0; v < 2 * n; v++)
		Z3_dec_ref((Z3_context)ctx, x[v]);
	free(x);
}

// assert_some asserts that one of k literals is true: v+1 for truth value v, -v-1 for its negation.
static void assert_some(void *ctx, void *solver, Z3_ast *x, size_t n, const int32_t *literals, size_t k) {
	Z3_context c = (Z3_context)ctx;
	Z3_ast *some = malloc((k + 1) * sizeof *some);
	for (size_t i = 0; i < k; i++)
		some[i] = literals[i] > 0 ? x[literals[i] - 1] : x[n - literals[i] - 1];
	Z3_solver_assert(c, (Z3_solver)solver, Z3_mk_or(c, (unsigned)k, some));
	free(some);
}

// assert_less asserts that an integer is less than one of k others.
static void assert_less(void *ctx, void *solver, Z3_ast *x, int32_t from, const int32_t *to, size_t k) {
	Z3_context c = (Z3_context)ctx;
	Z3_ast *some = malloc((k + 1) * sizeof *some);
	for (size_t i = 0; i < k; i++)
		Z3_inc_ref(c, some[i] = Z3_mk_lt(c, x[from], x[to[i]]));
	Z3_solver_assert(c, (Z3_solver)solver, k == 1 ? some[0] : Z3_mk_or(c, (unsigned)k, some));
	for (size_t i = 0; i < k; i++)
		Z3_dec_ref(c, some[i]);
	free(some);
}

static bool is_true(void *ctx, void *model, Z3_ast x) {
	Z3_ast value;
	return Z3_model_eval((Z3_context)ctx, (Z3_model)model, x, true, &value) && Z3_get_bool_value((Z3_context)ctx, value) == Z3_L_TRUE;
}

static bool is_number(void *ctx, void *model, Z3_ast x, int64_t *number) {
	Z3_ast value;
	return Z3_model_eval((Z3_context)ctx, (Z3_model)model, x, true, &value) && Z3_get_numeral_int64((Z3_context)ctx, value, number);
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

// variables are the variables of a session.
type variables struct {
	s *session
	n int
	x *C.Z3_ast
}

func (s *session) integers(n int) *variables {
	return &variables{s, n, C.make_variables(handle(s.z3), C.size_t(n), true)}
}

func (s *session) booleans(n int) *variables {
	return &variables{s, n, C.make_variables(handle(s.z3), C.size_t(n), false)}
}

// drop releases the variables, unless Z3 is unusable after an error.
func (x *variables) drop() {
	if x.s.answered {
		C.drop_variables(handle(x.s.z3), x.x, C.size_t(x.n))
	}
}

// some asserts a clause.
func (x *variables) some(literals []int32) {
	C.assert_some(handle(x.s.z3), handle(x.s.solver), x.x, C.size_t(x.n), (*C.int32_t)(unsafe.SliceData(literals)), C.size_t(len(literals)))
	runtime.KeepAlive(x.s)
}

// less asserts that integer v is less than one of those in list.
func (x *variables) less(v int32, list []int32) {
	C.assert_less(handle(x.s.z3), handle(x.s.solver), x.x, C.int32_t(v), (*C.int32_t)(unsafe.SliceData(list)), C.size_t(len(list)))
	runtime.KeepAlive(x.s)
}

// truth returns the truth values of the model.
func (x *variables) truth() []bool {
	list := make([]bool, x.n)
	for v, term := range unsafe.Slice(x.x, x.n) {
		list[v] = bool(C.is_true(handle(x.s.z3), handle(x.s.model), term))
	}
	runtime.KeepAlive(x.s)
	return list
}

// numbers returns the integers of the model. It fails if one exceeds 64 bits.
func (x *variables) numbers() ([]int64, error) {
	list := make([]int64, x.n)
	for v, term := range unsafe.Slice(x.x, x.n) {
		if !C.is_number(handle(x.s.z3), handle(x.s.model), term, (*C.int64_t)(unsafe.Pointer(&list[v]))) {
			return nil, fmt.Errorf("cannot read number %d of Z3: want at most 64 bits", v)
		}
	}
	runtime.KeepAlive(x.s)
	return list, nil
}
