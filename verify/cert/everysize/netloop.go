package everysize

import (
	"maps"
	"slices"
)

// This file runs loops over lists with generic elements.
//
// The elements of a group are in an order that is not known. The body of a loop is run once for each of its paths with each generic element
// of the group. An element takes one path. The loop ends at the first element that takes a path that returns or breaks. If such elements
// exist, it can be any of them, of any of these paths. So the loop returns by any of them, or by none if there is none.
//
// A name that the body assigns has the value of the last element that assigns it: any of those that do. A number that the body only
// increases is a count (netcounts.go).

// genericItems appends what a comprehension makes of a group: elements in any order.
func (m *machine) genericItems(g group, s *scope, made *list, body func(v any) *list) {
	outer := map[*list]bool{}
	reach(s, outer, map[*list]int{}, map[*scope]bool{})
	mix := m.mix()
	for _, e := range g {
		_, paths := m.visit(e, outer, func(v any) (signal, any) { return goesOn, body(v) })
		for _, o := range paths {
			m.noEffects(o)
			for _, x := range o.value.(*list).items {
				made.items = append(made.items, wrap(o, x, mix))
			}
		}
	}
}

// mix returns a new mix.
func (m *machine) mix() int {
	m.net.mixes++
	return m.net.mixes
}

// wrap returns an element that a path of a loop makes.
func wrap(o outcome, x any, mix int) *generic {
	if inner, ok := x.(*generic); ok {
		return &generic{slices.Concat(o.binders, inner.binders), and(o.guard, inner.guard), inner.value, mix}
	}
	return &generic{o.binders, o.guard, x, mix}
}

// groupLoop is a for statement on a group.
type groupLoop struct {
	*stmt
	s       *scope
	before  map[string]any // the names that the body assigns, with their values before the loop
	missing []string       // those without a value
	paths   []outcome
}

// genericLoop runs a for statement on a group. ends is true if the loop returns, with the value v, or breaks.
func (m *machine) genericLoop(x *stmt, g group, over any, s *scope) (how signal, v any) {
	outer := map[*list]bool{}
	counts := map[*list]int{}
	reach(s, outer, counts, map[*scope]bool{})
	l := &groupLoop{stmt: x, s: s, before: map[string]any{}}
	l.remember()
	for _, e := range g {
		_, paths := m.visit(e, outer, func(item any) (signal, any) {
			l.prepare()
			m.assign(x.target, item, s)
			how, v := m.execute(x.body, s)
			return how, bodyEnd{v, l.finals()}
		})
		for _, o := range paths {
			end := o.value.(bodyEnd)
			o.value, o.finals = end.value, end.finals
			l.paths = append(l.paths, o)
		}
	}
	l.restore()
	for _, o := range l.paths {
		for _, f := range o.effects {
			if f.to == over || counts[f.to] != 1 {
				fail("line %d: a loop appends to a list that has other uses, which is not supported", x.line)
			}
		}
	}
	m.checkAppends(x, s, l.paths)
	if how, v = m.ending(l); how == returns {
		return how, v
	}
	for _, name := range slices.Sorted(maps.Keys(l.before)) {
		m.settle(l, name, how == breaks)
	}
	mix := m.mix()
	for _, o := range l.paths {
		for _, f := range o.effects {
			m.add(f.to, wrap(o, f.value, mix))
		}
	}
	return how, nil
}

// bodyEnd is what a path through the body of a loop ends with.
type bodyEnd struct {
	value  any
	finals map[string]any
}

// remember notes the values of the names that the body assigns.
func (l *groupLoop) remember() {
	names := map[string]bool{}
	bind(names, []*stmt{l.stmt})
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if at := l.s.find(name); at != nil {
			if v, ok := at.values[name]; ok {
				l.before[name] = v
			} else {
				l.missing = append(l.missing, name)
			}
		}
	}
}

// prepare gives these names the values that the body sees: a number can only be increased, others have none.
func (l *groupLoop) prepare() {
	for name, v := range l.before {
		switch v.(type) {
		case int64, count:
			l.s.find(name).values[name] = tally{name, 0}
		default:
			delete(l.s.find(name).values, name)
		}
	}
	for _, name := range l.missing {
		delete(l.s.find(name).values, name)
	}
}

// finals returns the names to which the body has assigned.
func (l *groupLoop) finals() map[string]any {
	set := map[string]any{}
	for name := range l.before {
		if v, ok := l.s.find(name).values[name]; ok && v != any(tally{name, 0}) {
			set[name] = v
		}
	}
	return set
}

// restore sets the values before the loop again.
func (l *groupLoop) restore() {
	for name, v := range l.before {
		l.s.find(name).values[name] = v
	}
	for _, name := range l.missing {
		delete(l.s.find(name).values, name)
	}
}

// ending decides whether the loop returns or breaks, and by which element.
func (m *machine) ending(l *groupLoop) (how signal, v any) {
	var ends []outcome
	appends := false
	for _, o := range l.paths {
		if o.how == returns || o.how == breaks {
			ends = append(ends, o)
		}
		appends = appends || len(o.effects) > 0
	}
	switch {
	case len(ends) == 0:
		return goesOn, nil
	case appends:
		fail("line %d: a loop that appends and returns or breaks is not supported", l.line)
	}
	all := slices.Clone(ends)
	for i := range all {
		if all[i].how == breaks {
			all[i].value = breaking{}
		}
	}
	v, found := m.byOneOf(all)
	if !found {
		return goesOn, nil
	}
	if _, ok := v.(breaking); ok {
		return breaks, nil
	}
	return returns, v
}

// breaking is the value of a path that breaks.
type breaking struct{}

// byOneOf returns the value of some element that takes one of the paths, any of them. found is false if there is no such element.
func (m *machine) byOneOf(list []outcome) (v any, found bool) {
	if v, ok := onlyValue(list); ok {
		var some []*Formula
		for _, o := range list {
			some = append(some, m.net.exists(o.binders, o.guard))
		}
		return v, m.ask(or(some...))
	}
	m.decides()
	var ways, none []*Formula
	var values []any
	for _, o := range list {
		g := m.renew(&generic{binders: o.binders, guard: o.guard, value: o.value})
		ways, values = append(ways, and(m.net.place(g.binders), g.guard)), append(values, g.value)
		none = append(none, not(m.net.exists(o.binders, o.guard)))
	}
	k := m.choose(append(ways, and(none...))...)
	if k == len(list) {
		return nil, false
	}
	return values[k], true
}

// onlyValue returns the value of all paths, if it is one that does not depend on the element.
func onlyValue(list []outcome) (v any, ok bool) {
	for i, o := range list {
		switch x := o.value.(type) {
		case nil, bool, int64, string, ejection, breaking:
		case node:
			if slices.ContainsFunc(o.binders, func(b binder) bool { return b.term == x.term }) {
				return nil, false
			}
		default:
			return nil, false
		}
		if i > 0 && o.value != v {
			return nil, false
		}
		v = o.value
	}
	return v, true
}

// settle gives a name its value after the loop. If the loop broke, it did not visit all elements.
func (m *machine) settle(l *groupLoop, name string, broke bool) {
	var assigns []outcome
	counts, ends := 0, 0
	for _, o := range l.paths {
		v, ok := o.finals[name]
		if o.how == breaks {
			ends++
		}
		if !ok {
			continue
		}
		if _, isTally := v.(tally); isTally {
			counts++
		}
		if o.how != returns {
			o.value = v
			assigns = append(assigns, o)
		}
	}
	at := l.s.find(name)
	switch {
	case len(assigns) == 0:
	case counts == len(assigns) && ends == 0:
		at.values[name] = counted(l.before[name], assigns)
	case counts > 0 || broke || ends > 0:
		delete(at.values, name)
	default:
		if _, only := onlyValue(assigns); !only && (m.net.pure || m.net.inner > 0) {
			delete(at.values, name)
			return
		}
		if v, found := m.byOneOf(assigns); found {
			at.values[name] = v
		}
	}
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
