package everysize

import "slices"

// This file has the operators on numbers, symbols, lists and directions.

// operate returns the value of an operator.
func (m *machine) operate(op string, a []any) any {
	switch op {
	case "negative":
		if d, ok := a[0].(direction); ok {
			return d ^ 1
		}
		return m.arithmetic("-", int64(0), a[0])
	case "positive":
		return m.arithmetic("+", int64(0), a[0])
	case "+", "-", "*", "//", "%":
		return m.arithmetic(op, a[0], a[1])
	case "==":
		return m.same(a[0], a[1], 0)
	case "!=":
		return !m.same(a[0], a[1], 0)
	case "<":
		return m.less(a[0], a[1])
	case ">":
		return m.less(a[1], a[0])
	case "<=":
		return m.atMost(a[0], a[1])
	case ">=":
		return m.atMost(a[1], a[0])
	case "in":
		return m.within(a[0], a[1])
	case "not in":
		return !m.within(a[0], a[1])
	case "item":
		return m.item(a[0], a[1])
	}
	fail("no operator %s", op)
	return nil
}

// augmented returns x after x op= y. A list is extended in place.
func (m *machine) augmented(op string, x, y any) any {
	l, ok := x.(*list)
	if !ok || op != "+" {
		return m.arithmetic(op, x, y)
	}
	more, ok := elements(y)
	if !ok {
		fail("a list can be extended by a list only")
	}
	m.spend(len(more))
	m.alter(l)
	l.change()
	l.items = slices.Concat(l.items, more)
	return l
}

func (m *machine) arithmetic(op string, x, y any) any {
	a, okA := numeric(x)
	b, okB := numeric(y)
	if m.net != nil {
		if l, ok := y.(count); ok && op == "%" && okA {
			return m.indexIn(l)
		}
		if v, ok := countArithmetic(op, x, y); ok {
			return v
		}
	}
	if !okA || !okB {
		return m.joined(op, x, y)
	}
	scaled := func(sign int64) any {
		num := Form{0}.plus(a.num, b.den).plus(b.num, mul(sign, a.den))
		return value(num, mul(a.den, b.den))
	}
	switch op {
	case "+":
		return scaled(1)
	case "-":
		return scaled(-1)
	case "*":
		if a.num.isConstant() && a.den == 1 {
			a, b = b, a
		}
		if !b.num.isConstant() || b.den != 1 {
			if m.net != nil {
				return m.unknown()
			}
			fail("a product of two unknown numbers")
		}
		return value(Form{0}.plus(a.num, b.num[0]), a.den)
	}
	if b.num.isConstant() && b.den == 1 {
		return m.divide(op, a, b.num[0])
	}
	return m.divideUnknown(op, x, y)
}

// divide returns a//k or a%k: one alternative for each remainder.
func (m *machine) divide(op string, a symbol, k int64) any {
	if a.num.isConstant() && a.den == 1 && k != 0 {
		q := floor(a.num[0], max(k, -k))
		if k < 0 {
			q = floor(-a.num[0], -k)
		}
		if op == "//" {
			return bounded(q)
		}
		return bounded(a.num[0] - mul(q, k))
	}
	if k < 1 || k > 64 {
		fail("an unknown number divided by %d", k)
	}
	unit := mul(k, a.den)
	ways := make([]*Formula, k)
	for i := range k {
		ways[i] = divides(a.num.shift(-mul(i, a.den)), unit)
	}
	rest := int64(m.choose(ways...))
	if op == "%" {
		return rest
	}
	return value(a.num.shift(-mul(rest, a.den)), unit)
}

// maxTurns bounds the quotient of two unknown numbers.
const maxTurns = 8

// divideUnknown returns x//y or x%y for an unknown y, which must be positive. It adds or subtracts y until
// the rest is between 0 and y.
func (m *machine) divideUnknown(op string, x, y any) any {
	if m.net != nil {
		return m.divideAny(op, y)
	}
	if !m.less(int64(0), y) {
		fail("a divisor that may be 0 or less")
	}
	quotient := int64(0)
	for range maxTurns {
		switch {
		case m.less(x, int64(0)):
			x = m.arithmetic("+", x, y)
			quotient--
		case !m.less(x, y):
			x = m.arithmetic("-", x, y)
			quotient++
		case op == "%":
			return x
		default:
			return quotient
		}
	}
	fail("a quotient that may exceed %d", maxTurns)
	return nil
}

// joined returns x op y for lists, tuples and texts.
func (m *machine) joined(op string, x, y any) any {
	if op == "+" {
		switch x := x.(type) {
		case *list:
			if y, ok := y.(*list); ok {
				m.spend(len(x.items) + len(y.items))
				return &list{items: slices.Concat(x.items, y.items)}
			}
		case tuple:
			if y, ok := y.(tuple); ok {
				m.spend(len(x) + len(y))
				return slices.Concat(x, y)
			}
		case string:
			if y, ok := y.(string); ok {
				m.spend(len(x) + len(y))
				return x + y
			}
		}
	}
	fail("operator %s is not for these values", op)
	return nil
}

// within returns x in y.
func (m *machine) within(x, y any) (found bool) {
	if isGeneric(y) {
		items, _ := elements(y)
		return m.contains(items, x)
	}
	m.iterate(y, func(v any) bool {
		found = m.same(v, x, 0)
		return !found
	})
	return found
}

// index returns the index that v names in a list of n.
func index(v any, n int) int {
	i, ok := v.(int64)
	if ok && i < 0 {
		i += int64(n)
	}
	if !ok || i < 0 || i >= int64(n) {
		fail("an index that is not a known number within the list")
	}
	return int(i)
}

func (m *machine) item(x, i any) any {
	items, ok := elements(x)
	if !ok {
		fail("a value of this type has no elements")
	}
	if isGeneric(x) {
		return m.genericItem(x, i)
	}
	return items[index(i, len(items))]
}

// set executes x[i] = v.
func (m *machine) set(x, i, v any) {
	l, ok := x.(*list)
	if !ok {
		fail("only elements of lists can be assigned to")
	}
	m.alter(l)
	l.change()
	known(l.items)
	l.items[index(i, len(l.items))] = v
}

// truth returns the truth of a value. It asks whether an unknown number is 0.
func (m *machine) truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case int64:
		return v != 0
	case *symbol:
		return !m.same(v, int64(0), 0)
	case *list:
		return m.hasElements(v.items)
	case tuple:
		return m.hasElements(v)
	case count:
		return !m.same(v, int64(0), 0)
	case tally:
		fail("the truth of a number that a loop over an unknown number of elements increases")
	case position:
		fail("the truth of an unknown index")
	}
	return true
}

// change fails if a list cannot be changed.
func (l *list) change() {
	if l.frozen || l.loops > 0 {
		fail("a list of the top level, or in a loop over it, cannot be changed")
	}
}

// iterate calls visit for each element of v, and for each group of generic ones, until it returns false.
func (m *machine) iterate(v any, visit func(any) bool) {
	items, ok := elements(v)
	if !ok {
		fail("cannot iterate over a value of this type")
	}
	if l, ok := v.(*list); ok {
		l.loops++
		defer func() { l.loops-- }()
	}
	if m.net != nil {
		items = inGroups(items)
	}
	for _, item := range items {
		m.spend(1)
		if !visit(item) {
			return
		}
	}
}
