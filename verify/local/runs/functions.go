package runs

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// This file has calls, functions and attributes.

// predeclared are the functions that a program can use.
var predeclared = strings.Fields("abs all any bool enumerate fail len list max min range reversed tuple zip " +
	"ports neighbours switches has distance productive depth spread parents children below")

// call evaluates a call of a function, of append, or of a table.
func (m *machine) call(s *state, frame int, x *syntax.CallExpr) []result {
	if dot, ok := x.Fn.(*syntax.DotExpr); ok {
		return then(m.eval(s, frame, dot.X), func(s *state, of any) []result {
			return then(m.evalAll(s, frame, x.Args), func(s *state, v any) []result { return m.method(s, x, of, dot.Name.Name, v.([]any)) })
		})
	}
	return then(m.eval(s, frame, x.Fn), func(s *state, f any) []result {
		return then(m.evalAll(s, frame, x.Args), func(s *state, v any) []result { return m.apply(s, x, f, v.([]any)) })
	})
}

// method calls list.append, or reads a table of a switch.
func (m *machine) method(s *state, x syntax.Node, of any, name string, args []any) []result {
	switch of := of.(type) {
	case ref:
		if name != "append" || len(args) != 1 {
			break
		}
		if s.frozen[int(of)] {
			return fails(s, x, "a list of the top level, within another list, or in a loop over it, is changed")
		}
		return done(s.extend(int(of), listOf(args)), nil)
	case fixed:
		return fails(s, x, "a change of a list within another list of unknown length is not supported")
	case vertex:
		return m.table(s, x, of, name, args)
	}
	return fails(s, x, "the method %s is not supported", name)
}

// apply calls a function.
func (m *machine) apply(s *state, x syntax.Node, f any, args []any) []result {
	switch f := f.(type) {
	case builtin:
		return m.builtin(s, x, string(f), args)
	case *closure:
		if len(args) != len(f.def.Params) {
			return fails(s, x, "%s takes %d arguments, not %d", f.def.Name.Name, len(f.def.Params), len(args))
		}
		if slices.Contains(m.calls, f.def.Name.Name) {
			return fails(s, x, "%s calls itself, which is not supported", f.def.Name.Name)
		}
		m.calls = append(m.calls, f.def.Name.Name)
		defer func() { m.calls = m.calls[:len(m.calls)-1] }()
		names := assigned(f.def.Body)
		for _, p := range f.def.Params {
			id, ok := p.(*syntax.Ident)
			if !ok {
				return fails(s, x, "a parameter that is not supported")
			}
			names[id.Name] = true
		}
		frame := m.open(f.frame, names)
		for i, p := range f.def.Params {
			s = s.with(frame, p.(*syntax.Ident).Name, args[i])
		}
		return then(ends(m.block(s, frame, f.def.Body), goesOn), func(s *state, v any) []result { return done(s, v) })
	}
	return fails(s, x, "a value of this type cannot be called")
}

// newBag continues with a list of all neighbours of a switch, or of all switches, that satisfy a condition.
func (m *machine) newBag(s *state, of Term, free bool, when func(Term) *Condition, value func(Term) any) []result {
	t := m.fresh()
	s, l := m.newList(s, &seq{[]item{{bag: []way{{[]Var{{t, of, free}}, when(t), value(t)}}}}})
	return done(s, l)
}

// arities are the numbers of arguments of functions with a fixed one.
var arities = map[string]int{"abs": 1, "all": 1, "any": 1, "bool": 1, "enumerate": 1, "len": 1, "list": 1, "reversed": 1, "tuple": 1, "zip": 2, "ports": 1,
	"neighbours": 1, "switches": 0, "has": 2, "distance": 2, "productive": 2, "depth": 1, "spread": 1, "parents": 1, "children": 1, "below": 2}

func (m *machine) builtin(s *state, x syntax.Node, name string, a []any) []result {
	if k, ok := arities[name]; ok && k != len(a) {
		return fails(s, x, "%s takes %d arguments, not %d", name, k, len(a))
	}
	switch name {
	case "abs":
		return then(m.less(s, x, a[0], int64(0)), func(s *state, v any) []result {
			if v.(bool) {
				return m.arithmetic(s, x, syntax.MINUS, int64(0), a[0])
			}
			return done(s, a[0])
		})
	case "bool":
		return m.truth(s, x, a[0])
	case "fail":
		return fails(s, x, "the program calls fail")
	case "range":
		return m.numbers(s, x, a)
	case "min", "max":
		return m.extreme(s, x, name, a)
	case "any", "all", "len", "list", "tuple", "reversed", "enumerate", "zip":
		return m.ofList(s, x, name, a)
	}
	return m.ofNetwork(s, x, name, a)
}

// ofNetwork has the functions about switches.
func (m *machine) ofNetwork(s *state, x syntax.Node, name string, a []any) []result {
	var terms []Term
	for i, v := range a {
		u, ok := v.(vertex)
		if !ok && !(name == "has" && i == 1) {
			return fails(s, x, "%s of a value that is not a switch", name)
		}
		terms = append(terms, u.Term)
	}
	every := func(Term) *Condition { return yes }
	asSwitch := func(t Term) any { return vertex{t} }
	parent := func(of, t Term) *Condition {
		return all(holds("below", of, t), equal(integer("depth", of), integer("depth", t).times(1, Sum{Number: 1}, 1)))
	}
	switch name {
	case "ports":
		return m.newBag(s, terms[0], false, every, func(t Term) any { return port{terms[0], t} })
	case "neighbours":
		return m.newBag(s, terms[0], false, every, asSwitch)
	case "switches":
		return m.newBag(s, 0, true, every, asSwitch)
	case "productive":
		nearer := func(t Term) *Condition {
			return atLeast(integer("distance", terms[0], terms[1]).times(1, integer("distance", t, terms[1]), -1).times(1, Sum{Number: 1}, -1))
		}
		return m.newBag(s, terms[0], false, nearer, func(t Term) any { return port{terms[0], t} })
	case "parents":
		return m.newBag(s, terms[0], false, func(t Term) *Condition { return parent(terms[0], t) }, asSwitch)
	case "children":
		return m.newBag(s, terms[0], false, func(t Term) *Condition { return parent(t, terms[0]) }, asSwitch)
	case "distance", "depth", "spread":
		return done(s, valueOf(integer(name, terms...), 1))
	case "below":
		return m.either(s, holds(name, terms...))
	case "has":
		if attribute, ok := a[1].(string); !ok || !m.attrs(attribute) {
			return fails(s, x, "has of an attribute that the program does not read is not supported")
		}
		return done(s, true)
	}
	return fails(s, x, "%s is not supported", name)
}

// attribute continues with v.name.
func (m *machine) attribute(s *state, x syntax.Node, v any, name string) []result {
	switch v := v.(type) {
	case vertex:
		switch name {
		case "id":
			return done(s, valueOf(integer("id", v.Term), 1))
		case "name", "append":
		default:
			return done(s, valueOf(integer("."+name, v.Term), 1))
		}
	case port:
		switch name {
		case "to":
			return done(s, vertex{v.head})
		case "back":
			return done(s, port{v.head, v.tail})
		case "number":
			return done(s, valueOf(integer("port", v.tail, v.head), 1))
		}
	case arrival:
		switch {
		case m.pure:
			return fails(s, x, "a condition on how a packet arrived is not supported")
		case name == "vc":
			return done(s, int64(max(0, m.vc)))
		case (name == "port" || name == "prev") && m.created:
			return done(s, nil)
		case name == "port":
			return done(s, port{Cur, Prev})
		case name == "prev":
			return done(s, vertex{Prev})
		}
	}
	return fails(s, x, "the attribute %s is not supported here", name)
}

// table continues with u.name(arguments): switches, then known numbers, which belong to the name.
func (m *machine) table(s *state, x syntax.Node, u vertex, name string, args []any) []result {
	terms := []Term{u.Term}
	var numbers []string
	for _, a := range args {
		switch a := a.(type) {
		case vertex:
			if len(numbers) > 0 {
				return fails(s, x, "a switch after a number in %s", name)
			}
			terms = append(terms, a.Term)
		case int64:
			numbers = append(numbers, decimal(a))
		default:
			return fails(s, x, "an argument of %s that is no switch and no known number is not supported", name)
		}
	}
	if len(args) == 0 || len(args) > 4 {
		return fails(s, x, "%s with %d arguments; a table has 1 to 4", name, len(args))
	}
	return done(s, valueOf(integer("."+name+"("+strings.Join(numbers, ",")+")", terms...), 1))
}

// numbers continues with range(...).
func (m *machine) numbers(s *state, x syntax.Node, a []any) []result {
	bounds := []int64{0, 0, 1}
	for i, v := range a {
		k, ok := v.(int64)
		if !ok || len(a) > 3 {
			return fails(s, x, "a range whose bounds are not known is not supported")
		}
		if len(a) == 1 {
			i = 1
		}
		bounds[i] = k
	}
	var list []any
	for k := bounds[0]; bounds[2] > 0 && k < bounds[1] || bounds[2] < 0 && k > bounds[1]; k += bounds[2] {
		if list = append(list, k); len(list) > mostWork {
			return fails(s, x, "a range of more than %d numbers", mostWork)
		}
	}
	if bounds[2] == 0 || len(a) == 0 {
		return fails(s, x, "a range with step 0")
	}
	s, l := m.newList(s, listOf(list))
	return done(s, l)
}

// extreme continues with the least or greatest of several values.
func (m *machine) extreme(s *state, x syntax.Node, name string, a []any) []result {
	if len(a) == 1 {
		list, ok := m.contents(s, a[0])
		if !ok || !list.known() {
			return fails(s, x, "%s of an unknown number of elements is not supported", name)
		}
		a = list.values()
	}
	if len(a) == 0 {
		return fails(s, x, "%s of nothing", name)
	}
	out := done(s, a[0])
	for _, v := range a[1:] {
		out = then(out, func(s *state, best any) []result {
			p, q := v, best
			if name == "max" {
				p, q = best, v
			}
			return then(m.less(s, x, p, q), func(s *state, b any) []result {
				if b.(bool) {
					return done(s, v)
				}
				return done(s, best)
			})
		})
	}
	return out
}

// ofList has the functions on lists.
func (m *machine) ofList(s *state, x syntax.Node, name string, a []any) []result {
	list, ok := m.contents(s, a[0])
	if text, isText := a[0].(string); isText && name == "len" {
		return done(s, int64(len(text)))
	}
	if !ok {
		return fails(s, x, "%s of a value that is not a list", name)
	}
	made := func(items []item) []result {
		s, l := m.newList(s, &seq{items})
		return done(s, l)
	}
	switch name {
	case "any", "all":
		wanted := name == "any"
		found := m.anyElement(s, list.items, func(s *state, v any) []result {
			return then(m.truth(s, x, v), func(s *state, b any) []result { return done(s, b.(bool) == wanted) })
		})
		return then(found, func(s *state, v any) []result { return done(s, v.(bool) == wanted) })
	case "list":
		return made(list.items)
	case "reversed":
		items := slices.Clone(list.items)
		slices.Reverse(items)
		return made(items)
	case "len":
		ways, others := list.ways()
		if list.known() {
			return done(s, others)
		}
		return done(s, count{others, ways, slices.Repeat([]int64{1}, len(ways)), a[0]})
	}
	if !list.known() {
		return fails(s, x, "%s of a list with an unknown number of elements is not supported", name)
	}
	values := list.values()
	switch name {
	case "tuple":
		return done(s, tuple(values))
	case "enumerate":
		for i, v := range values {
			values[i] = tuple{int64(i), v}
		}
	case "zip":
		more, ok := m.contents(s, a[1])
		if !ok || !more.known() {
			return fails(s, x, "zip of a list with an unknown number of elements is not supported")
		}
		second := more.values()
		values = values[:min(len(values), len(second))]
		for i, v := range values {
			values[i] = tuple{v, second[i]}
		}
	}
	return made(listOf(values).items)
}
