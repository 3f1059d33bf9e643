package runs

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// This file executes loops and comprehensions over bags.

// turn is a way in which the body of a loop over a bag ends, for the elements at its terms that satisfy its condition.
type turn struct {
	vars    []Var
	when    *Condition
	value   any
	how     ending
	effects []effect
	finals  map[string]any // names that the body has assigned
}

func (t *turn) exists() *Condition { return exists(t.vars, t.when) }

// bodies are the turns of a loop, and what its bodies do to lists.
type bodies struct {
	turns    []turn
	failures []failure
	reads    map[int]bool // lists that a body reads
	frozen   map[int]bool // lists that a value of a turn contains
}

// failure is an error of a body, for elements that exist where some holds.
type failure struct {
	some *Condition
	err  error
}

// turns executes a body for an unknown element of each way of a bag, and continues with all its turns. Elements for which the body fails make the
// whole case fail, where there are any.
func (m *machine) turns(s *state, bag []way, body func(*state, any) []result, finals func(*state) map[string]any, next func(*state, []turn) []result) []result {
	b := &bodies{reads: map[int]bool{}, frozen: map[int]bool{}}
	mark := m.lists
	for _, w := range bag {
		m.execute(s, m.fresher(w), mark, body, finals, b)
	}
	s = s.fork()
	for l := range b.frozen {
		s = s.freeze(l)
	}
	for l := range b.reads {
		s.noteRead(l)
	}
	for _, t := range b.turns {
		for _, e := range t.effects {
			if b.reads[e.list] || b.frozen[e.list] {
				return fails(s, nil, "a loop over an unknown number of elements appends to a list that it also reads, which is not supported")
			}
		}
	}
	var check func(s *state, k int) []result
	check = func(s *state, k int) []result {
		if k == len(b.failures) {
			return next(s, b.turns)
		}
		return m.split(s, b.failures[k].some, func(s *state, failed bool) []result {
			if failed {
				return []result{{state: s, err: b.failures[k].err}}
			}
			return check(s, k+1)
		})
	}
	return check(s, 0)
}

// execute adds to b the turns of a body for an unknown element of a way. mark is the number of lists before the loop.
func (m *machine) execute(s *state, w way, mark int, body func(*state, any) []result, finals func(*state) map[string]any, b *bodies) {
	in := s.fork()
	in.inner, in.mark, in.effects, in.reads = true, mark, nil, b.reads
	for _, c := range []*Condition{where(w.vars), w.when} {
		if in != nil {
			in = in.assume(c)
		}
	}
	if in == nil {
		return
	}
	for _, r := range body(in, w.value) {
		t := turn{vars: w.vars, when: all(append([]*Condition{w.when}, r.known[len(in.known):]...)...), value: r.value, how: r.how}
		if r.err != nil {
			b.failures = append(b.failures, failure{t.exists(), r.err})
			continue
		}
		maps.Copy(b.frozen, r.frozen)
		if finals != nil {
			t.finals = finals(r.state)
		}
		t.value = m.settled(r.state, t.value, b.frozen)
		for name, v := range t.finals {
			t.finals[name] = m.settled(r.state, v, b.frozen)
		}
		for _, e := range r.effects {
			t.effects = append(t.effects, effect{e.list, m.settledSeq(r.state, e.added, b.frozen)})
		}
		b.turns = append(b.turns, t)
	}
}

// fresher returns a way with terms of its own.
func (m *machine) fresher(w way) way {
	by := map[Term]Term{}
	for _, v := range w.vars {
		by[v.Term] = m.fresh()
	}
	return w.renamed(by)
}

// settled returns a value without references to lists, which are frozen.
func (m *machine) settled(s *state, v any, frozen map[int]bool) any {
	switch v := v.(type) {
	case ref:
		frozen[int(v)] = true
		return fixed{m.settledSeq(s, s.lists[int(v)], frozen)}
	case fixed:
		return fixed{m.settledSeq(s, v.seq, frozen)}
	case tuple:
		list := make(tuple, len(v))
		for i, x := range v {
			list[i] = m.settled(s, x, frozen)
		}
		return list
	case *seq:
		return m.settledSeq(s, v, frozen)
	case index:
		return lost("an index of a list of unknown length is used outside of the loop, which is not supported")
	case count:
		v.list = nil
		return v
	}
	return v
}

func (m *machine) settledSeq(s *state, list *seq, frozen map[int]bool) *seq {
	t := &seq{}
	for _, x := range list.items {
		y := item{value: m.settled(s, x.value, frozen)}
		for _, w := range x.bag {
			y.bag = append(y.bag, way{w.vars, w.when, m.settled(s, w.value, frozen)})
		}
		t.items = append(t.items, y)
	}
	return t
}

// loop executes a for statement.
func (m *machine) loop(s *state, frame int, x *syntax.ForStmt, over any) []result {
	contents, ok := m.contents(s, over)
	if !ok {
		return fails(s, x.X, "cannot iterate over a value of this type")
	}
	was := true
	if l, ok := over.(ref); ok {
		was = s.frozen[int(l)]
		s = s.freeze(int(l))
	}
	out := m.items(s, frame, x, contents.items)
	for i, r := range out {
		if l, ok := over.(ref); ok && !was && r.err == nil {
			out[i].state = r.state.fork()
			out[i].frozen = maps.Clone(r.frozen)
			delete(out[i].frozen, int(l))
		}
	}
	return out
}

// items executes the body of a for statement for the rest of a list.
func (m *machine) items(s *state, frame int, x *syntax.ForStmt, list []item) []result {
	if len(list) == 0 {
		return done(s, nil)
	}
	var out, ended []result
	if list[0].bag != nil {
		ended = m.bag(s, frame, x, list[0].bag)
	} else {
		ended = then(m.assign(s, frame, x.Vars, list[0].value), func(s *state, _ any) []result { return m.block(s, frame, x.Body) })
	}
	for _, r := range ended {
		switch {
		case r.err != nil || r.how == returns:
			out = append(out, r)
		case r.how == breaks:
			r.how = goesOn
			out = append(out, r)
		default:
			out = append(out, m.items(r.state, frame, x, list[1:])...)
		}
	}
	m.spend(len(out))
	return out
}

// bag executes the body of a for statement for a bag.
func (m *machine) bag(s *state, frame int, x *syntax.ForStmt, bag []way) []result {
	before := map[string]any{}
	names := assigned([]syntax.Stmt{x})
	inside := s
	for _, name := range slices.Sorted(maps.Keys(names)) {
		at := m.owner(frame, name)
		v, ok := s.frames[at][name]
		if _, isLost := v.(lost); !ok || isLost {
			v = lost("the value of " + name + " after a loop over an unknown number of elements is not supported")
		}
		before[name] = v
		switch v.(type) {
		case int64, count:
			inside = inside.with(at, name, raised{name, 0})
		default:
			inside = inside.with(at, name, lost("the value of "+name+" from another turn of a loop over an unknown number of elements is not supported"))
		}
	}
	start := inside
	finals := func(r *state) map[string]any {
		set := map[string]any{}
		for name, old := range before {
			at := m.owner(frame, name)
			v := r.frames[at][name]
			_, wasLost := old.(lost)
			_, isLost := v.(lost)
			if !wasLost && !isRaised(v, 0) && !(isLost && v == start.frames[at][name]) {
				set[name] = v
			}
		}
		return set
	}
	body := func(in *state, v any) []result {
		return then(m.assign(in, frame, x.Vars, v), func(in *state, _ any) []result { return m.block(in, frame, x.Body) })
	}
	return m.turns(inside, bag, body, finals, func(s *state, list []turn) []result {
		for name, v := range before {
			s = s.with(m.owner(frame, name), name, v)
		}
		return m.after(s, frame, x, before, list)
	})
}

func isRaised(v any, by int64) bool {
	r, ok := v.(raised)
	return ok && r.by == by
}

// assigned returns the names to which statements assign.
func assigned(list []syntax.Stmt) map[string]bool {
	names := map[string]bool{}
	var target func(x syntax.Expr)
	target = func(x syntax.Expr) {
		switch x := x.(type) {
		case *syntax.Ident:
			names[x.Name] = true
		case *syntax.ParenExpr:
			target(x.X)
		case *syntax.TupleExpr:
			for _, y := range x.List {
				target(y)
			}
		case *syntax.ListExpr:
			for _, y := range x.List {
				target(y)
			}
		}
	}
	var visit func(list []syntax.Stmt)
	visit = func(list []syntax.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *syntax.DefStmt:
				names[s.Name.Name] = true
			case *syntax.AssignStmt:
				target(s.LHS)
			case *syntax.ForStmt:
				target(s.Vars)
				visit(s.Body)
			case *syntax.IfStmt:
				visit(s.True)
				visit(s.False)
			}
		}
	}
	visit(list)
	return names
}
