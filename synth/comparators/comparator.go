package comparators

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/verify/parametric"
)

// This file defines comparators. A condition and its negation share one.

// kind is the kind of a comparator.
type kind int

const (
	atLeast  kind = iota // form >= 0
	equal                // form == 0
	multiple             // form is divisible by mod
)

// comparator is a condition on coordinates and sizes. The first coefficient of form that is not 0 is positive.
type comparator struct {
	kind kind
	form []int64 // by variable of the tree, then the constant
	mod  int64
	uses int
}

// literal is a comparator that holds, or does not.
type literal struct {
	of      int
	negated bool
}

func (c *comparator) key() string { return fmt.Sprint(c.kind, c.form, c.mod) }

// literals returns the conditions of a branch as literals. Two opposite inequalities are an equality.
func (m *maker) literals(all []parametric.Condition) (list []literal) {
	for i := 0; i < len(all); i++ {
		x := all[i]
		switch {
		case x.Mod != 0:
			list = append(list, m.add(comparator{kind: multiple, form: x.Form, mod: x.Mod}))
		case i+1 < len(all) && all[i+1].Mod == 0 && slices.Equal(negative(x.Form), all[i+1].Form):
			list = append(list, m.equality(x.Form))
			i++
		case leading(x.Form) < 0: // f >= 0 is the negation of -f - 1 >= 0
			opposite := negative(x.Form)
			opposite[len(opposite)-1]--
			l := m.add(comparator{kind: atLeast, form: opposite})
			list = append(list, literal{l.of, !l.negated})
		default:
			list = append(list, m.add(comparator{kind: atLeast, form: x.Form}))
		}
	}
	return list
}

// equality returns the literal form == 0.
func (m *maker) equality(form []int64) literal {
	if leading(form) < 0 {
		form = negative(form)
	}
	return m.add(comparator{kind: equal, form: form})
}

func negative(form []int64) []int64 {
	n := make([]int64, len(form))
	for v, c := range form {
		n[v] = -c
	}
	return n
}

// leading returns the first coefficient that is not 0.
func leading(form []int64) int64 {
	for _, c := range form[:len(form)-1] {
		if c != 0 {
			return c
		}
	}
	return 0
}

// add returns the literal of a comparator, which is new or known.
func (m *maker) add(c comparator) literal {
	i, ok := m.indexOf[c.key()]
	if !ok {
		i = len(m.comparators)
		m.comparators, m.indexOf[c.key()] = append(m.comparators, c), i
	}
	return literal{of: i}
}

// sides returns the two operands, both without negative coefficients: plus >= minus, plus == minus, or plus divisible
// by mod, where coefficients are remainders.
func (c *comparator) sides() (plus, minus []int64) {
	plus, minus = make([]int64, len(c.form)), make([]int64, len(c.form))
	for v, k := range c.form {
		switch {
		case c.kind == multiple:
			plus[v] = (k%c.mod + c.mod) % c.mod
		case k > 0:
			plus[v] = k
		default:
			minus[v] = -k
		}
	}
	return plus, minus
}

// width returns the width of the comparator on a network: the bits of the larger operand. most has the largest value of each
// variable. A divisibility by a power of two reads only the lowest bits.
func (c *comparator) width(most []int64) int {
	if c.kind == multiple && c.mod&(c.mod-1) == 0 {
		return bits.Len64(uint64(c.mod - 1))
	}
	plus, minus := c.sides()
	return bits.Len64(uint64(max(valueAt(plus, most), valueAt(minus, most))))
}

// isConstant reports whether the comparator compares sizes only. It costs nothing once the sizes are known.
func (c *comparator) isConstant(dims int) bool {
	return !slices.ContainsFunc(c.form[:2*dims], func(k int64) bool { return k != 0 })
}

// valueAt returns the value of a form.
func valueAt(form, at []int64) int64 {
	sum := form[len(form)-1]
	for v, x := range at {
		sum += form[v] * x
	}
	return sum
}
