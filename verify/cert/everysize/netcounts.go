package everysize

// This file has numbers of elements: the length of a list with generic elements, and numbers that a loop over generic elements increases.
//
// A count is at least its base. It is greater if and only if an element of a part exists.

// lengthOf returns the number of elements of a list.
func lengthOf(l *list) count {
	c := count{of: l}
	for _, x := range l.items {
		if g, ok := x.(*generic); ok {
			c.parts = append(c.parts, weighted{g, 1})
		} else {
			c.base++
		}
	}
	return c
}

// counted returns a number after a loop whose paths increase it.
func counted(before any, list []outcome) any {
	c, ok := before.(count)
	if !ok {
		c = count{base: before.(int64)}
	}
	for _, o := range list {
		c.parts = append(c.parts[:len(c.parts):len(c.parts)], weighted{&generic{binders: o.binders, guard: o.guard}, o.value.(tally).plus})
	}
	return c
}

// more returns v + k for a count or a tally.
func more(v any, k int64) any {
	switch v := v.(type) {
	case count:
		return count{base: bounded(v.base + k), parts: v.parts}
	case tally:
		if k < 0 {
			fail("a number that a loop over an unknown number of elements decreases is not supported")
		}
		return tally{v.name, bounded(v.plus + k)}
	}
	return nil
}

// countArithmetic returns x op y if one of them is a count or a tally.
func countArithmetic(op string, x, y any) (v any, ok bool) {
	isCount := func(v any) bool {
		switch v.(type) {
		case count, tally:
			return true
		}
		return false
	}
	if !isCount(x) && !isCount(y) {
		return nil, false
	}
	if k, isNumber := y.(int64); isNumber && (op == "+" || op == "-") {
		if op == "-" {
			k = -k
		}
		return more(x, k), true
	}
	if k, isNumber := x.(int64); isNumber && op == "+" {
		return more(y, k), true
	}
	fail("an unknown number of elements can be increased by a known number, and compared with one; operator %s is not supported", op)
	return nil, false
}

// reaches returns whether a count is k or more.
func (m *machine) reaches(c count, k int64) bool {
	var parts []any
	least := int64(maxNumber)
	for _, w := range c.parts {
		parts = append(parts, w.generic)
		least = min(least, c.base+w.weight)
	}
	switch {
	case k <= c.base:
		return true
	case !m.hasElements(parts):
		return false
	case k <= least:
		return true
	}
	m.decides()
	return m.chooseOf(2) == 0
}

// countOrder returns x < y if one of them is a count.
func (m *machine) countOrder(x, y any) (less, ok bool) {
	a, okA := x.(count)
	b, okB := y.(count)
	k, isNumber := x.(int64)
	n, alsoNumber := y.(int64)
	switch {
	case okA && alsoNumber:
		return !m.reaches(a, n), true
	case okB && isNumber:
		return m.reaches(b, k+1), true
	case okA || okB:
		fail("an unknown number of elements is compared with another unknown number, which is not supported")
	}
	return false, false
}
