package vcrule

import (
	"cmp"
	"slices"
)

// This file defines the rules, and lists those with a number of VCs.

// rule assigns VCs. The index crosses is 1 if the path crosses the dateline ahead.
type rule struct {
	vcs      int
	escape   escape
	entering [2]int   // by crosses: the VC of a packet that was created here or turns
	same     [][2]int // by VC on which the packet came, and crosses: the VC of a packet that continues in its direction
}

// escape says which directions the escape follows.
type escape int

const (
	noEscape escape = iota
	firstDirection
	lastDirection
)

// readsPath reports whether the rule depends on more than crosses.
func (r *rule) readsPath() bool {
	return slices.ContainsFunc(r.same, func(s [2]int) bool { return s != r.entering })
}

// size is the number of cases of the rule. Small rules are tried first.
func (r *rule) size() int {
	cases := func(x [2]int) int {
		if x[0] == x[1] {
			return 1
		}
		return 2
	}
	if n := cases(r.entering); !r.readsPath() {
		return n
	}
	n := cases(r.entering)
	for i, s := range r.same {
		if i == 0 || s != r.same[i-1] {
			n += cases(s)
		}
	}
	return n + 1
}

// rules returns the rules that use all of the VCs, small ones first. Rules that differ only in the numbers of the VCs occur
// once. If the family has no rings, no path crosses a dateline. An escape is a function of the place and the destination,
// because packets enter it at any place.
func rules(vcs int, rings bool) []*rule {
	list := plainRules(vcs, rings, noEscape)
	if vcs > 1 {
		for _, e := range []escape{firstDirection, lastDirection} {
			list = append(list, plainRules(vcs-1, rings, e)...)
		}
	}
	slices.SortStableFunc(list, func(a, b *rule) int { return cmp.Or(cmp.Compare(a.size(), b.size()), cmp.Compare(a.escape, b.escape)) })
	return list
}

// plainRules returns the rules with this number of VCs, of which an escape rule has one more.
func plainRules(vcs int, rings bool, e escape) (list []*rule) {
	cases := 2 * (1 + vcs)
	if e != noEscape {
		cases = 2
	}
	numbers := make([]int, cases)
	var fill func(at, used int)
	fill = func(at, used int) {
		if at == cases {
			if used == vcs {
				list = append(list, newRule(vcs, e, numbers))
			}
			return
		}
		if !rings && at%2 == 1 {
			numbers[at] = numbers[at-1]
			fill(at+1, used)
			return
		}
		for v := range min(used+1, vcs) {
			numbers[at] = v
			fill(at+1, max(used, v+1))
		}
	}
	fill(0, 0)
	return list
}

func newRule(vcs int, e escape, numbers []int) *rule {
	r := &rule{vcs: vcs, escape: e, entering: [2]int(numbers)}
	if e != noEscape {
		r.vcs++
		return r
	}
	for k := range vcs {
		r.same = append(r.same, [2]int(numbers[2+2*k:]))
	}
	return r
}
