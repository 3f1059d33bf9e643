package everysize

// This file defines the values that only programs for any network have.

type (
	// node is a switch.
	node struct{ term }
	// port is a port of tail that leads to head.
	port struct{ tail, head term }
	// generic stands for elements of a list: one for all switches at the binders that satisfy the guard.
	generic struct {
		binders []binder
		guard   *Formula
		value   any
	}
	// length is the number of elements of a list that has generic ones.
	length struct{ of *list }
	// position is an index within the list.
	position struct{ of *list }
)

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
		g := &generic{guard: n.replace(v.guard, by), value: n.renamed(v.value, by)}
		for _, b := range v.binders {
			g.binders = append(g.binders, binder{to(b.term), to(b.of)})
		}
		return g
	}
	return v
}
