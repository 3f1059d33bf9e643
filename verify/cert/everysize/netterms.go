package everysize

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file defines the language of theorems about every network: unknown switches, and integers that belong to them.
//
// A term is an unknown switch. An application is an integer that one or two terms have: the number of a switch (id), an
// attribute, whether two switches are linked, their distance. Each application is a variable of formulas. Two terms are the same
// switch if their ids are equal.
//
// A quantified condition, "some neighbour of u satisfies ...", is an application as well: 1 or more says that it holds. So formulas
// stay without quantifiers; netaxioms.go says what these applications mean.

// term is an unknown switch. Negative terms are places in the definition of a quantified condition.
type term int

// The terms that every hop has.
const (
	atCur     term = iota // the packet is here
	atDst                 // its destination
	atVia                 // the switch that its header carries
	atPrev                // it came from there
	atNext                // it goes there
	atTail                // of a channel, in ranks
	atHead                // of a channel, in ranks
	firstTerm             // the first one for other switches
)

const noTerm term = -1 << 20

// termNames are the names of terms in the conditions of a certificate.
var termNames = []string{"cur", "dst", "via", "prev", "next", "tail", "head"}

// application is a variable: a function of terms.
type application struct {
	// fn is "id", "linked", "distance", "port", "depth", "spread", "below", "." and an attribute, "some" and the number of a condition, or
	// "number" and a number.
	fn   string
	args []term
}

func (a application) key() string {
	var b strings.Builder
	b.WriteString(a.fn)
	for _, t := range a.args {
		fmt.Fprintf(&b, ",%d", t)
	}
	return b.String()
}

// binder is a term that stands for any switch, or for any neighbour of a switch.
type binder struct {
	term
	of term // noTerm: any switch
}

// quantified is a condition: some switches at the binders satisfy the body. Its parameters are the terms -1, -2, ...
type quantified struct {
	params  int
	binders []binder // terms that no other condition has
	body    *Formula
}

// vocabulary numbers applications and conditions.
type vocabulary struct {
	apps      []application
	index     map[string]int
	some      []quantified
	someIndex map[string]int
	places    term // the last place that a condition uses
	witnesses map[string]term
	terms     term // the next term that no run and no condition uses
}

func newVocabulary() *vocabulary {
	return &vocabulary{index: map[string]int{}, someIndex: map[string]int{}, places: -1000, witnesses: map[string]term{}, terms: 1 << 16}
}

// of returns an application as a form. Links and distances are symmetric, and those of a switch to itself are 0. A switch is below
// itself.
func (n *vocabulary) of(fn string, args ...term) Form {
	if fn == "linked" || fn == "distance" {
		if args[0] == args[1] {
			return number(0)
		}
		if args[0] > args[1] {
			args = []term{args[1], args[0]}
		}
	}
	if fn == "below" && args[0] == args[1] {
		return number(1)
	}
	a := application{fn, args}
	key := a.key()
	v, ok := n.index[key]
	if !ok {
		v = len(n.apps)
		n.index[key] = v
		n.apps = append(n.apps, application{fn, slices.Clone(args)})
	}
	return variable(v)
}

// same returns the formula: two terms are one switch.
func (n *vocabulary) same(a, b term) *Formula {
	if a == b {
		return always
	}
	if a > b {
		a, b = b, a
	}
	return equal(n.of("id", a), n.of("id", b))
}

// linked returns the formula: a link joins two switches.
func (n *vocabulary) linked(a, b term) *Formula { return atLeast(n.of("linked", a, b).shift(-1)) }

// clone returns a vocabulary that can grow on its own.
func (n *vocabulary) clone() *vocabulary {
	c := *n
	c.apps, c.some = slices.Clip(n.apps), slices.Clip(n.some)
	c.index, c.someIndex, c.witnesses = maps.Clone(n.index), maps.Clone(n.someIndex), maps.Clone(n.witnesses)
	return &c
}

// replace returns f with other terms.
func (n *vocabulary) replace(f *Formula, by map[term]term) *Formula {
	switch f.Op {
	case AtLeast:
		return atLeast(n.replaceForm(f.Form, by))
	case Divides:
		return divides(n.replaceForm(f.Form, by), f.Mod)
	}
	list := make([]*Formula, len(f.Args))
	for i, x := range f.Args {
		list[i] = n.replace(x, by)
	}
	if f.Op == And {
		return and(list...)
	}
	return or(list...)
}

// move returns variable v with other terms.
func (n *vocabulary) move(v int, by map[term]term) Form {
	a := n.apps[v]
	args := slices.Clone(a.args)
	for i, t := range args {
		if u, ok := by[t]; ok {
			args[i] = u
		}
	}
	return n.of(a.fn, args...)
}

// replaceForm returns f with other terms.
func (n *vocabulary) replaceForm(f Form, by map[term]term) Form {
	g := Form{f[0]}
	for v, c := range f[1:] {
		if c != 0 {
			g = g.plus(n.move(v, by), c)
		}
	}
	return g
}

// variablesOf adds the variables of f to a set.
func variablesOf(f *Formula, used map[int]bool) {
	if f.Form != nil {
		for v, c := range f.Form[1:] {
			if c != 0 {
				used[v] = true
			}
		}
	}
	for _, x := range f.Args {
		variablesOf(x, used)
	}
}

func sorted(set map[int]bool) []int {
	list := make([]int, 0, len(set))
	for v := range set {
		list = append(list, v)
	}
	slices.Sort(list)
	return list
}

// exists returns the formula: switches at the binders satisfy f.
func (n *vocabulary) exists(binders []binder, f *Formula) *Formula {
	if f.isFalse() || len(binders) == 0 {
		return f
	}
	bound := map[term]bool{}
	for _, b := range binders {
		bound[b.term] = true
	}
	var params []term
	add := func(t term) {
		if t != noTerm && !bound[t] && !slices.Contains(params, t) {
			params = append(params, t)
		}
	}
	for _, b := range binders {
		add(b.of)
	}
	for _, v := range inOrder(f, nil) {
		for _, t := range n.apps[v].args {
			add(t)
		}
	}
	by := map[term]term{}
	for i, t := range params {
		by[t] = term(-1 - i)
	}
	for i, b := range binders {
		by[b.term] = term(-101 - i)
	}
	var key strings.Builder
	moved := make([]binder, len(binders))
	for i, b := range binders {
		moved[i] = binder{by[b.term], b.of}
		if b.of != noTerm {
			moved[i].of = by[b.of]
		}
		fmt.Fprintf(&key, "%d:%d ", moved[i].term, moved[i].of)
	}
	body := n.replace(f, by)
	n.text(body, &key)
	k, ok := n.someIndex[key.String()]
	if !ok {
		k = len(n.some)
		n.someIndex[key.String()] = k
		n.some = append(n.some, n.withPlaces(quantified{len(params), moved, body}))
	}
	return atLeast(n.of(fmt.Sprintf("some%d", k), params...).shift(-1))
}

// withPlaces gives the binders of a condition terms of their own.
func (n *vocabulary) withPlaces(q quantified) quantified {
	by := map[term]term{}
	binders := make([]binder, len(q.binders))
	for i, b := range q.binders {
		n.places--
		by[b.term] = n.places
		binders[i] = binder{n.places, b.of}
		if t, ok := by[b.of]; ok {
			binders[i].of = t
		}
	}
	return quantified{q.params, binders, n.replace(q.body, by)}
}

// inOrder lists the variables of f in the order in which they occur.
func inOrder(f *Formula, list []int) []int {
	if f.Form != nil {
		for v, c := range f.Form[1:] {
			if c != 0 && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	for _, x := range f.Args {
		list = inOrder(x, list)
	}
	return list
}

// text writes f, with applications instead of the numbers of variables, and arguments in order of their texts.
func (n *vocabulary) text(f *Formula, b *strings.Builder) {
	fmt.Fprintf(b, "(%d %d", f.Op, f.Mod)
	if f.Form != nil {
		var terms []string
		for v, c := range f.Form[1:] {
			if c != 0 {
				terms = append(terms, fmt.Sprintf("%d*%s", c, n.apps[v].key()))
			}
		}
		slices.Sort(terms)
		fmt.Fprintf(b, " %d %s", f.Form[0], strings.Join(terms, " "))
	}
	args := make([]string, len(f.Args))
	for i, x := range f.Args {
		var inner strings.Builder
		n.text(x, &inner)
		args[i] = inner.String()
	}
	slices.Sort(args)
	b.WriteString(strings.Join(args, "") + ")")
}

// condition returns the body of condition k with these parameters and binders, and the formula: the binders are where they range.
func (n *vocabulary) condition(k int, args, bound []term) (where, body *Formula) {
	q := n.some[k]
	by := map[term]term{}
	for i, t := range args {
		by[term(-1-i)] = t
	}
	for i, b := range q.binders {
		by[b.term] = bound[i]
	}
	where = always
	for i, b := range q.binders {
		if b.of != noTerm {
			where = and(where, n.linked(by[b.of], bound[i]))
		}
	}
	return where, n.replace(q.body, by)
}

// someOf returns the number of the condition that variable v says, or -1.
func (n *vocabulary) someOf(v int) int {
	var k int
	if rest, ok := strings.CutPrefix(n.apps[v].fn, "some"); ok {
		if _, err := fmt.Sscan(rest, &k); err == nil {
			return k
		}
	}
	return -1
}

// witness returns a term that stands for one switch that a fact says to exist.
func (n *vocabulary) witness(key string) term {
	t, ok := n.witnesses[key]
	if !ok {
		t = n.terms
		n.terms++
		n.witnesses[key] = t
	}
	return t
}
