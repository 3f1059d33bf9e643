package everysize

import (
	"fmt"
	"slices"
)

// This file has the functions about a spanning tree of the network, and lists facts about it.
//
// The tree is any breadth-first spanning tree, from any root, and the numbers are those of any preorder of it. Three applications
// describe it:
//
//	depth   the depth of a switch: its distance from the root;
//	spread  its number in preorder, from 0;
//	below   1 or more if the first switch is in the subtree of the second one, else 0 or less. A switch is below itself.
//
// The parent of a switch is the switch above it whose depth is smaller by 1. The facts, for switches a, b and c:
//
//   - Depths and spreads are 0 or more. Only the root has depth 0, and only the root has spread 0. All switches are below the root.
//   - Switches with the same spread are one. Depths of neighbours differ by at most 1.
//   - If a is below b and is not b, its depth and spread are greater than those of b.
//   - If a is below b and its depth is greater by 1, the two are linked.
//   - If a is below b and b below c, a is below c. If a is below b and below c, one of b and c is below the other.
//   - The subtree of b is an interval of spreads: if a is below b and c is not, the spread of c is not between those of b and a.
//   - A switch that is not the root has a parent. If a is below b and is not b, some child of b has a below it.

// mostTreeTerms bounds the terms about which there are facts about the tree. Further terms are left out.
const mostTreeTerms = 10

// treeTerms returns the first terms that occur in applications about the tree.
func (u *universe) treeTerms() (list []term) {
	for _, v := range sorted(u.used) {
		switch a := u.apps[v]; a.fn {
		case "depth", "spread", "below":
			for _, t := range a.args {
				if !slices.Contains(list, t) {
					list = append(list, t)
				}
			}
		}
	}
	slices.Sort(list)
	return list[:min(len(list), mostTreeTerms)]
}

// treeWitnesses lists: a switch other than the root has a parent, and one that has another one below it has a child above that. On
// level 1 these are those of the switch where the packet is, on level 2 those of all terms.
func (u *universe) treeWitnesses(level int) {
	if level < 1 {
		return
	}
	concerns := func(t term) bool { return t == atCur || level >= 2 }
	terms := slices.DeleteFunc(u.treeTerms(), func(t term) bool { return !concerns(t) })
	var pairs [][2]term
	for _, v := range sorted(u.used) {
		if a := u.apps[v]; a.fn == "below" && concerns(a.args[1]) {
			pairs = append(pairs, [2]term{a.args[0], a.args[1]})
		}
	}
	for _, a := range terms {
		u.parent(a)
	}
	for _, x := range pairs {
		u.child(x[0], x[1])
	}
	u.notice()
}

// childrenTowards lists: the switch where the packet is has a parent, unless it is the root, and each switch of the hop that has the
// destination or the switch of the header below it has a child above that.
func (u *universe) childrenTowards(base []term) {
	u.parent(atCur)
	for _, to := range []term{atDst, atVia} {
		for _, b := range distinct(base) {
			if b != to && slices.Contains(base, to) {
				u.child(to, b)
			}
		}
	}
	u.notice()
}

// parent lists: a switch is the root, or it has a parent.
func (u *universe) parent(a term) {
	p := u.witness(fmt.Sprintf("parent %d", a))
	u.add(or(atMost(u.of("depth", a), number(0)), and(u.childOf(a, p), u.linked(a, p))))
}

// child lists: if switch a is below b and is not b, b has a child above a.
func (u *universe) child(a, b term) {
	c := u.witness(fmt.Sprintf("child %d %d", a, b))
	u.add(or(not(u.isBelow(a, b)), u.same(a, b), and(u.isBelow(a, c), u.childOf(c, b), u.linked(c, b))))
}

// trees lists the facts about the tree that have no witnesses.
func (u *universe) trees() {
	terms := u.treeTerms()
	for i, a := range terms {
		for _, b := range terms[:i] {
			u.treePair(a, b)
		}
		u.add(and(atLeast(u.of("depth", a)), atLeast(u.of("spread", a))))
		u.add(or(and(equal(u.of("depth", a), number(0)), equal(u.of("spread", a), number(0))),
			and(atLeast(u.of("depth", a).shift(-1)), atLeast(u.of("spread", a).shift(-1)))))
		for _, b := range terms {
			if a != b {
				u.descent(a, b)
			}
		}
	}
	for _, a := range terms {
		for _, b := range terms {
			for _, c := range terms {
				if a != b && b != c && a != c {
					u.treeTriple(a, b, c)
				}
			}
		}
	}
}

// treePair lists facts that are symmetric in two switches.
func (u *universe) treePair(a, b term) {
	depthA, depthB, spreadA, spreadB := u.of("depth", a), u.of("depth", b), u.of("spread", a), u.of("spread", b)
	one := u.same(a, b)
	u.add(or(not(one), and(u.isBelow(a, b), u.isBelow(b, a), equal(depthA, depthB), equal(spreadA, spreadB))))
	u.add(or(one, differ(spreadA, spreadB)))
	if _, ok := u.index[application{"linked", []term{min(a, b), max(a, b)}}.key()]; ok {
		u.add(or(not(u.linked(a, b)), and(atMost(depthA, depthB.shift(1)), atMost(depthB, depthA.shift(1)))))
	}
}

// descent lists what follows if a is below b.
func (u *universe) descent(a, b term) {
	depthA, depthB, spreadA, spreadB := u.of("depth", a), u.of("depth", b), u.of("spread", a), u.of("spread", b)
	above := not(u.isBelow(a, b))
	u.add(or(above, u.same(a, b), and(lessThan(depthB, depthA), lessThan(spreadB, spreadA))))
	u.add(or(atLeast(depthB.shift(-1)), u.isBelow(a, b)))
	u.add(or(above, differ(depthA, depthB.shift(1)), u.linked(a, b)))
}

// treeTriple lists facts about three switches.
func (u *universe) treeTriple(a, b, c term) {
	above := not(u.isBelow(a, b))
	u.add(or(above, not(u.isBelow(b, c)), u.isBelow(a, c)))
	if b < c {
		u.add(or(above, not(u.isBelow(a, c)), u.isBelow(b, c), u.isBelow(c, b)))
	}
	u.add(or(above, u.isBelow(c, b), lessThan(u.of("spread", c), u.of("spread", b)), lessThan(u.of("spread", a), u.of("spread", c))))
}
