package everysize

import (
	"fmt"
	"slices"
	"strings"
)

// This file reads the conditions on the sizes of a family: where = [n >= 4, n % 2 == 1].
//
// A condition NAME >= NUMBER, also as NAME > NUMBER or in terms with this meaning, replaces the usual bound of a
// size. In a family for any number of dimensions a condition is about each side.

// maxFactor bounds the numbers of a condition.
const maxFactor = 1 << 20

// conditionsOf reads where, and removes the statement from the program.
func (p *program) conditionsOf(s *stmt) error {
	wrong := fmt.Errorf("line %d: want conditions on the sizes, as in where = [n >= 4, n %% 2 == 0]", s.line)
	if s.kind != "assign" || s.target.kind != "name" || s.value.kind != "list" || len(s.value.args) > 32 {
		return wrong
	}
	p.list = slices.DeleteFunc(slices.Clone(p.list), func(x *stmt) bool { return x == s })
	repeat := 1
	if p.anyDims != "" {
		repeat = p.dims
	}
	for _, x := range s.value.args {
		for d := range repeat {
			f, ok := p.condition(x, d)
			if !ok {
				return wrong
			}
			p.where = append(p.where, f)
		}
		p.words = append(p.words, text(x))
	}
	for i := range p.names {
		least := int64(1)
		if p.isRing(i) || p.complete() {
			least = 2
		}
		if p.least(i) < least {
			return fmt.Errorf("line %d: size %d is at least %d", s.line, i, least)
		}
	}
	return nil
}

// condition reads one condition. For any number of dimensions the name of the sides means side d.
func (p *program) condition(x *expr, d int) (*Formula, bool) {
	if len(x.args) != 2 {
		return nil, false
	}
	left, right := x.args[0], x.args[1]
	if x.kind == "==" && left.kind == "%" {
		a, okA := p.sum(left.args[0], d)
		m, okM := p.sum(left.args[1], d)
		b, okB := p.sum(right, d)
		if !okA || !okM || !okB || !m.isConstant() || !b.isConstant() || m[0] < 2 || m[0] > maxFactor {
			return nil, false
		}
		return divides(a.plus(b, -1), m[0]), true
	}
	a, okA := p.sum(left, d)
	b, okB := p.sum(right, d)
	if !okA || !okB {
		return nil, false
	}
	switch x.kind {
	case ">=":
		return atMost(b, a), true
	case ">":
		return lessThan(b, a), true
	case "<=":
		return atMost(a, b), true
	case "<":
		return lessThan(a, b), true
	case "==":
		return equal(a, b), true
	}
	return nil, false
}

// sum reads a sum of sizes and numbers.
func (p *program) sum(x *expr, d int) (f Form, ok bool) {
	switch x.kind {
	case "number":
		return number(x.number), x.number <= maxFactor
	case "name":
		if p.anyDims != "" {
			return variable(3*p.dims + d), x.text == p.anyDims && p.kind != "hypercube"
		}
		i := slices.Index(p.names, x.text)
		return variable(3*p.dims + max(i, 0)), i >= 0
	case "+", "-", "*":
		a, okA := p.sum(x.args[0], d)
		b, okB := p.sum(x.args[1], d)
		switch {
		case !okA || !okB:
			return nil, false
		case x.kind == "+":
			f = a.plus(b, 1)
		case x.kind == "-":
			f = a.plus(b, -1)
		case b.isConstant():
			f = Form{0}.plus(a, b[0])
		case a.isConstant():
			f = Form{0}.plus(b, a[0])
		default:
			return nil, false
		}
		return f, !slices.ContainsFunc(f, func(c int64) bool { return c > maxFactor || c < -maxFactor })
	}
	return nil, false
}

// text returns an expression of a condition.
func text(x *expr) string {
	switch x.kind {
	case "number":
		return fmt.Sprint(x.number)
	case "name":
		return x.text
	}
	var parts []string
	for _, y := range x.args {
		t := text(y)
		if len(y.args) == 2 && (x.kind == "*" || x.kind == "-" || x.kind == "%") {
			t = "(" + t + ")"
		}
		parts = append(parts, t)
	}
	return strings.Join(parts, " "+x.kind+" ")
}

// conditions names the sizes of the networks: "n >= 3, m >= 2, n % 2 == 1".
func (p *program) conditions() string {
	var list []string
	for i := 0; i < len(p.names); {
		k := i + 1
		for k < len(p.names) && p.least(k) == p.least(i) {
			k++
		}
		list = append(list, fmt.Sprintf("%s >= %d", strings.Join(p.names[i:k], ", "), p.least(i)))
		i = k
	}
	repeat := 1
	if p.anyDims != "" {
		repeat = p.dims
	}
	for i, words := range p.words {
		isBound := false
		for size := range p.names {
			_, ok := bound(p.where[repeat*i], 3*p.dims+size)
			isBound = isBound || ok
		}
		if !isBound {
			list = append(list, words)
		}
	}
	return strings.Join(list, ", ")
}
