package everysize

import "slices"

// This file has the operators on unknown switches and lists of unknown length.

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
