package streams

// This file selects choices that suffice. Let S be some objects that can be given now. Suppose that, while none of them is given,
// nothing can ask for one of them at another place than those that ask now. Then the choices about S suffice: take a schedule
// that hangs. If it gives no object of S, then these are free and asked for at its end, so it does not hang. Let it give X of S
// first, to one that asks now. Until then it gives other objects. Moving the choice about X to the front changes neither what
// the others get nor the end.

// enough returns decisions about objects for which that holds.
func (p *plan) enough(s *place, all []decision) []decision {
	if len(all) < 2 {
		return all
	}
	of := map[int][]decision{}
	for _, d := range all {
		of[d.object] = append(of[d.object], d)
	}
	var best []decision
	for _, d := range all {
		group := of[d.object]
		if best != nil && len(group) >= len(best) {
			continue
		}
		if p.alone(s, map[int]bool{d.object: true}, of) {
			best = group
		}
	}
	if best != nil {
		return best
	}
	return p.fewer(s, all, of)
}

// fewer begins with all objects, and leaves out one after the other if the rest suffices.
func (p *plan) fewer(s *place, all []decision, of map[int][]decision) (list []decision) {
	some := map[int]bool{}
	for object := range of {
		some[object] = true
	}
	for i := len(all) - 1; i >= 0; i-- {
		object := all[i].object
		if !some[object] || len(some) == 1 {
			continue
		}
		delete(some, object)
		if !p.alone(s, some, of) {
			some[object] = true
		}
	}
	for _, d := range all {
		if some[d.object] {
			list = append(list, d)
		}
	}
	return list
}

// alone reports whether only those that ask now can ask for some objects before one of these is given.
func (p *plan) alone(s *place, some map[int]bool, of map[int][]decision) bool {
	h := p.lookAhead(s, some)
	asks := func(object, from int) bool {
		for _, d := range of[object] {
			if d.from == from {
				return true
			}
		}
		return false
	}
	for a, list := range p.programs {
		for i, x := range list {
			if !h.begins[a][i] {
				continue
			}
			if c := len(p.words) + x.object; x.kind == acquire && some[c] && h.has(x) && !asks(c, len(p.words)+a) {
				return false
			}
			if x.kind != send || !h.news[x.object].made {
				continue
			}
			if root := p.trees[x.object].resource[0]; some[root] && !asks(root, len(p.words)+a) {
				return false
			}
		}
	}
	for _, f := range h.flows {
		if !f.made {
			continue
		}
		for node, at := range f.tree.resource {
			if !some[at] || f.grabs[node] || node == 0 && f.x == nil || !h.mayWant(f, node) {
				continue
			}
			from := len(p.words)
			if node > 0 {
				from = f.tree.resource[f.tree.source[node]]
			} else {
				from += f.x.agent
			}
			if !asks(at, from) {
				return false
			}
		}
	}
	return true
}
