package runs

import (
	"go.starlark.net/syntax"
)

// This file defines the values of programs. They are nil for None, bool, int64, string, *quotient, and the types below.

type (
	// quotient is an unknown integer: a sum divided by a number.
	quotient struct {
		Sum
		by int64
	}
	vertex   struct{ Term }            // a switch
	port     struct{ tail, head Term } // a port of tail that leads to head
	tuple    []any
	ref      int            // the number of a list, whose contents are in the case
	fixed    struct{ *seq } // a list that does not change any more, within a bag
	arrival  struct{}
	ejection struct{}
	builtin  string
	// closure is a function of the program.
	closure struct {
		def   *syntax.DefStmt
		frame int
	}
	// count is at least base. It is greater if and only if an element of the ways exists; each adds its number or more.
	count struct {
		base int64
		ways []way
		adds []int64
		list any // whose length it is, or nil
	}
	// raised is a name that a loop has increased.
	raised struct {
		name string
		by   int64
	}
	// index is some index of a list.
	index struct{ list any }
	// lost is the value of a name that cannot be used, with the reason.
	lost string
)

// way is one way to make elements of a bag.
type way struct {
	vars  []Var
	when  *Condition
	value any
}

// item is an element of a list, or a bag of elements in any order.
type item struct {
	value any
	bag   []way // if not nil, the item is a bag
}

// seq is the contents of a list.
type seq struct{ items []item }

// known reports whether a list has no bags.
func (s *seq) known() bool {
	for _, x := range s.items {
		if x.bag != nil {
			return false
		}
	}
	return true
}

// values returns the elements of a list without bags.
func (s *seq) values() (list []any) {
	for _, x := range s.items {
		list = append(list, x.value)
	}
	return list
}

func listOf(values []any) *seq {
	s := &seq{}
	for _, v := range values {
		s.items = append(s.items, item{value: v})
	}
	return s
}

// ways returns all ways of the bags of a list, and the number of its other elements.
func (s *seq) ways() (list []way, others int64) {
	for _, x := range s.items {
		if x.bag == nil {
			others++
		}
		list = append(list, x.bag...)
	}
	return list, others
}

// renamedValue returns a value with other terms.
func renamedValue(v any, by map[Term]Term) any {
	switch v := v.(type) {
	case *quotient:
		return &quotient{v.Sum.renamed(by), v.by}
	case vertex:
		return vertex{other(v.Term, by)}
	case port:
		return port{other(v.tail, by), other(v.head, by)}
	case tuple:
		list := make(tuple, len(v))
		for i, x := range v {
			list[i] = renamedValue(x, by)
		}
		return list
	case fixed:
		return fixed{v.seq.renamed(by)}
	case count:
		c := count{base: v.base, adds: v.adds}
		for _, w := range v.ways {
			c.ways = append(c.ways, w.renamed(by))
		}
		return c
	}
	return v
}

func (s *seq) renamed(by map[Term]Term) *seq {
	t := &seq{}
	for _, x := range s.items {
		y := item{value: renamedValue(x.value, by)}
		for _, w := range x.bag {
			y.bag = append(y.bag, w.renamed(by))
		}
		t.items = append(t.items, y)
	}
	return t
}

func (w way) renamed(by map[Term]Term) way {
	r := way{when: w.when.renamed(by), value: renamedValue(w.value, by)}
	for _, v := range w.vars {
		r.vars = append(r.vars, v.renamed(by))
	}
	return r
}

// exists returns the condition that the way makes an element.
func (w way) exists() *Condition { return exists(w.vars, w.when) }
