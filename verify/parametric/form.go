package parametric

import (
	"fmt"
	"strings"
)

// This file defines linear forms over the variables of a family, and conditions on them.

// form is the sum of form[v] times variable v, plus the constant, which is the last number.
type form []int64

func (f form) constant() int64 { return f[len(f)-1] }

// isConstant reports whether f has no variable.
func (f form) isConstant() bool {
	for _, c := range f[:len(f)-1] {
		if c != 0 {
			return false
		}
	}
	return true
}

// plus returns f + k·g.
func (f form) plus(g form, k int64) form {
	h := make(form, len(f))
	for v := range f {
		h[v] = f[v] + k*g[v]
	}
	return h
}

// times returns k·f.
func (f form) times(k int64) form { return make(form, len(f)).plus(f, k) }

// add returns f + k.
func (f form) add(k int64) form {
	h := append(form(nil), f...)
	h[len(h)-1] += k
	return h
}

// at returns the value of f at a point.
func (f form) at(point []int64) int64 {
	sum := f.constant()
	for v, x := range point {
		sum += f[v] * x
	}
	return sum
}

// substitute replaces each variable v by by[v] at once. If by[v] is nil, v stays.
func (f form) substitute(by []form) form {
	h := make(form, len(f))
	h[len(h)-1] = f.constant()
	for v, c := range f[:len(f)-1] {
		switch {
		case c == 0:
		case by[v] == nil:
			h[v] += c
		default:
			for w, k := range by[v] {
				h[w] += c * k
			}
		}
	}
	return h
}

// atom is a condition: form >= 0 or, if mod >= 2, form is divisible by mod. If none is not nil, it is instead that not
// all conditions of none hold.
type atom struct {
	form form
	mod  int64
	none []atom
}

func (a atom) holds(point []int64) bool {
	if a.none != nil {
		return !allHold(a.none, point)
	}
	x := a.form.at(point)
	if a.mod == 0 {
		return x >= 0
	}
	return x%a.mod == 0
}

func (a atom) substitute(by []form) atom {
	if a.none == nil {
		return atom{form: a.form.substitute(by), mod: a.mod}
	}
	list := make([]atom, len(a.none))
	for i, x := range a.none {
		list[i] = x.substitute(by)
	}
	return atom{none: list}
}

func allHold(list []atom, point []int64) bool {
	for _, a := range list {
		if !a.holds(point) {
			return false
		}
	}
	return true
}

// known reports whether a is true everywhere, or false everywhere.
func (a atom) known() (always, never bool) {
	if a.none != nil || !a.form.isConstant() {
		return false, false
	}
	h := a.holds(nil)
	return h, !h
}

// names are the names of the variables of a family.
type names []string

// term returns a form as an SMT-LIB term.
func (n names) term(f form) string {
	var parts []string
	for v, c := range f[:len(f)-1] {
		switch {
		case c == 1:
			parts = append(parts, n[v])
		case c != 0:
			parts = append(parts, fmt.Sprintf("(* %s %s)", number(c), n[v]))
		}
	}
	if k := f.constant(); k != 0 || len(parts) == 0 {
		parts = append(parts, number(k))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(+ " + strings.Join(parts, " ") + ")"
}

func number(k int64) string {
	if k < 0 {
		return fmt.Sprintf("(- %d)", -k)
	}
	return fmt.Sprint(k)
}

// sides splits a form into its positive and its negative part.
func (f form) sides() (plus, minus form) {
	plus, minus = make(form, len(f)), make(form, len(f))
	for v, c := range f {
		if c > 0 {
			plus[v] = c
		} else {
			minus[v] = -c
		}
	}
	return plus, minus
}

// condition returns an atom as an SMT-LIB term.
func (n names) condition(a atom) string {
	if a.none != nil {
		return not(n.all(a.none))
	}
	if a.mod != 0 {
		return fmt.Sprintf("(= (mod %s %d) 0)", n.term(a.form), a.mod)
	}
	plus, minus := a.form.sides()
	return fmt.Sprintf("(>= %s %s)", n.term(plus), n.term(minus))
}

func (n names) all(list []atom) string {
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = n.condition(a)
	}
	return and(parts...)
}

func and(parts ...string) string { return join("and", "true", parts) }
func or(parts ...string) string  { return join("or", "false", parts) }
func not(x string) string        { return "(not " + x + ")" }

func join(op, none string, parts []string) string {
	switch len(parts) {
	case 0:
		return none
	case 1:
		return parts[0]
	}
	return "(" + op + " " + strings.Join(parts, " ") + ")"
}

// text returns a form for readers: 2n - x - 1.
func (n names) text(f form) string {
	var b strings.Builder
	write := func(c int64, name string) {
		switch {
		case c == 0:
			return
		case c < 0 && b.Len() == 0:
			b.WriteString("-")
		case c < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		if c = max(c, -c); c != 1 || name == "" {
			fmt.Fprint(&b, c)
		}
		b.WriteString(name)
	}
	for v := len(n) - 1; v >= 0; v-- { // sizes first
		write(f[v], n[v])
	}
	write(f.constant(), "")
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// conditionText returns an atom for readers: x + 1 <= n.
func (n names) conditionText(a atom) string {
	if a.none != nil {
		var parts []string
		for _, b := range a.none {
			parts = append(parts, n.conditionText(b))
		}
		return "not all of " + strings.Join(parts, ", ")
	}
	if a.mod != 0 {
		return fmt.Sprintf("%s divisible by %d", n.text(a.form), a.mod)
	}
	plus, minus := a.form.sides()
	return n.text(minus) + " <= " + n.text(plus)
}
