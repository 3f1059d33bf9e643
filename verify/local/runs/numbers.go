package runs

import (
	"fmt"
	"slices"

	"go.starlark.net/syntax"
)

// This file has the arithmetic of integers that are not known.

// errEmpty is the error of the first element of an empty list.
type errEmpty struct{ at syntax.Node }

func (e errEmpty) Error() string {
	if e.at == nil {
		return emptyList
	}
	start, _ := e.at.Span()
	return fmt.Sprintf("line %d: %s", start.Line, emptyList)
}

func isEmpty(err error) bool {
	_, ok := err.(errEmpty)
	return ok
}

// numberOf reads an integer.
func numberOf(v any) (quotient, bool) {
	switch v := v.(type) {
	case int64:
		return quotient{Sum{Number: v}, 1}, true
	case *quotient:
		return *v, true
	}
	return quotient{}, false
}

// valueOf returns sum / by in lowest terms.
func valueOf(sum Sum, by int64) any {
	g := divisor(by, sum.Number)
	for _, p := range sum.Products {
		g = divisor(g, p.Factor)
	}
	lower := Sum{Number: sum.Number / g}
	for _, p := range sum.Products {
		lower.Products = append(lower.Products, Product{p.Atom, p.Factor / g})
	}
	if by /= g; by == 1 && len(lower.Products) == 0 {
		return lower.Number
	}
	return &quotient{lower, by}
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// tooLarge reports whether a number exceeds what programs may compute.
func tooLarge(v any) bool {
	q, ok := numberOf(v)
	big := func(k int64) bool { return k > mostNumber || k < -mostNumber }
	return ok && (big(q.Number) || q.by > 1<<30 || slices.ContainsFunc(q.Products, func(p Product) bool { return p.Factor > 1<<30 || p.Factor < -1<<30 }))
}

// arithmetic continues with a op b.
func (m *machine) arithmetic(s *state, x syntax.Node, op syntax.Token, a, b any) []result {
	if v, ok := raise(op, a, b); ok {
		return done(s, v)
	}
	if c, ok := b.(count); ok && op == syntax.PERCENT && c.list != nil {
		return then(m.countIs(s, x, c, 0), func(s *state, zero any) []result {
			if zero.(bool) {
				return fails(s, x, "a division by 0")
			}
			return done(s, index{c.list})
		})
	}
	p, okA := numberOf(a)
	q, okB := numberOf(b)
	if !okA || !okB {
		return m.concatenation(s, x, op, a, b)
	}
	var v any
	switch op {
	case syntax.PLUS:
		v = valueOf(p.Sum.times(q.by, q.Sum, p.by), p.by*q.by)
	case syntax.MINUS:
		v = valueOf(p.Sum.times(q.by, q.Sum, -p.by), p.by*q.by)
	case syntax.STAR:
		switch {
		case len(q.Products) == 0 && q.by == 1:
			v = valueOf(p.Sum.times(q.Number, Sum{}, 0), p.by)
		case len(p.Products) == 0 && p.by == 1:
			v = valueOf(q.Sum.times(p.Number, Sum{}, 0), q.by)
		default:
			return m.unknown(s, x)
		}
	default:
		return m.division(s, x, op, p, q)
	}
	if tooLarge(v) {
		return fails(s, x, "a number that is too large")
	}
	return done(s, v)
}

// raise returns a number that a loop counts, plus a known number.
func raise(op syntax.Token, a, b any) (any, bool) {
	k, ok := b.(int64)
	if !ok {
		a, b = b, a
		if k, ok = b.(int64); !ok || op != syntax.PLUS {
			return nil, false
		}
	}
	if op == syntax.MINUS {
		k = -k
	}
	switch v := a.(type) {
	case raised:
		if (op == syntax.PLUS || op == syntax.MINUS) && k >= 0 {
			return raised{v.name, v.by + k}, true
		}
	case count:
		if op == syntax.PLUS || op == syntax.MINUS {
			return count{base: v.base + k, ways: v.ways, adds: v.adds}, true
		}
	}
	return nil, false
}

// unknown continues with an integer of which nothing is known.
func (m *machine) unknown(s *state, x syntax.Node) []result {
	if why := m.chooses(s); why != "" {
		return fails(s, x, "a product or quotient of two unknown numbers in a condition or loop is not supported")
	}
	return done(s, &quotient{integer("number", m.fresh()), 1})
}

// division continues with a // b or a % b.
func (m *machine) division(s *state, x syntax.Node, op syntax.Token, a, b quotient) []result {
	if op != syntax.SLASHSLASH && op != syntax.PERCENT {
		return fails(s, x, "operator %s is not supported", op)
	}
	if len(b.Products) > 0 || b.by != 1 {
		return m.divideUnknown(s, x, op, b)
	}
	k := b.Number
	if len(a.Products) == 0 && a.by == 1 && k != 0 {
		rest := (a.Number%k + k) % k
		if op == syntax.PERCENT {
			return done(s, rest)
		}
		return done(s, (a.Number-rest)/k)
	}
	if k < 1 || k > 64 {
		return fails(s, x, "an unknown number divided by %d is not supported", k)
	}
	var out []result
	for rest := range k {
		sum := a.Sum.times(1, Sum{Number: 1}, -rest*a.by)
		t := s.assume(divides(k*a.by, sum))
		switch {
		case t == nil:
		case op == syntax.PERCENT:
			out = append(out, result{state: t, value: rest})
		default:
			out = append(out, result{state: t, value: valueOf(sum, k*a.by)})
		}
	}
	m.spend(len(out))
	return out
}

// divideUnknown continues with a number divided by an unknown one: a number of which is known only how a remainder relates to the divisor.
func (m *machine) divideUnknown(s *state, x syntax.Node, op syntax.Token, b quotient) []result {
	return m.split(s, equal(b.Sum, Sum{}), func(s *state, zero bool) []result {
		if zero {
			return fails(s, x, "a division by 0")
		}
		return then(m.unknown(s, x), func(s *state, v any) []result {
			if op == syntax.SLASHSLASH {
				return done(s, v)
			}
			rest := v.(*quotient).Sum
			return m.split(s, atLeast(b.Sum.times(1, Sum{Number: 1}, -1)), func(s *state, positive bool) []result {
				sign := int64(1)
				if !positive {
					sign = -1
				}
				within := all(atLeast(rest.times(sign, Sum{}, 0)), atLeast(b.Sum.times(sign, rest, -sign*b.by).times(1, Sum{Number: 1}, -1)))
				if s = s.assume(within); s == nil {
					return nil
				}
				return done(s, v)
			})
		})
	})
}

// concatenation continues with a + b for lists, tuples and texts.
func (m *machine) concatenation(s *state, x syntax.Node, op syntax.Token, a, b any) []result {
	p, okA := m.contents(s, a)
	q, okB := m.contents(s, b)
	t, okT := a.(tuple)
	u, okU := b.(tuple)
	switch {
	case op != syntax.PLUS || okT != okU:
	case okT:
		return done(s, slices.Concat(t, u))
	case okA && okB:
		s, l := m.newList(s, &seq{slices.Concat(p.items, q.items)})
		return done(s, l)
	}
	if a, ok := a.(string); ok && op == syntax.PLUS {
		if b, ok := b.(string); ok {
			return done(s, a+b)
		}
	}
	return fails(s, x, "operator %s is not supported for these values", op)
}
