package streams

import "github.com/turnproof/turnproof/model/streams"

// This file lists the choices of a settled state, and selects those that suffice.

// choice gives an object to what asks for it at a place (machine.places).
type choice struct {
	object, place int
	// packet and node ask for a resource.
	packet *packet
	node   int
}

// choices returns the choices of a settled state, ascending by object, then place.
func (m *machine) choices(s *state) (list []choice) {
	for object, raced := range m.raced {
		if !raced {
			continue
		}
		for _, place := range m.places[object] {
			if c, ok := m.choiceAt(s, object, place); ok {
				list = append(list, c)
			}
		}
	}
	return list
}

// choiceAt returns what asks for an object at a place and can get it.
func (m *machine) choiceAt(s *state, object, place int) (choice, bool) {
	n := len(m.p.Resources)
	if object >= n {
		a := place - n
		if s.at[a] == len(m.p.Agents[a].Program) {
			return choice{}, false
		}
		x := m.p.Agents[a].Program[s.at[a]]
		return choice{object: object, place: place}, x.Kind == streams.Acquire && x.Object == object-n && s.value[x.Object] >= x.Amount
	}
	for _, p := range s.packets {
		r := &m.routes[p.route]
		for k, node := range r.nodes {
			if node.Resource == object && m.placeOf(p, k) == place && m.asks(s, p, k) {
				return choice{object, place, p, k}, true
			}
		}
	}
	return choice{}, false
}

// placeOf returns the place of a node of a packet's route.
func (m *machine) placeOf(p *packet, k int) int {
	r := &m.routes[p.route]
	if k == 0 {
		return len(m.p.Resources) + p.agent
	}
	return r.nodes[r.up[k]].Resource
}

// apply makes a choice.
func (m *machine) apply(s *state, c choice) {
	if c.packet != nil {
		m.give(s, c.packet, c.node)
		return
	}
	a := c.place - len(m.p.Resources)
	x := m.p.Agents[a].Program[s.at[a]]
	s.value[x.Object] -= x.Amount
	m.done(s, a)
}

// enough returns choices that suffice to find a run that hangs, if there is one. If nothing else than the places
// of the choices about one object can ask for it before one of these choices is made, these suffice: whatever
// else happens first neither adds to them nor takes any away, and commutes with them (a persistent set;
// P. Godefroid, LNCS 1032, 1996).
func (m *machine) enough(s *state, list []choice) []choice {
	var best []choice
	for i := 0; i < len(list); {
		k := i
		for k < len(list) && list[k].object == list[i].object {
			k++
		}
		if group := list[i:k]; (best == nil || len(group) < len(best)) && m.complete(s, group) {
			best = group
		}
		i = k
	}
	if best == nil {
		return list
	}
	return best
}

// complete reports whether no place beyond those of the choices can ask for their object before one of them is made.
func (m *machine) complete(s *state, group []choice) bool {
	i := 0
	for _, place := range m.places[group[0].object] {
		if i < len(group) && group[i].place == place {
			i++
			continue
		}
		if m.mayAsk(s, group[0].object, place) {
			return false
		}
	}
	return true
}

// mayAsk reports whether something can still ask for an object at a place. It may say so where nothing can.
func (m *machine) mayAsk(s *state, object, place int) bool {
	n := len(m.p.Resources)
	if object >= n {
		return m.remains(s, place-n, streams.Acquire, object-n)
	}
	for i := range m.routes {
		r := &m.routes[i]
		for k, node := range r.nodes {
			if node.Resource != object || k == 0 && place < n || k > 0 && r.nodes[r.up[k]].Resource != place {
				continue
			}
			for _, a := range m.sends[i] {
				if (k > 0 || a == place-n) && m.remains(s, a, streams.Send, i) {
					return true
				}
			}
			for _, p := range s.packets {
				if p.route == i && !p.got[k] && (k > 0 || p.agent == place-n) {
					return true
				}
			}
		}
	}
	return false
}

// remains reports whether an agent may still begin an action.
func (m *machine) remains(s *state, a int, kind streams.Kind, object int) bool {
	at := s.at[a]
	if s.left[a] >= 0 {
		at++
	}
	last, ok := m.last[a][kindObject{kind, object}]
	return ok && at <= last
}
