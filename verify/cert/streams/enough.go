package streams

// This file selects choices that suffice. Let X be an object that can be given now. Suppose that nothing can ask for X at another
// place than those that ask now, before X is given. Then the choices about X suffice: take a schedule that hangs. It gives X at
// some time, because X is free and asked for. Until then it gives other objects. Moving the choice about X to the front changes
// neither what the others get nor the end.

// enough returns decisions about one object for which that holds, or all.
func (p *plan) enough(s *place, all []decision) []decision {
	of := map[int][]decision{}
	for _, d := range all {
		of[d.object] = append(of[d.object], d)
	}
	for _, d := range all {
		if group := of[d.object]; p.alone(s, d.object, group) {
			return group
		}
	}
	return all
}

// alone reports whether only the places of a group can ask for its object before that is given.
func (p *plan) alone(s *place, object int, group []decision) bool {
	asks := map[int]bool{}
	for _, d := range group {
		asks[d.from] = true
	}
	for a := range p.programs {
		for _, x := range p.rest(s, a) {
			if x.kind == acquire && len(p.words)+x.object == object && !asks[len(p.words)+a] {
				return false
			}
			if x.kind == send && p.needs(x.object, object, a, asks, nil) {
				return false
			}
		}
		for _, x := range s.parcels[a] {
			if p.needs(x.tree, object, a, asks, x.holds) {
				return false
			}
		}
	}
	return true
}

// needs reports whether a packet of an agent may ask for an object at a place that is not among asks. Nodes that it
// has held do not count.
func (p *plan) needs(tree, object, agent int, asks map[int]bool, held []bool) bool {
	for node, at := range p.trees[tree].resource {
		if at == object && (held == nil || !held[node]) && !asks[p.origin(&parcel{agent: agent, tree: tree}, node)] {
			return true
		}
	}
	return false
}

// rest returns the actions that an agent may still begin: those behind the current one, those of the loops that it is in, and
// the current one, unless that has sent its packet.
func (p *plan) rest(s *place, a int) []action {
	from := s.at[a]
	if len(s.loops[a]) > 0 {
		from = s.loops[a][0].begin
	} else if x, ok := p.current(s, a); ok && x.kind == send && len(s.parcels[a]) > 0 {
		if last := s.parcels[a][len(s.parcels[a])-1]; s.done[a] > 0 || last.passed[0] == 0 {
			from++
		}
	}
	return p.programs[a][from:]
}
