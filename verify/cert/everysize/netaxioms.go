package everysize

import (
	"fmt"
	"slices"
)

// This file lists facts of all networks, for the terms of one formula. Each fact is true of every network that has the premise of
// the program. A proof names the facts that it uses.
//
//   - What an equality of switches implies.
//   - Links join different switches, in both directions. Distances are those of shortest paths. The network is connected, so a
//     switch has a neighbour that is nearer to the destination.
//   - A quantified condition that holds has switches that satisfy it: its witnesses. One that does not hold has none among the terms.
//   - The premise of the program: from level 1 on for the terms of the formula, from level 2 on also for witnesses.
//
// A proof chooses its level: a higher one has more facts.

// listFacts lists the facts about all terms of a level. If towards is set, those about the spanning tree are about children towards the
// destination.
func (t *netTheorem) listFacts(level int, towards bool, f *Formula, base []term) []*Formula {
	u := &universe{vocabulary: t.vocabulary, used: map[int]bool{}, done: map[int]bool{}, holds: map[int]bool{}, fails: map[int]bool{}}
	for _, b := range base {
		if !slices.Contains(u.terms, b) {
			u.terms = append(u.terms, b)
		}
	}
	u.tell(f)
	u.parts = nil
	u.notice()
	hop := slices.Clone(u.terms)
	u.witnesses()
	if level >= 1 {
		for _, p := range t.premises(hop, hop) {
			u.tell(p)
		}
	}
	u.nearer(hop)
	if towards {
		u.childrenTowards(base)
	} else {
		u.treeWitnesses(level)
	}
	u.witnesses()
	for _, a := range u.terms[len(hop):] {
		if level < 2 {
			break
		}
		for _, p := range slices.Concat(t.premises(hop, []term{a}), t.premises([]term{a}, append(hop, a))) {
			u.add(p)
		}
	}
	u.notice()
	told := map[int]bool{}
	for range 2 {
		u.none(told)
	}
	u.congruence()
	u.distances()
	u.trees()
	return u.parts
}

// premises returns the premise of the program for all pairs.
func (t *netTheorem) premises(first, second []term) (list []*Formula) {
	if t.premise == nil {
		return nil
	}
	for _, a := range first {
		if len(t.apps) >= maxApplications {
			break
		}
		if !t.pairwise {
			list = append(list, t.replace(t.premise, map[term]term{atCur: a}))
			continue
		}
		for _, b := range second {
			if a == b && len(first) > 1 {
				continue
			}
			list = append(list, t.replace(t.premise, map[term]term{atCur: a, atDst: b}))
		}
	}
	return list
}

// witnesses lists: a condition that holds has switches that satisfy it.
func (u *universe) witnesses() {
	for _, v := range sorted(u.holds) {
		k := u.someOf(v)
		if u.done[v] {
			continue
		}
		u.done[v] = true
		bound := make([]term, len(u.some[k].binders))
		for i := range bound {
			bound[i] = u.witness(fmt.Sprintf("%s/%d", u.apps[v].key(), i))
		}
		where, body := u.condition(k, u.apps[v].args, bound)
		u.add(or(atLeast(Form{0}.plus(variable(v), -1)), and(where, body)))
		u.mark(body)
	}
	u.notice()
}

// none lists: a condition that does not hold has no terms that satisfy it.
func (u *universe) none(told map[int]bool) { u.noneOf(slices.Clone(u.terms), told) }

// noneOf lists the same for some terms.
func (u *universe) noneOf(terms []term, told map[int]bool) {
	for _, v := range sorted(u.fails) {
		if told[v] {
			continue
		}
		told[v] = true
		k := u.someOf(v)
		u.tuples(len(u.some[k].binders), terms, nil, func(bound []term) {
			where, body := u.condition(k, u.apps[v].args, bound)
			u.add(or(atLeast(variable(v).shift(-1)), not(where), not(body)))
			u.mark(not(body))
		})
	}
}

// tuples calls yield for the tuples of terms. Those of two terms or more have links that occur.
func (u *universe) tuples(size int, terms, bound []term, yield func([]term)) {
	if u.full() {
		return
	}
	if len(bound) == size {
		yield(bound)
		return
	}
	for _, t := range terms {
		if k := len(bound); k > 0 {
			if _, ok := u.index[application{"linked", []term{min(bound[k-1], t), max(bound[k-1], t)}}.key()]; !ok {
				continue
			}
		}
		u.tuples(size, terms, append(bound[:len(bound):len(bound)], t), yield)
	}
}

// nearer lists: a switch at a positive distance to another one has a neighbour nearer to it.
func (u *universe) nearer(hop []term) {
	for _, v := range sorted(u.used) {
		a := u.apps[v]
		if a.fn != "distance" || !slices.Contains(hop, a.args[0]) || !slices.Contains(hop, a.args[1]) {
			continue
		}
		for i := range 2 {
			from, to := a.args[i], a.args[1-i]
			w := u.witness(fmt.Sprintf("nearer %d %d", from, to))
			fall := u.of("distance", from, to).plus(u.of("distance", w, to), -1).shift(-1)
			u.add(or(atLeast(Form{0}.plus(u.of("distance", from, to), -1)), and(u.linked(from, w), equal(fall, number(0)))))
		}
	}
	u.notice()
}

// congruence lists: what two terms that are one switch have in common.
func (u *universe) congruence() {
	byFn := map[string][]int{}
	var names []string
	for _, v := range sorted(u.used) {
		fn := u.apps[v].fn
		if fn == "id" || fn == "below" || u.ofPorts(v) {
			continue
		}
		if byFn[fn] == nil {
			names = append(names, fn)
		}
		byFn[fn] = append(byFn[fn], v)
	}
	slices.Sort(names)
	for _, fn := range names {
		for i, v := range byFn[fn] {
			if u.full() {
				return
			}
			for _, w := range byFn[fn][:i] {
				u.agree(v, w)
			}
		}
	}
}

// ofPorts reports whether variable v depends on more than which switches its terms are: on ports, of which parallel cables have several between two
// switches, or on an unknown number. Conditions about such values do, too.
func (n *vocabulary) ofPorts(v int) bool {
	if fn := n.apps[v].fn; fn == "port" || fn == "number" {
		return true
	}
	k := n.someOf(v)
	return k >= 0 && slices.ContainsFunc(inOrder(n.some[k].body, nil), n.ofPorts)
}

// agree lists: two applications of a function to the same switches are equal.
func (u *universe) agree(v, w int) {
	a, b := u.apps[v], u.apps[w]
	if len(a.args) != len(b.args) {
		return
	}
	value := equal(variable(v), variable(w))
	differ := func(x, y term) *Formula {
		if x == y {
			return never
		}
		return not(u.same(x, y))
	}
	var cases []*Formula
	for i := range a.args {
		cases = append(cases, differ(a.args[i], b.args[i]))
	}
	u.add(or(append(cases, value)...))
	if a.fn == "linked" || a.fn == "distance" {
		u.add(or(differ(a.args[0], b.args[1]), differ(a.args[1], b.args[0]), value))
	}
}

// distances lists what links and distances have in common.
func (u *universe) distances() {
	list := sorted(u.used)
	for _, v := range list {
		a := u.apps[v]
		d := variable(v)
		switch a.fn {
		case "linked":
			u.add(or(atLeast(Form{0}.plus(d, -1)), not(u.same(a.args[0], a.args[1]))))
			for _, w := range list {
				b := u.apps[w]
				if b.fn != "distance" {
					continue
				}
				for i := range 2 {
					if b.args[i] == a.args[0] {
						u.neighbours(d, variable(w), a.args[1], b.args[1-i])
					}
				}
			}
		case "distance":
			apart := not(u.same(a.args[0], a.args[1]))
			u.add(or(and(equal(d, number(0)), u.same(a.args[0], a.args[1])), and(atLeast(d.shift(-1)), apart)))
		}
	}
}

// neighbours lists: distances to a switch from two neighbours differ by at most 1. One is d, the other is that of term b.
func (u *universe) neighbours(linked, d Form, b, to term) {
	if b == to {
		u.add(or(atLeast(Form{0}.plus(linked, -1)), equal(d, number(1))))
		return
	}
	v, ok := u.index[application{"distance", []term{min(b, to), max(b, to)}}.key()]
	if !ok || !u.used[v] {
		return
	}
	other := variable(v)
	near := and(atMost(d, other.shift(1)), atMost(other, d.shift(1)))
	u.add(or(atLeast(Form{0}.plus(linked, -1)), near))
}
