package everysize

import "fmt"

// This file runs programs for any network on unknown switches.
//
// The ports of a switch, its neighbours and all switches are lists of unknown length. Such a list has a generic element, which
// stands for each of its elements. A loop runs its body once for each path that the body can take with the generic element. The
// list that a comprehension makes, or to which a loop appends, gets a generic element for each of these paths; its guard has the
// conditions of the path. Whether a list is empty is a choice between a quantified condition and its negation.
//
// An element that the program selects from such a list (the first one, or that of a return within a loop) is any of its
// elements: the runs may permit more hops than the program. netloop.go runs loops.

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
			m.path.failed = m.located(e.error)
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
	g = m.net.renamed(g, by).(*generic)
	freeze(g.value) // a change would be one of a copy
	return g
}

// visit runs body for the paths of a generic element. Elements on which the body ends with an error are an error of the run, if
// there are any. It returns the element with terms of its own.
func (m *machine) visit(g *generic, outer map[*list]bool, body func(v any) (signal, any)) (*generic, []outcome) {
	g = m.renew(g)
	all := m.paths(and(m.net.place(g.binders), g.guard), outer, func() (signal, any) { return body(g.value) })
	var good []outcome
	for _, o := range all {
		o.guard, o.binders = and(g.guard, o.guard), g.binders
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
	m.decides()
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

// someOf returns an element of a list: any.
func (m *machine) someOf(items []any) any {
	if !m.hasElements(items) {
		fail("an element of an empty list")
	}
	k := 0
	if len(items) > 1 {
		m.decides()
		k = m.chooseOf(len(items))
	}
	if g, ok := items[k].(*generic); ok {
		return m.selected(g)
	}
	return items[k]
}

// firstOf returns the first element of a list: any of its first group that has elements.
func (m *machine) firstOf(items []any) any {
	for _, x := range inGroups(items) {
		g, ok := x.(group)
		if !ok {
			return x
		}
		var all []any
		for _, y := range g {
			all = append(all, y)
		}
		if m.hasElements(all) {
			return m.someOf(all)
		}
	}
	fail("an element of an empty list")
	return nil
}

// decides fails where a run may not choose freely: the choice would be another one for each element of a loop, or that of a condition.
func (m *machine) decides() {
	if m.net.pure || m.net.inner > 0 {
		fail("one of an unknown number of elements is selected in a condition or within another loop, which is not supported")
	}
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

// alter fails if a generic loop changes a list from outside of the loop in another way than by append.
func (m *machine) alter(l *list) {
	if m.net != nil && m.net.inner > 0 && m.net.outer[l] {
		fail("a change of a list within a loop over an unknown number of elements is not supported; append is")
	}
}
