package runs

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// This file continues after loops over bags: at an element that ends the loop, or after all elements.

// after continues after all elements of a bag, or at the element that ends the loop.
func (m *machine) after(s *state, frame int, x *syntax.ForStmt, before map[string]any, list []turn) []result {
	var last []turn
	appends, breaking := false, false
	for _, t := range list {
		if t.how == returns || t.how == breaks {
			last = append(last, t)
		}
		breaking = breaking || t.how == breaks
		appends = appends || len(t.effects) > 0
	}
	if len(last) > 0 && appends {
		return fails(s, x, "a loop over an unknown number of elements that appends and returns or breaks is not supported")
	}
	for i, t := range last {
		if t.how == breaks {
			last[i].value = broken{}
		}
	}
	return m.oneOf(s, x, last, func(s *state, v any, found bool) []result {
		_, broke := v.(broken)
		switch {
		case found && !broke:
			return at(ends(done(s, v), returns), x)
		case found:
			s = m.unclear(s, frame, before, list)
			return ends(done(s, nil), breaks)
		}
		return m.finish(s, frame, x, before, list, breaking)
	})
}

// ways returns the ways of the elements that a turn adds to a list.
func (t *turn) ways(added *seq) (list []way) {
	for _, x := range added.items {
		if x.bag == nil {
			list = append(list, way{t.vars, t.when, x.value})
		}
		for _, w := range x.bag {
			list = append(list, way{slices.Concat(t.vars, w.vars), all(t.when, w.when), w.value})
		}
	}
	return list
}

// broken is the value of a turn that breaks.
type broken struct{}

// unclear makes all names that some turn assigns unusable.
func (m *machine) unclear(s *state, frame int, before map[string]any, list []turn) *state {
	for name := range before {
		if slices.ContainsFunc(list, func(t turn) bool { _, ok := t.finals[name]; return ok && t.how != returns }) {
			s = s.with(m.owner(frame, name), name, lost("the value of "+name+" after a loop with break over an unknown number of elements is not supported"))
		}
	}
	return s
}

// finish continues after a loop that visits all elements.
func (m *machine) finish(s *state, frame int, x *syntax.ForStmt, before map[string]any, list []turn, breaking bool) []result {
	out := done(s, nil)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		out = then(out, func(s *state, _ any) []result { return m.settleName(s, frame, name, before[name], list, breaking) })
	}
	return then(out, func(s *state, _ any) []result {
		bags := map[int][]way{}
		var order []int
		for _, t := range list {
			for _, e := range t.effects {
				if bags[e.list] == nil {
					order = append(order, e.list)
				}
				bags[e.list] = append(bags[e.list], t.ways(e.added)...)
			}
		}
		for _, l := range order {
			s = s.extend(l, &seq{[]item{{bag: bags[l]}}})
		}
		return done(s, nil)
	})
}

// settleName gives a name its value after a loop: that of the last turn that assigns it, which is any of them.
func (m *machine) settleName(s *state, frame int, name string, before any, list []turn, breaking bool) []result {
	var sets []turn
	raises := 0
	for _, t := range list {
		v, ok := t.finals[name]
		if !ok || t.how == returns {
			continue
		}
		if _, isRaised := v.(raised); isRaised {
			raises++
		}
		t.value = v
		sets = append(sets, t)
	}
	at := m.owner(frame, name)
	unusable := func() []result {
		return done(s.with(at, name, lost("the value of "+name+" after a loop over an unknown number of elements is not supported")), nil)
	}
	switch {
	case len(sets) == 0:
		return done(s, nil)
	case breaking || raises > 0 && raises < len(sets):
		return unusable()
	case raises > 0:
		c, ok := before.(count)
		if !ok {
			c = count{base: before.(int64)}
		}
		c.ways, c.adds, c.list = slices.Clip(c.ways), slices.Clip(c.adds), nil
		for _, t := range sets {
			c.ways, c.adds = append(c.ways, way{t.vars, t.when, nil}), append(c.adds, t.value.(raised).by)
		}
		return done(s.with(at, name, c), nil)
	}
	if _, one := single(sets); !one && m.chooses(s) != "" {
		return unusable()
	}
	return m.oneOf(s, nil, sets, func(s *state, v any, found bool) []result {
		if found {
			s = s.with(at, name, v)
		}
		return done(s, nil)
	})
}

// single returns the value of all turns, if they have the same one and it does not depend on the element.
func single(list []turn) (v any, ok bool) {
	for i, t := range list {
		switch x := t.value.(type) {
		case nil, bool, int64, string, ejection, broken:
		case vertex:
			if slices.ContainsFunc(t.vars, func(b Var) bool { return b.Term == x.Term }) {
				return nil, false
			}
		default:
			return nil, false
		}
		if i > 0 && t.value != v {
			return nil, false
		}
		v = t.value
	}
	return v, len(list) > 0
}

// oneOf continues with the value of any element of any of the turns, and without one where there is none.
func (m *machine) oneOf(s *state, x syntax.Node, list []turn, next func(s *state, v any, found bool) []result) []result {
	if len(list) == 0 {
		return next(s, nil, false)
	}
	var some []*Condition
	for _, t := range list {
		some = append(some, t.exists())
	}
	if v, ok := single(list); ok {
		return m.split(s, anyOf(some...), func(s *state, b bool) []result { return next(s, v, b) })
	}
	if why := m.chooses(s); why != "" {
		return fails(s, x, "%s", why)
	}
	if x != nil {
		start, _ := x.Span()
		s = s.fork()
		s.chosen = int(start.Line)
	}
	var out []result
	for _, t := range list {
		w := m.fresher(way{t.vars, t.when, t.value})
		if u := s.assume(where(w.vars)); u != nil {
			if u = u.assume(w.when); u != nil {
				out = append(out, next(u, w.value, true)...)
			}
		}
	}
	none := s
	for _, c := range some {
		if none != nil {
			none = none.assume(not(c))
		}
	}
	if none != nil {
		out = append(out, next(none, nil, false)...)
	}
	m.spend(len(out))
	return out
}
