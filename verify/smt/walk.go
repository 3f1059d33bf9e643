//go:build z3 && cgo

// This file asks Z3 for a closed walk whose moves add up to nothing.
//
// Encoding: how often each step is taken, a number not below 0; as often as a walk
// comes to a place it leaves it, and that is how often it makes the place's move. What a
// place's moves add up to fulfils the rows so many times; all together add up to 0 in
// each coordinate. The steps taken hang together: one place in use is the first, and
// every other is entered by a step from a place of smaller number. Then the steps are
// those of one closed walk (Euler), and since moves are free within their rows it is
// one of channels.
// Source of the question: Glass and Ni, ISCA 1992, section 2, for meshes.

package smt

import (
	"context"
	"fmt"
	"strconv"

	"github.com/aclements/go-z3/z3"
)

// ClosedWalk asks Z3 whether there is a closed walk. Sat: there is. Limits and errors
// are as for Rising.
func ClosedWalk(ctx context.Context, w Walk, limit Limit) (Result, error) {
	if err := w.check(); err != nil {
		return Unknown, err
	}
	var result Result
	err := guard(func() error {
		s := open(ctx, limit, general)
		defer s.close()
		s.assertWalk(&w)
		var err error
		result, _, err = s.check()
		return err
	})
	return result, err
}

func (s *session) number(k int) z3.Int {
	return s.z3.FromInt(int64(k), s.z3.IntSort()).(z3.Int)
}

func (s *session) sum(list []z3.Int) z3.Int {
	if len(list) == 0 {
		return s.number(0)
	}
	return list[0].Add(list[1:]...)
}

func (s *session) assertWalk(w *Walk) {
	assert, zero := s.solver.Assert, s.number(0)
	places := len(w.Rows)
	in, out := make([][]z3.Int, places), make([][]z3.Int, places)
	order := make([]z3.Int, places)
	entered := make([]z3.Bool, places)
	for p := range places {
		order[p], entered[p] = s.z3.IntConst(fmt.Sprintf("order%d", p)), s.z3.FromBool(false)
	}
	for i, e := range w.Steps {
		x := s.z3.IntConst("step" + strconv.Itoa(i))
		assert(x.GE(zero))
		out[e[0]], in[e[1]] = append(out[e[0]], x), append(in[e[1]], x)
		entered[e[1]] = entered[e[1]].Or(x.GT(zero).And(order[e[0]].LT(order[e[1]])))
	}
	total := make([][]z3.Int, w.Coordinates)
	used, first := s.z3.FromBool(false), s.z3.IntConst("first")
	for p := range places {
		visits := s.sum(in[p])
		assert(visits.Eq(s.sum(out[p])))
		used = used.Or(visits.GT(zero))
		assert(visits.Eq(zero).Or(entered[p], first.Eq(s.number(p))))
		by := make([]z3.Int, w.Coordinates)
		for k := range by {
			by[k] = s.z3.IntConst(fmt.Sprintf("by%d.%d", p, k))
			total[k] = append(total[k], by[k])
		}
		for _, row := range w.Rows[p] {
			var terms []z3.Int
			for k, a := range row[:w.Coordinates] {
				if a != 0 {
					terms = append(terms, by[k].Mul(s.number(a)))
				}
			}
			assert(s.sum(terms).GE(visits.Mul(s.number(row[w.Coordinates]))))
		}
		for _, x := range by {
			assert(visits.GT(zero).Or(x.Eq(zero)))
		}
	}
	assert(used)
	for _, list := range total {
		assert(s.sum(list).Eq(zero))
	}
}

// check reports what is wrong with the question.
func (w *Walk) check() error {
	for p, rows := range w.Rows {
		for _, row := range rows {
			if len(row) != w.Coordinates+1 {
				return fmt.Errorf("smt: place %d: a row of %d numbers, %d were expected", p, len(row), w.Coordinates+1)
			}
		}
	}
	for _, e := range w.Steps {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(w.Rows) {
			return fmt.Errorf("smt: a step from %d to %d, places are 0 to %d", e[0], e[1], len(w.Rows)-1)
		}
	}
	return nil
}
