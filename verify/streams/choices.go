package streams

import (
	"slices"

	"github.com/turnproof/turnproof/model/streams"
)

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
	if len(list) < 2 || m.doomed(s) {
		return list[:min(1, len(list))]
	}
	var best []choice
	kept := make([]bool, len(m.raced))
	for i := 0; i < len(list); {
		k := i
		for k < len(list) && list[k].object == list[i].object {
			k++
		}
		if group := list[i:k]; best == nil || len(group) < len(best) {
			object := group[0].object
			kept[object] = true
			if m.outlook(s, kept).complete(object, group) {
				best = group
			}
			kept[object] = false
		}
		if len(best) == 1 {
			break
		}
		i = k
	}
	if best == nil {
		return m.several(s, list)
	}
	return best
}

// several returns the choices about some objects such that nothing else can ask for these before one of the choices is made. It
// begins with all objects, and leaves out one after the other while that holds.
func (m *machine) several(s *state, list []choice) []choice {
	kept := make([]bool, len(m.raced))
	for _, c := range list {
		kept[c.object] = true
	}
	for _, c := range list {
		if !kept[c.object] {
			continue
		}
		kept[c.object] = false
		o, n := m.outlook(s, kept), 0
		for object, is := range kept {
			if is {
				if n++; !o.complete(object, list) {
					n = 0
					break
				}
			}
		}
		kept[c.object] = n == 0
	}
	return slices.DeleteFunc(slices.Clone(list), func(c choice) bool { return !kept[c.object] })
}

// doomed reports that some required agent cannot end any more, so that all schedules hang.
func (m *machine) doomed(s *state) bool {
	o := m.outlook(s, make([]bool, len(m.raced)))
	for a, x := range m.p.Agents {
		if x.Required && !o.reached[a][len(x.Program)] {
			return true
		}
	}
	return false
}

// complete reports whether no place beyond those of the choices can ask for their object before one of them is made.
func (o *outlook) complete(object int, group []choice) bool {
	n := len(o.m.p.Resources)
	for _, place := range o.m.places[object] {
		if slices.ContainsFunc(group, func(c choice) bool { return c.object == object && c.place == place }) {
			continue
		}
		if object < n && o.asksFrom(object, place) || object >= n && o.acquires(place-n, object-n) {
			return false
		}
	}
	return true
}

// acquires reports whether an agent may later acquire a counter that has enough.
func (o *outlook) acquires(a, counter int) bool {
	for i, x := range o.m.p.Agents[a].Program {
		if o.reached[a][i] && x.Kind == streams.Acquire && x.Object == counter && o.enoughOf(x) {
			return true
		}
	}
	return false
}

// asksFrom reports whether a packet may ask for a resource at a place.
func (o *outlook) asksFrom(resource, place int) bool {
	n := len(o.m.p.Resources)
	for i := range o.items {
		x := &o.items[i]
		r := &o.m.routes[x.route]
		for k, node := range r.nodes {
			if node.Resource != resource || !x.made || x.p != nil && x.p.got[k] || !o.mayAsk(x, k) {
				continue
			}
			switch {
			case k > 0 && r.nodes[r.up[k]].Resource == place, k == 0 && x.p != nil && n+x.p.agent == place:
				return true
			case k == 0 && x.p == nil && place >= n && o.sends(place-n, x.route):
				return true
			}
		}
	}
	return false
}

// sends reports whether an agent may begin to send on a route, or is sending.
func (o *outlook) sends(a, route int) bool {
	for i, x := range o.m.p.Agents[a].Program {
		if o.reached[a][i] && x.Kind == streams.Send && x.Object == route {
			return true
		}
	}
	return false
}
