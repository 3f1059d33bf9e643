package local

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file writes the conditions of a program as expressions of its language, with the names of a certificate.

// printer writes formulas as expressions.
type printer struct {
	net   *everysize.Network
	names map[int]string // of terms
	depth int            // of quantified conditions
	bad   bool           // a term has no name
}

func (p *printer) term(t int) string {
	name, ok := p.names[t]
	p.bad = p.bad || !ok
	return name
}

// variable writes variable v as a number.
func (p *printer) variable(v int) string {
	fn, args := p.net.Variable(v)
	switch {
	case fn == "id":
		return p.term(args[0]) + ".id"
	case fn == "distance":
		return fmt.Sprintf("distance(%s, %s)", p.term(args[0]), p.term(args[1]))
	case fn == "depth" || fn == "spread":
		return fmt.Sprintf("%s(%s)", fn, p.term(args[0]))
	case strings.HasPrefix(fn, "."):
		if name, numbers, ok := everysize.IsTable(fn); ok {
			return p.table(name, numbers, args)
		}
		return p.term(args[0]) + fn
	}
	p.bad = true
	return "?"
}

// table writes the integer of a table.
func (p *printer) table(name, numbers string, args []int) string {
	var list []string
	for _, t := range args[1:] {
		list = append(list, p.term(t))
	}
	if numbers != "" {
		list = append(list, strings.ReplaceAll(numbers, ",", ", "))
	}
	return p.term(args[0]) + "." + name + "(" + strings.Join(list, ", ") + ")"
}

// condition writes variable v as a condition, if it is one.
func (p *printer) condition(v int) (text string, ok bool) {
	fn, args := p.net.Variable(v)
	switch fn {
	case "linked":
		return fmt.Sprintf("%s in neighbours(%s)", p.term(args[1]), p.term(args[0])), true
	case "below":
		return fmt.Sprintf("below(%s, %s)", p.term(args[0]), p.term(args[1])), true
	}
	binders, free, body, ok := p.net.Some(v)
	if !ok {
		return "", false
	}
	inner := &printer{net: p.net, names: map[int]string{}, depth: p.depth + 1}
	for i, t := range args {
		inner.names[-1-i] = p.term(t)
	}
	var b strings.Builder
	b.WriteString("any([True")
	for i, x := range binders {
		name := fmt.Sprintf("%c%d", 'r'+i%8, p.depth)
		from := "switches()"
		if !free[i] {
			from = "neighbours(" + inner.term(x[1]) + ")"
		}
		inner.names[x[0]] = name
		fmt.Fprintf(&b, " for %s in %s", name, from)
	}
	if len(body.Args) > 0 || body.Op == everysize.AtLeast {
		b.WriteString(" if " + inner.formula(body))
	}
	p.bad = p.bad || inner.bad
	return b.String() + "])", true
}

// atLeast writes form >= 0.
func (p *printer) atLeast(f everysize.Form) string {
	if v, sign := single(f); v >= 0 {
		if text, ok := p.condition(v); ok {
			switch {
			case sign == 1 && f[0] == -1:
				return text
			case sign == -1 && f[0] == 0:
				return "not (" + text + ")"
			}
			p.bad = true
		}
	}
	left, right := p.sides(f)
	return left + " >= " + right
}

// single returns the variable of a form with one, and its coefficient.
func single(f everysize.Form) (v int, c int64) {
	v = -1
	for i, x := range f[1:] {
		if x == 0 {
			continue
		}
		if v >= 0 {
			return -1, 0
		}
		v, c = i, x
	}
	return v, c
}

// sides writes a form as a difference of two sums.
func (p *printer) sides(f everysize.Form) (left, right string) {
	var sums [2][]string
	for v, c := range f[1:] {
		if c == 0 {
			continue
		}
		side := 0
		if c < 0 {
			side, c = 1, -c
		}
		text := p.variable(v)
		if c > 1 {
			text = fmt.Sprintf("%d * %s", c, text)
		}
		sums[side] = append(sums[side], text)
	}
	if k := f[0]; k > 0 {
		sums[0] = append(sums[0], fmt.Sprint(k))
	} else if k < 0 {
		sums[1] = append(sums[1], fmt.Sprint(-k))
	}
	for i := range sums {
		if len(sums[i]) == 0 {
			sums[i] = []string{"0"}
		}
	}
	return strings.Join(sums[0], " + "), strings.Join(sums[1], " + ")
}

// opposite reports whether f = -g + k.
func opposite(f, g everysize.Form, k int64) bool {
	for v := range max(len(f), len(g)) {
		sum := int64(0)
		if v < len(f) {
			sum += f[v]
		}
		if v < len(g) {
			sum += g[v]
		}
		if v == 0 && sum != k || v > 0 && sum != 0 {
			return false
		}
	}
	return true
}

// equality writes two formulas as an equation if they are f >= 0 and -f >= 0, or as an inequality if they are f >= 1 and -f >= 1.
func (p *printer) equality(a, b *everysize.Formula, op everysize.Op) (text string, ok bool) {
	if a.Op != everysize.AtLeast || b.Op != everysize.AtLeast {
		return "", false
	}
	f := a.Form
	switch {
	case op == everysize.And && opposite(f, b.Form, 0):
		left, right := p.sides(f)
		return min(left, right) + " == " + max(left, right), true
	case op == everysize.Or && opposite(f, b.Form, -2):
		g := slices.Clone(f)
		g[0]++
		left, right := p.sides(g)
		return min(left, right) + " != " + max(left, right), true
	}
	return "", false
}

// parts writes the arguments of a formula.
func (p *printer) parts(f *everysize.Formula) (list []string) {
	for i := 0; i < len(f.Args); i++ {
		if i+1 < len(f.Args) {
			if text, ok := p.equality(f.Args[i], f.Args[i+1], f.Op); ok {
				list = append(list, text)
				i++
				continue
			}
		}
		list = append(list, p.formula(f.Args[i]))
	}
	return list
}

// formula writes a formula.
func (p *printer) formula(f *everysize.Formula) string {
	switch f.Op {
	case everysize.AtLeast:
		return p.atLeast(f.Form)
	case everysize.Divides:
		g := slices.Clone(f.Form)
		left, right := p.sides(g)
		return fmt.Sprintf("(%s - (%s)) %% %d == 0", left, right, f.Mod)
	}
	list := p.parts(f)
	word, none := " and ", "True"
	if f.Op == everysize.Or {
		word, none = " or ", "False"
	}
	switch len(list) {
	case 0:
		return none
	case 1:
		return list[0]
	}
	return "(" + strings.Join(list, word) + ")"
}

// atoms adds the conditions of which a formula consists.
func (p *printer) atoms(f *everysize.Formula, add func(text string)) {
	put := func(text string) {
		if !p.bad {
			add(strings.Replace(strings.TrimSuffix(strings.TrimPrefix(text, "not ("), ")"+notMark(text)), " != ", " == ", 1))
		}
		p.bad = false
	}
	switch f.Op {
	case everysize.AtLeast, everysize.Divides:
		put(p.formula(f))
		return
	}
	for i := 0; i < len(f.Args); i++ {
		if i+1 < len(f.Args) {
			if text, ok := p.equality(f.Args[i], f.Args[i+1], f.Op); ok {
				put(text)
				i++
				continue
			}
		}
		p.atoms(f.Args[i], add)
	}
}

// notMark returns what a text without "not (" must end with to lose its last bracket: never.
func notMark(text string) string {
	if strings.HasPrefix(text, "not (") {
		return ""
	}
	return "\x00"
}
