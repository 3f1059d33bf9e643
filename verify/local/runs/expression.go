package runs

import (
	"slices"

	"go.starlark.net/syntax"
)

// This file evaluates expressions.

func (m *machine) eval(s *state, frame int, x syntax.Expr) []result {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return m.eval(s, frame, x.X)
	case *syntax.Ident:
		return m.lookup(s, frame, x)
	case *syntax.Literal:
		switch v := x.Value.(type) {
		case int64, string:
			return done(s, v)
		}
		return fails(s, x, "a literal that is not supported")
	case *syntax.ListExpr:
		return then(m.evalAll(s, frame, x.List), func(s *state, v any) []result {
			s, l := m.newList(s, listOf(v.([]any)))
			return done(s, l)
		})
	case *syntax.TupleExpr:
		return then(m.evalAll(s, frame, x.List), func(s *state, v any) []result { return done(s, tuple(v.([]any))) })
	case *syntax.CondExpr:
		return then(m.test(s, frame, x.Cond), func(s *state, v any) []result {
			if v.(bool) {
				return m.eval(s, frame, x.True)
			}
			return m.eval(s, frame, x.False)
		})
	case *syntax.UnaryExpr:
		return m.unary(s, frame, x)
	case *syntax.BinaryExpr:
		return m.binary(s, frame, x)
	case *syntax.IndexExpr:
		return then(m.evalAll(s, frame, []syntax.Expr{x.X, x.Y}), func(s *state, v any) []result { return m.element(s, x, v.([]any)[0], v.([]any)[1]) })
	case *syntax.DotExpr:
		return then(m.eval(s, frame, x.X), func(s *state, v any) []result { return m.attribute(s, x, v, x.Name.Name) })
	case *syntax.CallExpr:
		return m.call(s, frame, x)
	case *syntax.Comprehension:
		return m.comprehension(s, frame, x)
	}
	return fails(s, x, "an expression that is not supported")
}

// evalAll evaluates expressions in order. The value is a []any.
func (m *machine) evalAll(s *state, frame int, list []syntax.Expr) []result {
	out := done(s, []any(nil))
	for _, x := range list {
		out = then(out, func(s *state, before any) []result {
			return then(m.eval(s, frame, x), func(s *state, v any) []result { return done(s, append(slices.Clip(before.([]any)), v)) })
		})
	}
	return out
}

func (m *machine) lookup(s *state, frame int, x *syntax.Ident) []result {
	if at := m.owner(frame, x.Name); at >= 0 {
		v, ok := s.frames[at][x.Name]
		if why, isLost := v.(lost); isLost {
			return fails(s, x, "%s", string(why))
		}
		if !ok {
			return fails(s, x, "%s has no value", x.Name)
		}
		return done(s, v)
	}
	if v, ok := m.defaults[x.Name]; ok {
		return done(s, v)
	}
	return fails(s, x, "%s is not supported", x.Name)
}

// contents returns the elements of a list or tuple.
func (m *machine) contents(s *state, v any) (*seq, bool) {
	switch v := v.(type) {
	case ref:
		s.noteRead(int(v))
		return s.lists[int(v)], true
	case fixed:
		return v.seq, true
	case tuple:
		return listOf(v), true
	}
	return nil, false
}

// truth continues with the truth of a value.
func (m *machine) truth(s *state, x syntax.Node, v any) []result {
	switch v := v.(type) {
	case nil:
		return done(s, false)
	case bool:
		return done(s, v)
	case int64:
		return done(s, v != 0)
	case string:
		return done(s, v != "")
	case *quotient:
		return m.either(s, not(equal(v.Sum, Sum{})))
	case count:
		return then(m.countIs(s, x, v, 0), func(s *state, zero any) []result { return done(s, !zero.(bool)) })
	case ref, fixed, tuple:
		list, _ := m.contents(s, v)
		ways, others := list.ways()
		if others > 0 {
			return done(s, true)
		}
		return m.either(s, someOf(ways))
	case index, raised:
		return fails(s, x, "the truth of an unknown index, or of a number that a loop increases, is not supported")
	}
	return done(s, true)
}

// someOf returns the condition that ways make an element.
func someOf(ways []way) *Condition {
	var list []*Condition
	for _, w := range ways {
		list = append(list, w.exists())
	}
	return anyOf(list...)
}

func (m *machine) unary(s *state, frame int, x *syntax.UnaryExpr) []result {
	if x.Op == syntax.NOT {
		return then(m.test(s, frame, x.X), func(s *state, v any) []result { return done(s, !v.(bool)) })
	}
	return then(m.eval(s, frame, x.X), func(s *state, v any) []result {
		if x.Op != syntax.MINUS && x.Op != syntax.PLUS {
			return fails(s, x, "operator %s is not supported", x.Op)
		}
		return m.arithmetic(s, x, x.Op, int64(0), v)
	})
}

func (m *machine) binary(s *state, frame int, x *syntax.BinaryExpr) []result {
	if x.Op == syntax.AND || x.Op == syntax.OR {
		return then(m.eval(s, frame, x.X), func(s *state, left any) []result {
			return then(m.truth(s, x, left), func(s *state, b any) []result {
				if b.(bool) == (x.Op == syntax.OR) {
					return done(s, left)
				}
				return m.eval(s, frame, x.Y)
			})
		})
	}
	negated := func(list []result) []result {
		return then(list, func(s *state, v any) []result { return done(s, !v.(bool)) })
	}
	return then(m.evalAll(s, frame, []syntax.Expr{x.X, x.Y}), func(s *state, v any) []result {
		a, b := v.([]any)[0], v.([]any)[1]
		switch x.Op {
		case syntax.EQL:
			return m.same(s, x, a, b)
		case syntax.NEQ:
			return negated(m.same(s, x, a, b))
		case syntax.LT:
			return m.less(s, x, a, b)
		case syntax.GT:
			return m.less(s, x, b, a)
		case syntax.LE:
			return negated(m.less(s, x, b, a))
		case syntax.GE:
			return negated(m.less(s, x, a, b))
		case syntax.IN:
			return m.within(s, x, a, b)
		case syntax.NOT_IN:
			return negated(m.within(s, x, a, b))
		}
		return m.arithmetic(s, x, x.Op, a, b)
	})
}

// same continues with a == b.
func (m *machine) same(s *state, x syntax.Node, a, b any) []result {
	p, okA := numberOf(a)
	q, okB := numberOf(b)
	if okA && okB {
		return m.either(s, equal(p.Sum.times(q.by, Sum{}, 0), q.Sum.times(p.by, Sum{}, 0)))
	}
	if c, ok := a.(count); ok {
		if k, ok := b.(int64); ok {
			return m.countIs(s, x, c, k)
		}
	}
	if c, ok := b.(count); ok {
		if k, ok := a.(int64); ok {
			return m.countIs(s, x, c, k)
		}
	}
	for _, v := range []any{a, b} {
		switch v.(type) {
		case count, raised, index:
			return fails(s, x, "an unknown number of elements is compared with another value than a known number, which is not supported")
		case arrival, ejection, builtin, *closure:
			return fails(s, x, "these values cannot be compared")
		}
	}
	switch u := a.(type) {
	case vertex:
		v, ok := b.(vertex)
		if !ok {
			return done(s, false)
		}
		return m.either(s, sameSwitch(u.Term, v.Term))
	case port:
		v, ok := b.(port)
		if !ok {
			return done(s, false)
		}
		return m.either(s, samePort(u, v))
	case tuple, ref, fixed:
		return m.sameLists(s, x, a, b)
	case nil, bool, string:
		switch b.(type) {
		case nil, bool, string:
			return done(s, a == b)
		}
	}
	return done(s, false)
}

func samePort(a, b port) *Condition {
	if a == b {
		return yes
	}
	return all(sameSwitch(a.tail, b.tail), sameSwitch(a.head, b.head), equal(integer("port", a.tail, a.head), integer("port", b.tail, b.head)))
}

func (m *machine) sameLists(s *state, x syntax.Node, a, b any) []result {
	_, tupleA := a.(tuple)
	_, tupleB := b.(tuple)
	p, _ := m.contents(s, a)
	q, ok := m.contents(s, b)
	if !ok || tupleA != tupleB {
		return done(s, false)
	}
	if !p.known() || !q.known() {
		return fails(s, x, "lists with an unknown number of elements are compared, which is not supported")
	}
	if len(p.items) != len(q.items) {
		return done(s, false)
	}
	out := done(s, true)
	for i := range p.items {
		out = then(out, func(s *state, v any) []result {
			if !v.(bool) {
				return done(s, false)
			}
			return m.same(s, x, p.items[i].value, q.items[i].value)
		})
	}
	return out
}

// less continues with a < b.
func (m *machine) less(s *state, x syntax.Node, a, b any) []result {
	if c, ok := a.(count); ok {
		if k, ok := b.(int64); ok {
			return then(m.countReaches(s, x, c, k), func(s *state, v any) []result { return done(s, !v.(bool)) })
		}
	}
	if c, ok := b.(count); ok {
		if k, ok := a.(int64); ok {
			return m.countReaches(s, x, c, k+1)
		}
	}
	p, okA := numberOf(a)
	q, okB := numberOf(b)
	if !okA || !okB {
		return fails(s, x, "the order of these values is not supported; known are integers, and lengths compared with a number")
	}
	return m.either(s, atLeast(q.Sum.times(p.by, p.Sum, -q.by).times(1, Sum{Number: 1}, -1)))
}

// countReaches continues with whether a count is k or more.
func (m *machine) countReaches(s *state, x syntax.Node, c count, k int64) []result {
	if k <= c.base {
		return done(s, true)
	}
	least := int64(mostNumber)
	for _, add := range c.adds {
		least = min(least, c.base+add)
	}
	return m.split(s, someOf(c.ways), func(s *state, some bool) []result {
		if !some || k <= least {
			return done(s, some)
		}
		if why := m.chooses(s); why != "" {
			return fails(s, x, "%s", why)
		}
		return append(done(s, true), done(s, false)...)
	})
}

// countIs continues with whether a count is k.
func (m *machine) countIs(s *state, x syntax.Node, c count, k int64) []result {
	return then(m.countReaches(s, x, c, k), func(s *state, v any) []result {
		if !v.(bool) {
			return done(s, false)
		}
		return then(m.countReaches(s, x, c, k+1), func(s *state, v any) []result { return done(s, !v.(bool)) })
	})
}

// within continues with a in b.
func (m *machine) within(s *state, x syntax.Node, a, b any) []result {
	list, ok := m.contents(s, b)
	if !ok {
		return fails(s, x, "cannot look for an element in a value of this type")
	}
	if u, ok := a.(vertex); ok {
		if c := membership(list, u); c != nil {
			return m.either(s, c)
		}
	}
	return m.anyElement(s, list.items, func(s *state, v any) []result { return m.same(s, x, v, a) })
}

// membership returns the condition that a switch is in a list of all neighbours of a switch, or of all switches. It returns nil for other lists.
func membership(list *seq, u vertex) *Condition {
	if len(list.items) != 1 || len(list.items[0].bag) != 1 {
		return nil
	}
	w := list.items[0].bag[0]
	if len(w.vars) != 1 || !w.when.isYes() || !isVertex(w.value, w.vars[0].Term) {
		return nil
	}
	if w.vars[0].Free {
		return yes
	}
	return holds("linked", w.vars[0].Of, u.Term)
}

func isVertex(v any, t Term) bool {
	u, ok := v.(vertex)
	return ok && u.Term == t
}

// anyElement continues with whether a test is true of some element.
func (m *machine) anyElement(s *state, items []item, test func(*state, any) []result) []result {
	if len(items) == 0 {
		return done(s, false)
	}
	rest := func(s *state, v any) []result {
		if v.(bool) {
			return done(s, true)
		}
		return m.anyElement(s, items[1:], test)
	}
	if items[0].bag == nil {
		return then(test(s, items[0].value), rest)
	}
	return m.turns(s, items[0].bag, test, nil, func(s *state, list []turn) []result {
		var some []*Condition
		for _, t := range list {
			if t.value.(bool) {
				some = append(some, t.exists())
			}
		}
		return then(m.either(s, anyOf(some...)), rest)
	})
}

// element continues with list[at].
func (m *machine) element(s *state, x syntax.Node, list, at any) []result {
	contents, ok := m.contents(s, list)
	if !ok {
		return fails(s, x, "a value of this type has no elements")
	}
	k, isNumber := at.(int64)
	if contents.known() {
		n := int64(len(contents.items))
		if isNumber && k < 0 {
			k += n
		}
		if !isNumber || k < 0 || k >= n {
			return fails(s, x, "an index that is not a known number within the list")
		}
		return done(s, contents.items[k].value)
	}
	i, isIndex := at.(index)
	switch {
	case isNumber && k == 0:
		return m.first(s, x, contents.items)
	case isNumber && k == -1:
		items := slices.Clone(contents.items)
		slices.Reverse(items)
		return m.first(s, x, items)
	case isIndex && sameList(i.list, list):
		var out []result
		for _, it := range contents.items {
			out = append(out, m.first(s, x, []item{it})...)
		}
		return m.withoutEmpty(out)
	}
	return fails(s, x, "an index of a list of unknown length is 0, -1, or a number %% len of the list")
}

func sameList(a, b any) bool {
	p, okA := a.(ref)
	q, okB := b.(ref)
	return okA && okB && p == q
}

// emptyList is the error of a case in which a list has no first element.
const emptyList = "an element of an empty list"

// withoutEmpty leaves out the cases in which a part of a list has no element, because another part has one.
func (m *machine) withoutEmpty(list []result) []result {
	some := slices.ContainsFunc(list, func(r result) bool { return r.err == nil })
	return slices.DeleteFunc(list, func(r result) bool { return some && r.err != nil && isEmpty(r.err) })
}

// first continues with the first element of a list.
func (m *machine) first(s *state, x syntax.Node, items []item) []result {
	if len(items) == 0 {
		return []result{{state: s, err: errEmpty{x}}}
	}
	if items[0].bag == nil {
		return done(s, items[0].value)
	}
	var list []turn
	for _, w := range items[0].bag {
		list = append(list, turn{vars: w.vars, when: w.when, value: w.value})
	}
	return m.oneOf(s, x, list, func(s *state, v any, found bool) []result {
		if found {
			return done(s, v)
		}
		return m.first(s, x, items[1:])
	})
}

// comprehension continues with the list of a comprehension.
func (m *machine) comprehension(s *state, frame int, x *syntax.Comprehension) []result {
	if x.Curly {
		return fails(s, x, "a dictionary is not supported")
	}
	var targets []syntax.Stmt
	for _, c := range x.Clauses {
		if c, ok := c.(*syntax.ForClause); ok {
			targets = append(targets, &syntax.ForStmt{Vars: c.Vars})
		}
	}
	inner := m.open(frame, assigned(targets))
	return then(m.clauses(s, frame, inner, x, 0), func(s *state, v any) []result {
		s, l := m.newList(s, v.(*seq))
		return done(s, l)
	})
}

// clauses continues with the elements that the clauses of a comprehension from k on make, a *seq. The first list is evaluated outside.
func (m *machine) clauses(s *state, outside, frame int, x *syntax.Comprehension, k int) []result {
	if k == len(x.Clauses) {
		return then(m.eval(s, frame, x.Body), func(s *state, v any) []result { return done(s, listOf([]any{v})) })
	}
	if c, ok := x.Clauses[k].(*syntax.IfClause); ok {
		return then(m.test(s, frame, c.Cond), func(s *state, v any) []result {
			if !v.(bool) {
				return done(s, &seq{})
			}
			return m.clauses(s, frame, frame, x, k+1)
		})
	}
	c := x.Clauses[k].(*syntax.ForClause)
	body := func(s *state, v any) []result {
		return then(m.assign(s, frame, c.Vars, v), func(s *state, _ any) []result { return m.clauses(s, frame, frame, x, k+1) })
	}
	return then(m.eval(s, outside, c.X), func(s *state, over any) []result {
		list, ok := m.contents(s, over)
		if !ok {
			return fails(s, c.X, "cannot iterate over a value of this type")
		}
		out := done(s, &seq{})
		for _, it := range list.items {
			out = then(out, func(s *state, before any) []result {
				join := func(s *state, more any) []result {
					return done(s, &seq{slices.Concat(before.(*seq).items, more.(*seq).items)})
				}
				if it.bag == nil {
					return then(body(s, it.value), join)
				}
				return then(m.turns(s, it.bag, body, nil, m.made), join)
			})
		}
		return out
	})
}

// made continues with a bag of what the turns of a comprehension make.
func (m *machine) made(s *state, list []turn) []result {
	var bag []way
	for _, t := range list {
		if len(t.effects) > 0 {
			return fails(s, nil, "a change of a list within a comprehension is not supported")
		}
		bag = append(bag, t.ways(t.value.(*seq))...)
	}
	if len(bag) == 0 {
		return done(s, &seq{})
	}
	return done(s, &seq{[]item{{bag: bag}}})
}
