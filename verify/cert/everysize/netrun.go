package everysize

import (
	"fmt"
	"slices"
)

// This file runs programs for any network on unknown switches.
//
// The ports of a switch, its neighbours and all switches are lists of unknown length. Such a list has a generic element, which
// stands for each of its elements. A loop runs its body once for each path that the body can take with the generic element. The
// list that a comprehension makes, or to which a loop appends, gets a generic element for each of these paths; its guard has the
// conditions of the path. Whether a list is empty is a choice between a quantified condition and its negation.
//
// An element that the program selects from such a list (the first one, or that of a return within a loop) is any of its
// elements: the runs may permit more hops than the program.

// netMachine is the part of a machine that only programs for any network use.
type netMachine struct {
	*vocabulary
	next    term           // the next unused term of the run
	pure    bool           // no unknown element may be selected: the run defines a condition
	inner   int            // generic elements that are being visited
	outer   map[*list]bool // lists that exist outside of the innermost generic loop
	effects []effect       // elements that this loop appends to them
	created bool           // the packet has just been created
	vc      int            // on which it arrived
	attrs   map[string]bool
}

type effect struct {
	to    *list
	value any
}

// outcome is one path through the body of a generic loop.
type outcome struct {
	guard   *Formula
	how     signal
	value   any
	effects []effect
	failed  error
}

// fresh returns a term that the run has not used.
func (m *machine) fresh() term {
	m.net.next++
	if m.net.next > 1<<15 {
		fail("more than %d switches", 1<<15)
	}
	return m.net.next - 1
}

// ask chooses between a formula and its negation.
func (m *machine) ask(f *Formula) bool {
	if f.isTrue() || f.isFalse() {
		return f.isTrue()
	}
	return m.choose(f, not(f)) == 0
}

// assume adds a fact to the guard of the run.
func (m *machine) assume(f *Formula) { m.guard = append(m.guard[:len(m.guard):len(m.guard)], f) }

// paths runs body once for each path through it. What the body learns is forgotten afterwards.
func (m *machine) paths(facts *Formula, outer map[*list]bool, body func() (signal, any)) (list []outcome) {
	n := m.net
	choices, depth, guard, before, calls, nesting := m.choices, m.depth, m.guard, m.facts, m.calls, m.nesting
	wasOuter, effects := n.outer, n.effects
	defer func() {
		m.choices, m.depth, m.guard, m.facts, m.calls, m.nesting = choices, depth, guard, before, calls, nesting
		n.outer, n.effects = wasOuter, effects
		n.inner--
	}()
	n.inner++
	m.facts = and(before, and(guard...), facts)
	m.choices = nil
	for {
		m.depth, m.guard, m.calls, m.nesting = 0, nil, calls, nesting
		n.outer, n.effects = outer, nil
		var o outcome
		dead, err := m.once(func() {
			failed := m.path.failed
			m.path.failed = nil
			defer func() { o.failed, m.path.failed = m.path.failed, failed }()
			o.how, o.value = m.attempt(body)
		})
		if err != nil {
			panic(stopped{err})
		}
		if !dead {
			o.guard, o.effects = and(m.guard...), n.effects
			if list = append(list, o); len(list) > maxPaths {
				panic(stopped{fmt.Errorf("more than %d paths through a loop", maxPaths)})
			}
		}
		if !m.nextChoice() {
			return list
		}
	}
}

// attempt runs body, and notes its error in the path.
func (m *machine) attempt(body func() (signal, any)) (how signal, v any) {
	defer func() {
		if x := recover(); x != nil {
			e, ok := x.(runError)
			if !ok {
				panic(x)
			}
			m.path.failed = e.error
		}
	}()
	return body()
}

// place returns the facts that hold of binders: where they range.
func (n *vocabulary) place(binders []binder) *Formula {
	f := always
	for _, b := range binders {
		if b.of != noTerm {
			f = and(f, n.linked(b.of, b.term))
		}
	}
	return f
}

// renew returns a generic element with new terms.
func (m *machine) renew(g *generic) *generic {
	by := map[term]term{}
	for _, b := range g.binders {
		by[b.term] = m.fresh()
	}
	return m.net.renamed(g, by).(*generic)
}

// visit runs body for the paths of a generic element. Elements on which the body ends with an error are an error of the run, if
// there are any. It returns the element with terms of its own.
func (m *machine) visit(g *generic, outer map[*list]bool, body func(v any) (signal, any)) (*generic, []outcome) {
	g = m.renew(g)
	all := m.paths(and(m.net.place(g.binders), g.guard), outer, func() (signal, any) { return body(g.value) })
	var good []outcome
	for _, o := range all {
		o.guard = and(g.guard, o.guard)
		if o.failed == nil {
			good = append(good, o)
		} else if m.ask(m.net.exists(g.binders, o.guard)) {
			panic(runError{o.failed})
		}
	}
	return g, good
}

// select returns one of the switches of a generic element that satisfy a guard, of which there is one: any.
func (m *machine) selected(g *generic) any {
	if m.net.pure || m.net.inner > 0 {
		fail("one element of an unknown number of elements is selected in a condition or within another loop, which is not supported")
	}
	g = m.renew(g)
	m.assume(and(m.net.place(g.binders), g.guard))
	return g.value
}

// isEmpty reports whether a list has no elements.
func (m *machine) hasElements(items []any) bool {
	for _, x := range items {
		g, ok := x.(*generic)
		if !ok || m.ask(m.net.exists(g.binders, g.guard)) {
			return true
		}
	}
	return false
}

// some returns an element of a list that is not empty: any.
func (m *machine) someOf(l *list) any {
	if !m.hasElements(l.items) {
		fail("an element of an empty list")
	}
	k := 0
	if len(l.items) > 1 {
		k = m.chooseOf(len(l.items))
	}
	if g, ok := l.items[k].(*generic); ok {
		return m.selected(g)
	}
	return l.items[k]
}

// anyOf reports whether the test of some element is true.
func (m *machine) anyOf(items []any, test func(any) bool) bool {
	for _, x := range items {
		g, ok := x.(*generic)
		if !ok {
			if test(x) {
				return true
			}
			continue
		}
		e, list := m.visit(g, nil, func(v any) (signal, any) { return goesOn, test(v) })
		for _, o := range list {
			m.noEffects(o)
			if o.value.(bool) && m.ask(m.net.exists(e.binders, o.guard)) {
				return true
			}
		}
	}
	return false
}

func (m *machine) noEffects(o outcome) {
	if len(o.effects) > 0 {
		fail("a change of a list within a comprehension is not supported")
	}
}

// contains reports whether v is in a list with generic elements.
func (m *machine) contains(items []any, v any) bool {
	if u, ok := v.(node); ok && len(items) == 1 {
		if g, ok := items[0].(*generic); ok && len(g.binders) == 1 && g.guard.isTrue() && g.value == (node{g.binders[0].term}) {
			if g.binders[0].of == noTerm {
				return true
			}
			return m.ask(m.net.linked(g.binders[0].of, u.term))
		}
	}
	return m.anyOf(items, func(x any) bool { return m.same(x, v, 0) })
}

// genericItems appends what a comprehension makes of a generic element.
func (m *machine) genericItems(g *generic, s *scope, made *list, body func(v any) *list) {
	outer := map[*list]bool{}
	reach(s, outer, map[*list]int{}, map[*scope]bool{})
	e, paths := m.visit(g, outer, func(v any) (signal, any) { return goesOn, body(v) })
	for _, o := range paths {
		m.noEffects(o)
		for _, x := range o.value.(*list).items {
			made.items = append(made.items, wrap(e.binders, o.guard, x))
		}
	}
}

// wrap returns an element that a generic loop makes.
func wrap(binders []binder, guard *Formula, x any) *generic {
	if inner, ok := x.(*generic); ok {
		return &generic{slices.Concat(binders, inner.binders), and(guard, inner.guard), inner.value}
	}
	return &generic{binders, guard, x}
}

// genericLoop runs a for statement on a generic element. ends is true if the loop returns.
// Its value is in v then.
func (m *machine) genericLoop(x *stmt, g *generic, over any, s *scope, v *any) (ends bool) {
	outer := map[*list]bool{}
	counts := map[*list]int{}
	reach(s, outer, counts, map[*scope]bool{})
	names := map[string]bool{}
	bind(names, []*stmt{x})
	forget := func() {
		for name := range names {
			if at := s.find(name); at != nil {
				delete(at.values, name)
			}
		}
	}
	e, paths := m.visit(g, outer, func(item any) (signal, any) {
		forget()
		m.assign(x.target, item, s)
		return m.execute(x.body, s)
	})
	forget()
	for _, o := range paths {
		if o.how == breaks {
			fail("line %d: break from a loop over an unknown number of elements is not supported", x.line)
		}
		for _, f := range o.effects {
			if f.to == over || counts[f.to] != 1 {
				fail("line %d: a loop appends to a list that has other uses, which is not supported", x.line)
			}
		}
	}
	m.checkAppends(x, s, paths)
	for _, o := range paths {
		if o.how != returns {
			continue
		}
		for _, p := range paths {
			if len(p.effects) > 0 {
				fail("line %d: a loop that appends and returns is not supported", x.line)
			}
		}
		if m.ask(m.net.exists(e.binders, o.guard)) {
			*v = m.selected(&generic{e.binders, o.guard, o.value})
			return true
		}
	}
	for _, o := range paths {
		for _, f := range o.effects {
			m.add(f.to, wrap(e.binders, o.guard, f.value))
		}
	}
	return false
}

// checkAppends fails if a loop uses a list to which it appends in another way.
func (m *machine) checkAppends(x *stmt, s *scope, paths []outcome) {
	targets, uses := map[string]int{}, map[string]int{}
	countAppends(x.body, targets, uses)
	named := func(l *list) bool {
		for name, k := range targets {
			if at := s.find(name); at != nil && at.values[name] == any(l) {
				return uses[name] == k
			}
		}
		return false
	}
	for _, o := range paths {
		for _, f := range o.effects {
			if !named(f.to) {
				fail("line %d: a loop appends to a list that it also reads, which is not supported", x.line)
			}
		}
	}
}

// countAppends counts the names to which statements append, and all uses of names.
func countAppends(list []*stmt, targets, uses map[string]int) {
	var visit func(e *expr)
	visit = func(e *expr) {
		if e == nil {
			return
		}
		if e.kind == "call" && e.args[0].kind == "dot" && e.args[0].text == "append" && e.args[0].args[0].kind == "name" {
			targets[e.args[0].args[0].text]++
		}
		if e.kind == "name" {
			uses[e.text]++
		}
		for _, a := range e.args {
			visit(a)
		}
		for _, c := range e.each {
			visit(c.target)
			visit(c.from)
		}
	}
	for _, s := range list {
		visit(s.target)
		visit(s.value)
		countAppends(s.body, targets, uses)
		countAppends(s.other, targets, uses)
	}
}

// add appends to a list. Within a generic loop, an addition to a list from outside of the loop is an effect of the path.
func (m *machine) add(l *list, v any) {
	if m.net != nil && m.net.inner > 0 && m.net.outer[l] {
		if l.frozen {
			fail("a list of the top level cannot be changed")
		}
		m.net.effects = append(m.net.effects, effect{l, v})
		return
	}
	l.change()
	l.items = append(slices.Clip(l.items), v)
}

// alter fails if a generic loop changes a list from outside of the loop in another way than by append.
func (m *machine) alter(l *list) {
	if m.net != nil && m.net.inner > 0 && m.net.outer[l] {
		fail("a change of a list within a loop over an unknown number of elements is not supported; append is")
	}
}

// reach collects the lists that a scope can reach, and how often.
func reach(s *scope, set map[*list]bool, counts map[*list]int, seen map[*scope]bool) {
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case *list:
			counts[v]++
			if !set[v] {
				set[v] = true
				for _, x := range v.items {
					visit(x)
				}
			}
		case tuple:
			for _, x := range v {
				visit(x)
			}
		case *generic:
			visit(v.value)
		case length:
			visit(v.of)
		case position:
			visit(v.of)
		case *function:
			reach(v.outer, set, counts, seen)
		}
	}
	for ; s != nil && !seen[s]; s = s.outer {
		seen[s] = true
		for _, v := range s.values {
			visit(v)
		}
	}
}

// contradictory reports whether formulas contradict each other in an obvious way: bounds of one form.
func contradictory(parts ...*Formula) bool {
	c := conflict{}
	for _, f := range parts {
		c.add(f)
	}
	if c.found {
		return true
	}
	for _, f := range c.cases {
		if !slices.ContainsFunc(f.Args, func(x *Formula) bool { return !c.with(x) }) {
			return true
		}
	}
	return false
}

// conflict holds a lower bound for forms without a constant.
type conflict struct {
	least map[string]int64
	cases []*Formula
	found bool
}

func (c *conflict) add(f *Formula) {
	switch f.Op {
	case And:
		for _, x := range f.Args {
			c.add(x)
		}
	case Or:
		c.cases = append(c.cases, f)
		c.found = c.found || f.isFalse()
	case AtLeast:
		if c.least == nil {
			c.least = map[string]int64{}
		}
		key, opposite := formKeys(f.Form)
		if old, ok := c.least[key]; !ok || -f.Form[0] > old {
			c.least[key] = -f.Form[0] // the form without its constant is at least this
		}
		if other, ok := c.least[opposite]; ok && c.least[key] > -other {
			c.found = true
		}
	}
}

// with reports whether a conjunction contradicts the bounds.
func (c *conflict) with(f *Formula) bool {
	d := conflict{least: map[string]int64{}}
	for k, v := range c.least {
		d.least[k] = v
	}
	d.add(f)
	return d.found
}

func formKeys(f Form) (key, opposite string) {
	var a, b []byte
	for v, c := range f[1:] {
		if c != 0 {
			a = fmt.Appendf(a, "%d*%d ", c, v)
			b = fmt.Appendf(b, "%d*%d ", -c, v)
		}
	}
	return string(a), string(b)
}
