package everysize

// This file executes statements and evaluates expressions.
//
// A case that Starlark would refuse ends the run with an error. So does a case that is not
// supported. An obligation shows later that no packet takes a run that ends with an error.

// load runs the top level of the program and returns its scope.
func (m *machine) load() *scope {
	s := &scope{names: m.global, values: map[string]any{}}
	m.execute(m.list, s)
	for _, v := range s.values {
		freeze(v)
	}
	return s
}

// execute runs statements. The value is that of a return statement.
func (m *machine) execute(list []*stmt, s *scope) (signal, any) {
	for _, x := range list {
		m.spend(1)
		if how, v := m.step(x, s); how != goesOn {
			return how, v
		}
	}
	return goesOn, nil
}

func (m *machine) step(x *stmt, s *scope) (signal, any) {
	m.line = x.line
	switch x.kind {
	case "def":
		s.values[x.name] = &function{x, s}
	case "return":
		if x.value == nil {
			return returns, nil
		}
		return returns, m.eval(x.value, s)
	case "if":
		if m.truth(m.eval(x.value, s)) {
			return m.execute(x.body, s)
		}
		return m.execute(x.other, s)
	case "for":
		return m.loop(x, s)
	case "assign":
		v := m.eval(x.value, s)
		if x.op != "" {
			v = m.augmented(x.op, m.eval(x.target, s), v)
		}
		m.assign(x.target, v, s)
	case "set":
		m.set(m.eval(x.target.args[0], s), m.eval(x.target.args[1], s), m.eval(x.value, s))
	case "call":
		m.eval(x.value, s)
	case "break":
		return breaks, nil
	case "continue":
		return continues, nil
	}
	return goesOn, nil
}

// loop runs a for statement. A list does not change while a loop runs over it.
func (m *machine) loop(x *stmt, s *scope) (how signal, v any) {
	over := m.eval(x.value, s)
	m.iterate(over, func(item any) bool {
		if g, ok := item.(group); ok {
			how, v = m.genericLoop(x, g, over, s)
			return how == goesOn
		}
		m.assign(x.target, item, s)
		how, v = m.execute(x.body, s)
		return how == goesOn || how == continues
	})
	if how == returns {
		return returns, v
	}
	return goesOn, nil
}

func (m *machine) assign(target *expr, v any, s *scope) {
	if target.kind == "name" {
		s.find(target.text).values[target.text] = v
		return
	}
	items, ok := elements(v)
	if !ok || len(items) != len(target.args) {
		fail("line %d: cannot assign to %d names", target.line, len(target.args))
	}
	for i, t := range target.args {
		m.assign(t, items[i], s)
	}
}

// eval returns the value of an expression.
func (m *machine) eval(x *expr, s *scope) any {
	m.spend(1)
	switch x.kind {
	case "name":
		return m.lookup(x, s)
	case "number":
		return x.number
	case "text":
		return x.text
	case "list":
		return &list{items: m.evalAll(x.args, s)}
	case "tuple":
		return tuple(m.evalAll(x.args, s))
	case "each":
		return m.comprehension(x, s)
	case "if":
		if m.truth(m.eval(x.args[0], s)) {
			return m.eval(x.args[1], s)
		}
		return m.eval(x.args[2], s)
	case "and", "or":
		v := m.eval(x.args[0], s)
		if m.truth(v) == (x.kind == "or") {
			return v
		}
		return m.eval(x.args[1], s)
	case "not":
		return !m.truth(m.eval(x.args[0], s))
	case "dot":
		return m.attribute(m.eval(x.args[0], s), x.text)
	case "call":
		return m.call(x, s)
	}
	return m.operate(x.kind, m.evalAll(x.args, s))
}

func (m *machine) evalAll(list []*expr, s *scope) []any {
	values := make([]any, len(list))
	for i, x := range list {
		values[i] = m.eval(x, s)
	}
	return values
}

// lookup returns the value of a name.
func (m *machine) lookup(x *expr, s *scope) any {
	if at := s.find(x.text); at != nil {
		v, ok := at.values[x.text]
		if !ok {
			fail("line %d: %s has no value yet", x.line, x.text)
		}
		return v
	}
	if v, ok := m.predeclared[x.text]; ok {
		return v
	}
	fail("line %d: no name %s", x.line, x.text)
	return nil
}

// comprehension returns the list of a comprehension. The first list is evaluated outside of its scope.
func (m *machine) comprehension(x *expr, s *scope) any {
	inner := &scope{names: map[string]bool{}, values: map[string]any{}, outer: s}
	for _, c := range x.each {
		if c.target != nil {
			bindTarget(inner.names, c.target)
		}
	}
	made := &list{}
	var visit func(i int)
	visit = func(i int) {
		if i == len(x.each) {
			made.items = append(made.items, m.eval(x.args[0], inner))
			return
		}
		c := x.each[i]
		if c.target == nil {
			if m.truth(m.eval(c.from, inner)) {
				visit(i + 1)
			}
			return
		}
		from := inner
		if i == 0 {
			from = s
		}
		m.iterate(m.eval(c.from, from), func(item any) bool {
			if g, ok := item.(group); ok {
				m.genericItems(g, inner, made, func(v any) *list {
					outside := made
					defer func() { made = outside }()
					made = &list{}
					m.assign(c.target, v, inner)
					visit(i + 1)
					return made
				})
				return true
			}
			m.assign(c.target, item, inner)
			visit(i + 1)
			return true
		})
	}
	visit(0)
	return made
}

// call calls a function, or the method append of a list.
func (m *machine) call(x *expr, s *scope) any {
	if f := x.args[0]; f.kind == "dot" && f.text == "append" {
		l, ok := m.eval(f.args[0], s).(*list)
		if !ok || len(x.args) != 2 {
			fail("line %d: append adds one element to a list", x.line)
		}
		v := m.eval(x.args[1], s)
		m.add(l, v)
		return nil
	}
	if f := x.args[0]; f.kind == "dot" && m.net != nil {
		if u, ok := m.eval(f.args[0], s).(node); ok {
			return m.table(u, f.text, m.evalAll(x.args[1:], s))
		}
	}
	f := m.eval(x.args[0], s)
	return m.apply(f, m.evalAll(x.args[1:], s))
}

// apply calls a function of the program or a builtin one. There is no recursion.
func (m *machine) apply(f any, args []any) any {
	switch f := f.(type) {
	case builtin:
		return m.builtin(string(f), args)
	case *function:
		if len(args) != len(f.def.params) {
			fail("%s takes %d arguments, not %d", f.def.name, len(f.def.params), len(args))
		}
		for _, active := range m.calls {
			if active == f.def {
				fail("%s calls itself", f.def.name)
			}
		}
		m.calls = append(m.calls, f.def)
		line := m.line
		inner := &scope{names: f.def.local, values: map[string]any{}, outer: f.outer}
		for i, name := range f.def.params {
			inner.values[name] = args[i]
		}
		_, v := m.execute(f.def.body, inner)
		m.calls, m.line = m.calls[:len(m.calls)-1], line
		return v
	}
	fail("a value of this type cannot be called")
	return nil
}
