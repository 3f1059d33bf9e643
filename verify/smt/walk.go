//go:build z3 && cgo

// This file asks Z3 for a closed walk whose moves sum to zero.
//
// Encoding: each step is taken a number of times, at least 0. A walk enters and leaves each
// place equally often, and makes the place's move as often. The moves of a place together satisfy its
// rows, multiplied by that number. All moves sum to 0 in each coordinate. The steps
// are connected: one used place is the first, and every other one is entered by a step from
// a place of smaller order. Such steps form one closed walk (Euler). Moves are free
// within their rows, so channels exist along the walk.
// Source of the question: C. Glass and L. Ni, ISCA 1992, section 2, for meshes.

package smt

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// ClosedWalk asks Z3 whether there is a closed walk; Sat says that there is. Limits and errors
// are as for Rising.
func ClosedWalk(ctx context.Context, w Walk, limit Limit) (Result, error) {
	if err := w.check(); err != nil {
		return Unknown, err
	}
	s, err := NewScript()
	if err != nil {
		return Unknown, err
	}
	result, _, _, err := s.Ask(ctx, w.text(), nil, limit)
	return result, err
}

// text returns the question in SMT-LIB 2.
func (w *Walk) text() string {
	var b strings.Builder
	assert := func(format string, a ...any) { fmt.Fprintf(&b, "(assert "+format+")\n", a...) }
	number := func(format string, a ...any) string {
		name := fmt.Sprintf(format, a...)
		fmt.Fprintf(&b, "(declare-const %s Int)\n", name)
		return name
	}
	places := len(w.Rows)
	in, out, entered := make([][]string, places), make([][]string, places), make([][]string, places)
	for p := range places {
		number("order%d", p)
	}
	for i, e := range w.Steps {
		x := number("step%d", i)
		assert("(>= %s 0)", x)
		out[e[0]], in[e[1]] = append(out[e[0]], x), append(in[e[1]], x)
		entered[e[1]] = append(entered[e[1]], fmt.Sprintf("(and (> %s 0) (< order%d order%d))", x, e[0], e[1]))
	}
	total := make([][]string, w.Coordinates)
	var used []string
	first := number("first")
	for p := range places {
		visits := number("visits%d", p)
		assert("(= %s %s)", visits, sum(in[p]))
		assert("(= %s %s)", visits, sum(out[p]))
		used = append(used, fmt.Sprintf("(> %s 0)", visits))
		assert("(or (= %s 0) (= %s %d) %s)", visits, first, p, strings.Join(entered[p], " "))
		by := make([]string, w.Coordinates)
		for k := range by {
			by[k] = number("by%d.%d", p, k)
			assert("(or (> %s 0) (= %s 0))", visits, by[k])
			total[k] = append(total[k], by[k])
		}
		for _, row := range w.Rows[p] {
			var terms []string
			for k, a := range row[:w.Coordinates] {
				if a != 0 {
					terms = append(terms, fmt.Sprintf("(* %s %s)", integer(a), by[k]))
				}
			}
			assert("(>= %s (* %s %s))", sum(terms), integer(row[w.Coordinates]), visits)
		}
	}
	assert("(or false %s)", strings.Join(used, " "))
	for _, list := range total {
		assert("(= %s 0)", sum(list))
	}
	return b.String()
}

func sum(list []string) string { return "(+ 0 0 " + strings.Join(list, " ") + ")" }

// integer returns an SMT-LIB term, which has no negative literals.
func integer(k int) string {
	if k < 0 {
		return fmt.Sprintf("(- %d)", -k)
	}
	return strconv.Itoa(k)
}

// check returns an error if the question is malformed.
func (w *Walk) check() error {
	for p, rows := range w.Rows {
		for _, row := range rows {
			if len(row) != w.Coordinates+1 {
				return fmt.Errorf("cannot read a row of place %d: want %[3]d numbers, got %[2]d", p, len(row), w.Coordinates+1)
			}
		}
	}
	for _, e := range w.Steps {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(w.Rows) {
			return fmt.Errorf("cannot read a step from %d to %d: want places 0 to %d", e[0], e[1], len(w.Rows)-1)
		}
	}
	return nil
}
