package parametric

import (
	"fmt"
	"maps"
	"slices"
)

// This file defines ranks. A rank gives each node a tuple of linear forms in the tail's
// coordinates and the sizes. Every dependency must increase the rank in lexicographic order.
// The graph of each network is finite, so such a rank excludes cycles. It need not be bounded
// or positive.
//
// The first number is the number of the strongly connected component in the graph of nodes.
// The others are found component by component (template.go).
//
// Source of the theorem: W. J. Dally and C. L. Seitz, IEEE Transactions on Computers
// C-36(5), 1987.

// tuples give each node its tuple: forms over the tail and the sizes.
type tuples map[node][]form

// piece is a tuple that applies if the tail satisfies the guard.
type piece struct {
	guard []atom
	tuple []form
}

// ranks give each node its rank, in pieces. One piece applies at every tail. Ranks of
// templates (template.go) have one piece, those of cells (cells.go) several.
type ranks map[node][]piece

func (t tuples) ranks() ranks {
	r := ranks{}
	for n, tuple := range t {
		r[n] = []piece{{nil, tuple}}
	}
	return r
}

// at returns the rank of the channel of node n with this tail, or nil if it has none.
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
	return compareClasses(class{a.dir, a.vc, a.state, a.wrap, a.region}, class{b.dir, b.vc, b.state, b.wrap, b.region})
}

// lessFormula returns the formula: tuple a is less than tuple b.
func (n names) lessFormula(a, b []form) string {
	if len(a) == 0 {
		return "false"
	}
	x, y := n.term(a[0]), n.term(b[0])
	rest := n.lessFormula(a[1:], b[1:])
	if rest == "false" {
		return fmt.Sprintf("(< %s %s)", x, y)
	}
	return fmt.Sprintf("(or (< %s %s) (and (= %s %s) %s))", x, y, x, y, rest)
}

// risesFormula returns the formula: the rank of p.to, whose tail is the current place, is greater
// than that of p.from. The head of p.from is the current place or, if ghost is true, the ghost.
func (s *system) risesFormula(r ranks, p pair, ghost bool) string {
	back := s.tailOf(p.from, ghost)
	var parts []string
	for _, from := range r[p.from] {
		var before []form
		for _, f := range from.tuple {
			before = append(before, f.substitute(back))
		}
		var there []atom
		for _, a := range from.guard {
			there = append(there, a.substitute(back))
		}
		for _, to := range r[p.to] {
			lower := s.names.lessFormula(before, to.tuple)
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

// tailOf returns the tail of a node's channel whose head is the current place or, if ghost is
// true, the ghost.
func (s *system) tailOf(n node, ghost bool) []form {
	back := s.toTail(n.dir, n.wrap)
	if ghost {
		to := s.toGhost()
		for v, x := range back {
			if x == nil && v < s.dims {
				x = s.here(v)
			}
			if x != nil {
				back[v] = x.substitute(to)
			}
		}
	}
	return back
}

// failure describes why no ranks were found.
type failure struct {
	pairs  []pair
	reason string
	points []dependency // dependencies that were required when synthesis ended
}

func (e *failure) Error() string { return "parametric: " + e.reason }

// strongComponents returns the strongly connected components of the graph of pairs in topological order
// (R. Tarjan, SIAM Journal on Computing 1(2), 1972).
func strongComponents(pairs []pair) (components [][]node) {
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

// isStraight reports whether a dependency stays within a line, direction and VC.
func (p pair) isStraight() bool { return p.from.dir == p.to.dir && p.from.vc == p.to.vc }
