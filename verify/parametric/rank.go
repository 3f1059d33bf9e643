package parametric

import (
	"fmt"
	"maps"
	"slices"
)

// This file is ranks: for each node a tuple of linear forms in the tail's coordinates and
// the sizes, so that every dependency raises the rank in lexicographic order. For each
// network the graph is finite, so a rank that rises leaves no cycle; it need not be
// bounded, nor positive.
//
// The first number is that of the strong component in the graph of nodes, and costs
// nothing; the others are found component by component (template.go).
//
// Source of the theorem: W. J. Dally and C. L. Seitz, IEEE Trans. Computers C-36(5), 1987.

// tuples give each node its tuple: forms over the tail and the sizes.
type tuples map[node][]form

// piece is a tuple where the tail fulfils the guard.
type piece struct {
	guard []atom
	tuple []form
}

// ranks give each node its rank, in pieces of which one applies at every tail. Those
// that are synthesised have one piece.
type ranks map[node][]piece

func (t tuples) ranks() ranks {
	r := ranks{}
	for n, tuple := range t {
		r[n] = []piece{{nil, tuple}}
	}
	return r
}

// at is the rank of a node's channel at a point, its tail; nil: it has none.
func (r ranks) at(n node, tail []int64) []int64 {
	for _, p := range r[n] {
		if allHold(p.guard, tail) {
			rank := make([]int64, len(p.tuple))
			for i, f := range p.tuple {
				rank[i] = f.at(tail)
			}
			return rank
		}
	}
	return nil
}

// pair is an edge between nodes.
type pair struct{ from, to node }

func sortedPairs[T any](m map[pair]T) []pair {
	list := slices.Collect(maps.Keys(m))
	slices.SortFunc(list, func(a, b pair) int {
		if c := compareNodes(a.from, b.from); c != 0 {
			return c
		}
		return compareNodes(a.to, b.to)
	})
	return list
}

func compareNodes(a, b node) int {
	return compareClasses(class{a.dir, a.vc, 0, a.wrap, a.region}, class{b.dir, b.vc, 0, b.wrap, b.region})
}

// lower is the formula: tuple a is less than tuple b.
func (n names) lower(a, b []form) string {
	if len(a) == 0 {
		return "false"
	}
	x, y := n.term(a[0]), n.term(b[0])
	rest := n.lower(a[1:], b[1:])
	if rest == "false" {
		return fmt.Sprintf("(< %s %s)", x, y)
	}
	return fmt.Sprintf("(or (< %s %s) (and (= %s %s) %s))", x, y, x, y, rest)
}

// rises is the formula: the rank of p.to at the place at hand is above that of p.from,
// whose head is there, or with ghost at the ghost.
func (s *system) rises(r ranks, p pair, ghost bool) string {
	back := s.tailOf(p.from, ghost)
	var parts []string
	for _, from := range r[p.from] {
		var before []form
		for _, f := range from.tuple {
			before = append(before, f.moved(back))
		}
		var there []atom
		for _, a := range from.guard {
			there = append(there, a.moved(back))
		}
		for _, to := range r[p.to] {
			lower := s.names.lower(before, to.tuple)
			if apart := append(there[:len(there):len(there)], to.guard...); len(apart) > 0 {
				lower = or(not(s.names.all(apart)), lower)
			}
			parts = append(parts, lower)
		}
	}
	if len(parts) == 0 {
		return "false"
	}
	return and(parts...)
}

// tailOf gives the tail of a node's channel in terms of the place at hand, or of the
// ghost.
func (s *system) tailOf(n node, ghost bool) []form {
	back := s.toTail(n.dir, n.wrap)
	if ghost {
		to := s.toGhost()
		for d := range s.dims {
			x := s.here(d)
			if back[d] != nil {
				x = back[d]
			}
			back[d] = x.moved(to)
		}
	}
	return back
}

// failure is a pair that no rank of the template raises, or that was left undecided.
type failure struct {
	pairs  []pair
	reason string
	points []dependency // that were demanded when synthesis gave up
}

func (e *failure) Error() string { return "parametric: " + e.reason }

// synthesise finds ranks, or tells by a failure where there are none.
func (s *system) synthesise(req requirement) (tuples, *failure, error) {
	components := strong(req.pairs)
	found := tuples{}
	for number, nodes := range components {
		inner, ranked := inside(nodes, req.pairs), tuples{}
		for _, n := range nodes {
			ranked[n] = nil
		}
		if len(inner) > 0 {
			var fail *failure
			var err error
			if ranked, fail, err = s.component(nodes, inner, req); fail != nil || err != nil {
				return nil, fail, err
			}
		}
		for n, tuple := range ranked {
			found[n] = append([]form{s.number(int64(number))}, tuple...)
		}
	}
	longest := 0
	for _, tuple := range found {
		longest = max(longest, len(tuple))
	}
	for n, tuple := range found {
		for len(tuple) < longest {
			tuple = append(tuple, s.number(0))
		}
		found[n] = tuple
	}
	return found, nil, nil
}

// inside are the pairs between nodes of a list.
func inside(nodes []node, pairs []pair) (inner []pair) {
	for _, p := range pairs {
		if slices.Contains(nodes, p.from) && slices.Contains(nodes, p.to) {
			inner = append(inner, p)
		}
	}
	return inner
}

// strong returns the strong components of the graph of pairs, each before those that
// it leads to (R. Tarjan, SIAM J. Computing 1(2), 1972).
func strong(pairs []pair) (components [][]node) {
	next := map[node][]node{}
	var nodes []node
	for _, p := range pairs {
		next[p.from] = append(next[p.from], p.to)
		for _, n := range []node{p.from, p.to} {
			if !slices.Contains(nodes, n) {
				nodes = append(nodes, n)
			}
		}
	}
	slices.SortFunc(nodes, compareNodes)
	order, low, on := map[node]int{}, map[node]int{}, map[node]bool{}
	var stack []node
	var visit func(n node)
	visit = func(n node) {
		order[n] = len(order) + 1
		low[n], on[n] = order[n], true
		stack = append(stack, n)
		for _, m := range next[n] {
			if order[m] == 0 {
				visit(m)
				low[n] = min(low[n], low[m])
			} else if on[m] {
				low[n] = min(low[n], order[m])
			}
		}
		if low[n] == order[n] {
			i := slices.Index(stack, n)
			part := slices.Clone(stack[i:])
			for _, m := range part {
				on[m] = false
			}
			stack = stack[:i]
			slices.SortFunc(part, compareNodes)
			components = append(components, part)
		}
	}
	for _, n := range nodes {
		if order[n] == 0 {
			visit(n)
		}
	}
	slices.Reverse(components)
	return components
}
