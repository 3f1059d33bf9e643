package runs

import (
	"fmt"
	"slices"
	"strings"
)

// This file defines conditions on unknown switches.

// Term is an unknown switch.
type Term int

// The terms that every packet has.
const (
	Cur Term = iota
	Dst
	Via
	Prev
	firstFree Term = 7 // the first one for other switches
)

// Atom is an integer that belongs to switches: "id", "distance", "linked", "depth", "spread", "below", "port", "number", or "." and the
// name of an attribute or table.
type Atom struct {
	Fn   string
	Args []Term
}

func (a Atom) key() string { return fmt.Sprint(a.Fn, a.Args) }

// Product is a coefficient times an atom.
type Product struct {
	Atom
	Factor int64
}

// Sum is a linear form: a number and products, in the order of their keys.
type Sum struct {
	Number   int64
	Products []Product
}

// times returns a*s + b*t.
func (s Sum) times(a int64, t Sum, b int64) Sum {
	sum := Sum{Number: a*s.Number + b*t.Number}
	factors, atoms := map[string]int64{}, map[string]Atom{}
	for _, x := range s.Products {
		factors[x.key()] += a * x.Factor
		atoms[x.key()] = x.Atom
	}
	for _, x := range t.Products {
		factors[x.key()] += b * x.Factor
		atoms[x.key()] = x.Atom
	}
	var keys []string
	for key, f := range factors {
		if f != 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		sum.Products = append(sum.Products, Product{atoms[key], factors[key]})
	}
	return sum
}

// form returns the text of the products, with a positive first factor, and whether the sign was changed.
func (s Sum) form() (text string, negative bool) {
	negative = len(s.Products) > 0 && s.Products[0].Factor < 0
	var b strings.Builder
	for _, p := range s.Products {
		f := p.Factor
		if negative {
			f = -f
		}
		fmt.Fprintf(&b, "%d*%s ", f, p.key())
	}
	return b.String(), negative
}

// Kind is the kind of a condition.
type Kind int

// The kinds of conditions.
const (
	All     Kind = iota // of Parts
	Any                 // of Parts
	Not                 // Parts[0]
	AtLeast             // Sum is 0 or more
	Divides             // Divisor divides Sum
	Exists              // switches at Vars satisfy Parts[0]
)

// Var is a term that stands for any neighbour of another one, or for any switch.
type Var struct {
	Term
	Of   Term
	Free bool // any switch
}

// Condition is a condition on unknown switches.
type Condition struct {
	Kind    Kind
	Parts   []*Condition
	Sum     Sum
	Divisor int64
	Vars    []Var
	text    string
}

var (
	yes = &Condition{Kind: All, text: "yes"}
	no  = &Condition{Kind: Any, text: "no"}
)

func truth(b bool) *Condition {
	if b {
		return yes
	}
	return no
}

func (c *Condition) isYes() bool { return c.Kind == All && len(c.Parts) == 0 }
func (c *Condition) isNo() bool  { return c.Kind == Any && len(c.Parts) == 0 }

// key returns a text that is the same for the same conditions.
func (c *Condition) key() string {
	if c.text == "" {
		var b strings.Builder
		form, negative := c.Sum.form()
		fmt.Fprintf(&b, "(%d %d %v %s%v %v", c.Kind, c.Sum.Number, negative, form, c.Divisor, c.Vars)
		for _, p := range c.Parts {
			b.WriteString(p.key())
		}
		c.text = b.String() + ")"
	}
	return c.text
}

func all(list ...*Condition) *Condition { return joined(All, list) }
func anyOf(list ...*Condition) *Condition {
	return joined(Any, list)
}

// joined returns a conjunction or disjunction without those within it.
func joined(kind Kind, list []*Condition) *Condition {
	neutral, other := yes, no
	if kind == Any {
		neutral, other = no, yes
	}
	var parts []*Condition
	for _, c := range list {
		switch {
		case c.key() == other.key() || c.Kind == other.Kind && len(c.Parts) == 0:
			return other
		case c.Kind == kind:
			parts = append(parts, c.Parts...)
		default:
			parts = append(parts, c)
		}
	}
	switch len(parts) {
	case 0:
		return neutral
	case 1:
		return parts[0]
	}
	return &Condition{Kind: kind, Parts: parts}
}

func not(c *Condition) *Condition {
	switch {
	case c.isYes():
		return no
	case c.isNo():
		return yes
	case c.Kind == Not:
		return c.Parts[0]
	}
	return &Condition{Kind: Not, Parts: []*Condition{c}}
}

func atLeast(s Sum) *Condition {
	if len(s.Products) == 0 {
		return truth(s.Number >= 0)
	}
	return &Condition{Kind: AtLeast, Sum: s}
}

func equal(a, b Sum) *Condition { return all(atLeast(b.times(1, a, -1)), atLeast(a.times(1, b, -1))) }

func divides(k int64, s Sum) *Condition {
	if len(s.Products) == 0 || k == 1 {
		return truth(s.Number%k == 0)
	}
	return &Condition{Kind: Divides, Sum: s, Divisor: k}
}

func exists(vars []Var, c *Condition) *Condition {
	if c.isNo() || len(vars) == 0 {
		return c
	}
	return &Condition{Kind: Exists, Vars: vars, Parts: []*Condition{c}}
}

// renamed returns a condition with other terms.
func (c *Condition) renamed(by map[Term]Term) *Condition {
	d := &Condition{Kind: c.Kind, Sum: c.Sum.renamed(by), Divisor: c.Divisor}
	for _, p := range c.Parts {
		d.Parts = append(d.Parts, p.renamed(by))
	}
	for _, v := range c.Vars {
		d.Vars = append(d.Vars, v.renamed(by))
	}
	return d
}

func (v Var) renamed(by map[Term]Term) Var {
	v.Term, v.Of = other(v.Term, by), other(v.Of, by)
	return v
}

func other(t Term, by map[Term]Term) Term {
	if u, ok := by[t]; ok {
		return u
	}
	return t
}

func (s Sum) renamed(by map[Term]Term) Sum {
	moved := Sum{Number: s.Number}
	for _, p := range s.Products {
		var args []Term
		for _, t := range p.Args {
			args = append(args, other(t, by))
		}
		x := integer(p.Fn, args...)
		moved = moved.times(1, x, p.Factor)
	}
	return moved
}

// integer returns an atom as a sum. Links and distances are symmetric.
func integer(fn string, args ...Term) Sum {
	symmetric := fn == "linked" || fn == "distance"
	switch {
	case symmetric && args[0] == args[1]:
		return Sum{}
	case symmetric && args[0] > args[1]:
		args = []Term{args[1], args[0]}
	case fn == "below" && args[0] == args[1]:
		return Sum{Number: 1}
	}
	return Sum{Products: []Product{{Atom{fn, args}, 1}}}
}

// holds returns the condition that an integer is 1 or more.
func holds(fn string, args ...Term) *Condition {
	return atLeast(integer(fn, args...).times(1, Sum{Number: 1}, -1))
}

func sameSwitch(a, b Term) *Condition {
	if a == b {
		return yes
	}
	return equal(integer("id", min(a, b)), integer("id", max(a, b)))
}

// where returns the condition that terms are where they range.
func where(vars []Var) *Condition {
	c := yes
	for _, v := range vars {
		if !v.Free {
			c = all(c, holds("linked", v.Of, v.Term))
		}
	}
	return c
}
