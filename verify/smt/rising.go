//go:build z3 && cgo

// This file asks Z3 for numbers that rise: along every edge of a graph (then it
// is acyclic), or along one edge of each of several choices (then nothing can
// block itself, or every state has a way out).
//
// Promise: Sat comes with numbers that rise as asked, looked at once more here;
// Unsat means that Z3 found the inequalities contradictory; Unknown is neither.
// Source: W. J. Dally, C. L. Seitz, "Deadlock-free message routing in
// multiprocessor interconnection networks", IEEE Trans. Computers C-36(5),
// 1987, theorem 1, doi:10.1109/TC.1987.1676939: a routing function is
// deadlock-free iff its channel dependency graph has no cycle, and then the
// channels can be numbered so that every route climbs. Only the step from
// "no cycle" to "can be numbered" is used here, and that holds for any finite
// directed graph; the premises about routing are verify's to check.
// Cost, measured with Z3 4.8.12 without choices: 0.02 s up to 100 edges (making
// the context), 0.03 s for 1,000, 0.2 s for 10,000, 0.8 s for 30,000, 4 s for
// 100,000; acyclic and cyclic alike.
// The edges are asserted in a shuffled order, the same in every run: Z3 repairs
// its numbers after each, and along a path in order that is quadratic (a ring
// of 30,000: 21 s in order, 0.8 s shuffled).

package smt

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
)

// choice is an inequality to be: number[from] < number[w] for one w in to.
type choice struct {
	from int32
	to   []int32
}

// askEvery is how many edges pass between two looks at the context.
const askEvery = 1024

// Acyclic asks Z3 whether the directed graph with n vertices and the given
// edges has a numbering that rises along every edge (Dally and Seitz 1987): an
// integer variable per vertex, one strict inequality per edge. It has one iff
// it has no cycle; an edge from a vertex to itself is a cycle.
//
// A graph without edges, or without vertices, is Sat with all numbers 0, and
// Z3 is not asked. A limit that is reached gives Unknown and no error; a
// context that ends gives Unknown and its error. A negative n or an edge that
// leaves [0, n) is an error. The edges are read once.
func Acyclic(ctx context.Context, n int, edges iter.Seq2[int32, int32], limit Limit) (Answer, error) {
	return Rising(ctx, n, func(yield func(int32, []int32) bool) {
		for u, v := range edges {
			if !yield(u, []int32{v}) {
				return
			}
		}
	}, limit)
}

// Rising asks Z3 for a number per vertex, 0 to n-1, such that for each choice,
// a vertex and a list, the number of some vertex in the list is greater than
// that of the first. A choice with an empty list cannot be met. Otherwise as
// Acyclic.
func Rising(ctx context.Context, n int, choices iter.Seq2[int32, []int32], limit Limit) (Answer, error) {
	list, err := collect(ctx, n, choices)
	if err != nil || len(list) == 0 {
		return emptyAnswer(n, err)
	}
	rand.New(rand.NewPCG(1987, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	var a Answer
	err = guard(func() error {
		s := open(ctx, limit, difference)
		defer s.close()
		used, place := inUse(n, list)
		x := s.integers(len(used))
		defer x.drop()
		for i, c := range list {
			if i%askEvery == 0 && s.ctx.Err() != nil { // check says so
				break
			}
			var to []int32
			for _, v := range c.to {
				to = append(to, place[v])
			}
			x.less(place[c.from], to)
		}
		var err error
		if a.Result, a.Reason, err = s.check(); a.Result != Sat {
			return err
		}
		values, err := x.numbers()
		if err == nil {
			a.Numbers = make([]int64, n)
			smallest := slices.Min(values)
			for k, v := range used {
				a.Numbers[v] = values[k] - smallest
			}
		}
		return err
	})
	if err == nil && a.Result == Sat {
		err = checkRising(a.Numbers, list)
	}
	if err != nil {
		return Answer{Reason: err.Error()}, err
	}
	return a, nil
}

// collect reads and checks the choices, before Z3 has a part in it.
func collect(ctx context.Context, n int, choices iter.Seq2[int32, []int32]) ([]choice, error) {
	if n < 0 {
		return nil, fmt.Errorf("smt: a graph of %d vertices", n)
	}
	var list []choice
	for u, to := range choices {
		if len(list)%askEvery == 0 && ctx.Err() != nil {
			break
		}
		outside := func(v int32) bool { return v < 0 || int(v) >= n }
		if outside(u) || slices.ContainsFunc(to, outside) {
			return nil, fmt.Errorf("smt: edge %d, from %d to %d: vertices are 0 to %d", len(list), u, to, n-1)
		}
		list = append(list, choice{u, slices.Clone(to)})
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("smt: %w", err)
	}
	return list, nil
}

// emptyAnswer answers without Z3: the error, or the graph that has no edges.
func emptyAnswer(n int, err error) (Answer, error) {
	if err != nil {
		return Answer{Reason: err.Error()}, err
	}
	return Answer{Result: Sat, Numbers: make([]int64, n)}, nil
}

// inUse lists the vertices of choices, and by vertex its place in that list. The others need no
// variable, and get the smallest number.
func inUse(n int, list []choice) (used, place []int32) {
	place = slices.Repeat([]int32{-1}, n)
	note := func(v int32) {
		if place[v] < 0 {
			place[v] = int32(len(used))
			used = append(used, v)
		}
	}
	for _, c := range list {
		note(c.from)
		for _, v := range c.to {
			note(v)
		}
	}
	return used, place
}

// checkRising reports the first choice for which the numbers do not rise.
func checkRising(numbers []int64, list []choice) error {
	for _, c := range list {
		if !slices.ContainsFunc(c.to, func(w int32) bool { return numbers[c.from] < numbers[w] }) {
			return fmt.Errorf("smt: z3's numbers do not rise from %d, %d, to any of %v", c.from, numbers[c.from], c.to)
		}
	}
	return nil
}
