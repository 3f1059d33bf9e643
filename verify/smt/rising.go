//go:build z3 && cgo

// This file asks Z3 for numbers that increase along every edge of a graph, or along one
// edge of each of several choices. The first kind shows that a graph is acyclic. The second shows
// that no set of packets blocks itself, or that every state has a path out.
//
// Promise: with Sat come numbers that were checked here. Unsat means that Z3 found the
// inequalities contradictory. Unknown means neither.
// Source: W. J. Dally and C. L. Seitz, "Deadlock-free message routing in multiprocessor
// interconnection networks", IEEE Transactions on Computers C-36(5), 1987, theorem 1,
// doi:10.1109/TC.1987.1676939: a routing function is deadlock-free if and only if its channel
// dependency graph has no cycle. Then the channels can be numbered so that numbers
// increase along every route. This file uses only that a finite directed graph without
// cycles has a numbering. Package verify checks the premises about routing.
// Cost with Z3 4.8.12, without choices: 0.02 s up to 100 edges (creating the context), 0.03 s for
// 1,000, 0.2 s for 10,000, 0.8 s for 30,000, 4 s for 100,000. Acyclic and cyclic graphs
// cost the same.
// The edges are asserted in a shuffled order that is the same in every run. Z3 updates
// its numbers after each edge. Along a path in order this is quadratic: a ring of
// 30,000 takes 21 s in order and 0.8 s shuffled.

package smt

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
)

// choice is an inequality: number[from] < number[w] for some w in to.
type choice struct {
	from int32
	to   []int32
}

// askEvery is the number of edges between two checks of the context.
const askEvery = 1024

// Acyclic asks Z3 whether the directed graph with vertices 0 to n-1 has a numbering that
// increases along every edge (Dally and Seitz 1987). A numbering exists if and only if the
// graph has no cycle. An edge from a vertex to itself is a cycle.
//
// A graph without edges is Sat with all numbers 0, and Z3 is not asked. If a limit is reached,
// the result is Unknown without an error. If ctx ends, the result is Unknown with its
// error. A negative n or an edge outside [0, n) is an error. The edges are read once.
func Acyclic(ctx context.Context, n int, edges iter.Seq2[int32, int32], limit Limit) (Answer, error) {
	return Rising(ctx, n, func(yield func(int32, []int32) bool) {
		for u, v := range edges {
			if !yield(u, []int32{v}) {
				return
			}
		}
	}, limit)
}

// Rising asks Z3 for a number for each vertex 0 to n-1. Each choice is a vertex and a list; some
// vertex in the list must have a greater number than the first vertex. A choice with an empty
// list is Unsat. Limits and errors are as for Acyclic.
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
			if i%askEvery == 0 && s.ctx.Err() != nil { // check returns the reason
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

// collect reads and checks the choices.
func collect(ctx context.Context, n int, choices iter.Seq2[int32, []int32]) ([]choice, error) {
	if n < 0 {
		return nil, fmt.Errorf("cannot ask Z3 about a graph of %d vertices", n)
	}
	var list []choice
	for u, to := range choices {
		if len(list)%askEvery == 0 && ctx.Err() != nil {
			break
		}
		outside := func(v int32) bool { return v < 0 || int(v) >= n }
		if outside(u) || slices.ContainsFunc(to, outside) {
			return nil, fmt.Errorf("cannot read edge %d, from %d to %d: want vertices 0 to %d", len(list), u, to, n-1)
		}
		list = append(list, choice{u, slices.Clone(to)})
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("Z3 was stopped: %w", err)
	}
	return list, nil
}

// emptyAnswer returns the answer for an error, or for a graph without edges.
func emptyAnswer(n int, err error) (Answer, error) {
	if err != nil {
		return Answer{Reason: err.Error()}, err
	}
	return Answer{Result: Sat, Numbers: make([]int64, n)}, nil
}

// inUse returns the vertices of choices, and by vertex its index in used. Other vertices need
// no variable and get the smallest number.
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

// checkRising returns an error for the first choice that the numbers do not satisfy.
func checkRising(numbers []int64, list []choice) error {
	for _, c := range list {
		if !slices.ContainsFunc(c.to, func(w int32) bool { return numbers[c.from] < numbers[w] }) {
			return fmt.Errorf("internal error: the numbers of Z3 do not increase from vertex %d, number %d, to any of %v", c.from, numbers[c.from], c.to)
		}
	}
	return nil
}
