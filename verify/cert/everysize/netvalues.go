package everysize

// This file defines the values that only programs for any network have.

type (
	// node is a switch.
	node struct{ term }
	// port is a port of tail that leads to head.
	port struct{ tail, head term }
	// generic stands for elements of a list: one for all switches at the binders that satisfy the guard. The elements of neighbouring
	// generic ones with the same mix are in any order among each other.
	generic struct {
		binders []binder
		guard   *Formula
		value   any
		mix     int
	}
	// group is a sequence of generic elements whose elements are in any order.
	group []*generic
	// position is an index within the list.
	position struct{ of *list }
)

// inGroups returns the elements of a list, of which generic ones with the same mix are in one group.
func inGroups(items []any) (list []any) {
	for i, x := range items {
		g, ok := x.(*generic)
		if !ok {
			list = append(list, x)
			continue
		}
		if k := len(list) - 1; i > 0 && g.mix != 0 && k >= 0 {
			if before, ok := list[k].(group); ok && before[0].mix == g.mix {
				list[k] = append(before[:len(before):len(before)], g)
				continue
			}
		}
		list = append(list, group{g})
	}
	return list
}

// isGeneric reports whether a value is a list with generic elements.
func isGeneric(v any) bool {
	items, _ := elements(v)
	for _, x := range items {
		if _, ok := x.(*generic); ok {
			return true
		}
	}
	return false
}

// known returns the elements of a list. It fails if one is generic.
func known(items []any) []any {
	for _, x := range items {
		if _, ok := x.(*generic); ok {
			fail("this use of a list with an unknown number of elements is not supported")
		}
	}
	return items
}

// renamed returns a value with other terms. Lists are copied.
func (n *vocabulary) renamed(v any, by map[term]term) any {
	to := func(t term) term {
		if u, ok := by[t]; ok {
			return u
		}
		return t
	}
	all := func(items []any) []any {
		list := make([]any, len(items))
		for i, x := range items {
			list[i] = n.renamed(x, by)
		}
		return list
	}
	switch v := v.(type) {
	case node:
		return node{to(v.term)}
	case port:
		return port{to(v.tail), to(v.head)}
	case *symbol:
		return value(n.replaceForm(v.num, by), v.den)
	case tuple:
		return tuple(all(v))
	case *list:
		return &list{items: all(v.items), frozen: v.frozen}
	case *generic:
		g := &generic{guard: n.replace(v.guard, by), value: n.renamed(v.value, by), mix: v.mix}
		for _, b := range v.binders {
			g.binders = append(g.binders, binder{to(b.term), to(b.of)})
		}
		return g
	case count:
		c := count{base: v.base, of: v.of}
		for _, w := range v.parts {
			c.parts = append(c.parts, weighted{n.renamed(w.generic, by).(*generic), w.weight})
		}
		return c
	}
	return v
}

type (
	// count is a known number, and more for each element of its parts.
	count struct {
		base  int64
		parts []weighted
		of    *list // whose length it is, or nil
	}
	// weighted says how much an element of a part adds, at least 1.
	weighted struct {
		*generic
		weight int64
	}
	// tally is a name that the body of a loop has increased so far by a known number.
	tally struct {
		name string
		plus int64
	}
)
