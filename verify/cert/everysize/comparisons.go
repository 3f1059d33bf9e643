package everysize

// This file compares values.

// same returns x == y.
func (m *machine) same(x, y any, depth int) bool {
	if m.spend(1); depth > maxNesting {
		fail("lists nested more than %d deep", maxNesting)
	}
	_, okA := numeric(x)
	_, okB := numeric(y)
	if okA && okB {
		d, _ := difference(x, y)
		if d.isConstant() {
			return d[0] == 0
		}
		if m.net != nil {
			return m.ask(equal(d, number(0)))
		}
		return m.choose(equal(d, number(0)), atLeast(d.shift(-1)), atLeast(Form{-1}.plus(d, -1))) == 0
	}
	if m.net != nil {
		if equal, ok := m.sameSwitch(x, y); ok {
			return equal
		}
	}
	switch x.(type) {
	case *list, tuple, place:
		_, listX := x.(*list)
		_, listY := y.(*list)
		a, _ := elements(x)
		b, ok := elements(y)
		a, b = known(a), known(b)
		if !ok || listX != listY || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !m.same(a[i], b[i], depth+1) {
				return false
			}
		}
		return true
	case nil, bool, string, direction, int64, *symbol:
		switch y.(type) {
		case input, *function, builtin, ejection:
			fail("these values cannot be compared")
		case nil, bool, string, direction:
			return x == y
		}
		return false
	case target:
		switch y.(type) {
		case nil, bool, string, int64, *symbol, *list, tuple, place:
			return false
		}
	}
	fail("these values cannot be compared")
	return false
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

// difference returns y - x times a positive unit, and the unit.
func difference(x, y any) (d Form, unit int64) {
	a, okA := numeric(x)
	b, okB := numeric(y)
	if !okA || !okB {
		fail("only numbers have an order")
	}
	return Form{0}.plus(b.num, a.den).plus(a.num, -b.den), mul(a.den, b.den)
}

// less returns x < y, atMost x <= y.
func (m *machine) less(x, y any) bool {
	if less, ok := m.countOrder(x, y); ok {
		return less
	}
	d, unit := difference(x, y)
	way := atLeast(d.shift(-unit))
	if way.isTrue() || way.isFalse() {
		return way.isTrue()
	}
	return m.choose(way, not(way)) == 0
}

func (m *machine) atMost(x, y any) bool { return !m.less(y, x) }

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
