package everysize

// This file has the functions and attributes that only programs for any network use.

// shared are the functions of all programs.
var shared = []string{"abs", "all", "any", "bool", "enumerate", "fail", "len", "list", "max", "min", "range", "reversed", "tuple", "zip"}

// declareNetwork returns the names that a program for any network can use.
func declareNetwork() map[string]any {
	d := map[string]any{"None": nil, "True": true, "False": false, "EJECT": ejection{}}
	for _, name := range shared {
		d[name] = builtin(name)
	}
	for name := range netFunctions {
		d[name] = builtin(name)
	}
	return d
}

func switchOf(v any) term {
	s, ok := v.(node)
	if !ok {
		fail("a value that is not a switch")
	}
	return s.term
}

// netFunction calls a function that programs for any network have in a form of their own.
func (m *machine) netFunction(name string, a []any) (v any, ok bool) {
	n := m.net
	if k, known := netFunctions[name]; known && k != len(a) {
		fail("%s takes %d arguments, not %d", name, k, len(a))
	}
	one := m.oneElement
	everything := func(term) *Formula { return always }
	switch name {
	case "any", "all":
		items, ok := elements(a[0])
		if !ok {
			fail("%s of a value that is not a list", name)
		}
		wanted := name == "any"
		return m.anyOf(items, func(v any) bool { return m.truth(v) == wanted }) == wanted, true
	case "ports":
		u := switchOf(a[0])
		return one(u, everything, func(t term) any { return port{u, t} }), true
	case "neighbours":
		return one(switchOf(a[0]), everything, func(t term) any { return node{t} }), true
	case "switches":
		return one(noTerm, everything, func(t term) any { return node{t} }), true
	case "productive":
		u, to := switchOf(a[0]), switchOf(a[1])
		return one(u, func(t term) *Formula { return lessThan(n.of("distance", t, to), n.of("distance", u, to)) },
			func(t term) any { return port{u, t} }), true
	case "distance":
		return value(Form{0}.plus(n.of("distance", switchOf(a[0]), switchOf(a[1])), 1), 1), true
	case "has":
		switchOf(a[0])
		name, ok := a[1].(string)
		if !ok {
			fail("has takes the name of an attribute")
		}
		if !n.attrs[name] {
			fail("has(switch, %.40q) is not supported: the program does not read this attribute", name)
		}
		return true, true
	}
	return m.treeFunction(name, a)
}

// oneElement returns a list with a generic element: the switches at a new term that satisfy the guard.
func (m *machine) oneElement(of term, guard func(term) *Formula, value func(term) any) any {
	t := m.fresh()
	return &list{items: []any{&generic{binders: []binder{{t, of}}, guard: guard(t), value: value(t)}}}
}

// netAttribute returns v.name for the values of programs for any network.
func (m *machine) netAttribute(v any, name string) (found any, ok bool) {
	n := m.net
	switch v := v.(type) {
	case node:
		switch name {
		case "id":
			return value(n.of("id", v.term), 1), true
		case "name":
			fail("the name of a switch is not supported")
		case "append":
			fail("append to a value that is not a list")
		}
		return value(n.of("."+name, v.term), 1), true
	case port:
		switch name {
		case "to":
			return node{v.head}, true
		case "back":
			return port{v.head, v.tail}, true
		case "number":
			return value(n.of("port", v.tail, v.head), 1), true
		}
		fail("the attribute %.40s of a port is not supported", name)
	case input:
		switch {
		case n.pure:
			fail("a condition on how a packet arrived")
		case name == "vc":
			return int64(max(0, n.vc)), true
		case name != "port" && name != "prev":
			return nil, false
		case n.created:
			return nil, true
		case name == "prev":
			return node{atPrev}, true
		}
		return port{atCur, atPrev}, true
	}
	return nil, false
}

// treeFunction calls a function about the spanning tree.
func (m *machine) treeFunction(name string, a []any) (v any, ok bool) {
	n := m.net
	switch name {
	case "depth", "spread":
		return value(n.of(name, switchOf(a[0])), 1), true
	case "below":
		return m.ask(n.isBelow(switchOf(a[0]), switchOf(a[1]))), true
	case "parents":
		u := switchOf(a[0])
		return m.oneElement(u, func(t term) *Formula { return n.childOf(u, t) }, func(t term) any { return node{t} }), true
	case "children":
		u := switchOf(a[0])
		return m.oneElement(u, func(t term) *Formula { return n.childOf(t, u) }, func(t term) any { return node{t} }), true
	}
	return nil, false
}

// childOf returns the formula: p is the parent of c.
func (n *vocabulary) childOf(c, p term) *Formula {
	return and(n.isBelow(c, p), equal(n.of("depth", c), n.of("depth", p).shift(1)))
}

// isBelow returns the formula: a is in the subtree of b.
func (n *vocabulary) isBelow(a, b term) *Formula { return atLeast(n.of("below", a, b).shift(-1)) }
