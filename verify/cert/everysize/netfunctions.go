package everysize

import "slices"

// This file has the operators, functions and attributes that only programs for any network use.

// netFunctions are the names of these functions, with the number of their arguments.
var netFunctions = map[string]int{
	"ports": 1, "neighbours": 1, "switches": 0, "has": 2, "distance": 2, "productive": 2,
	"depth": 1, "spread": 1, "parents": 1, "children": 1, "below": 2,
}

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

// sameSwitch returns whether two values are the same switch or port.
func (m *machine) sameSwitch(x, y any) (equal, ok bool) {
	switch x := x.(type) {
	case node:
		if y, isNode := y.(node); isNode {
			return m.ask(m.net.same(x.term, y.term)), true
		}
		return false, true
	case port:
		if y, isPort := y.(port); isPort {
			return m.ask(m.net.samePort(x, y)), true
		}
		return false, true
	case count:
		if k, isNumber := y.(int64); isNumber {
			return m.reaches(x, k) && !m.reaches(x, k+1), true
		}
		fail("an unknown number of elements is compared with another value than a known number, which is not supported")
	case position, tally:
		fail("an unknown index, or a number that a loop increases, is compared, which is not supported")
	}
	switch y.(type) {
	case node, port:
		return false, true
	case count, position, tally:
		return m.sameSwitch(y, x)
	}
	return false, false
}

// samePort returns the formula: two ports are one.
func (n *vocabulary) samePort(a, b port) *Formula {
	if a == b {
		return always
	}
	return and(n.same(a.tail, b.tail), n.same(a.head, b.head), equal(n.of("port", a.tail, a.head), n.of("port", b.tail, b.head)))
}

// genericItem returns an element of a list with generic elements. The list is in no order that is known, so it is any element.
func (m *machine) genericItem(x, i any) any {
	l, ok := x.(*list)
	if !ok {
		fail("an element of an unknown number of elements")
	}
	k, isNumber := i.(int64)
	at, isPosition := i.(position)
	switch {
	case isNumber && k == 0:
		return m.firstOf(l.items)
	case isNumber && k == -1:
		items := slices.Clone(l.items)
		slices.Reverse(items)
		return m.firstOf(items)
	case isPosition && at.of == l:
		return m.someOf(l.items)
	}
	fail("an index of a list of unknown length is 0, -1, or a number %% len of the list")
	return nil
}

// indexIn returns a number modulo the length of a list.
func (m *machine) indexIn(c count) any {
	if c.of == nil {
		fail("a remainder by an unknown number that is not the length of a list")
	}
	if m.same(c, int64(0), 0) {
		fail("a division by 0")
	}
	return position{c.of}
}

// unknown returns a number of which nothing is known.
func (m *machine) unknown() any {
	if m.net.pure || m.net.inner > 0 {
		fail("a product or quotient of two unknown numbers in a condition or loop is not supported")
	}
	return value(m.net.of("number", m.fresh()), 1)
}

// divideAny returns x // y or x % y for an unknown y.
func (m *machine) divideAny(op string, y any) any {
	if m.same(y, int64(0), 0) {
		fail("a division by 0")
	}
	v := m.unknown()
	if op == "%" {
		rest, _ := numeric(v)
		if m.less(int64(0), y) {
			d, _ := difference(v, y)
			m.assume(and(atLeast(rest.num), atLeast(d.shift(-1))))
		} else {
			d, _ := difference(y, v)
			m.assume(and(atLeast(Form{0}.plus(rest.num, -1)), atLeast(d.shift(-1))))
		}
	}
	return v
}
