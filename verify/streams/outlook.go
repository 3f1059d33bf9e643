package streams

import "github.com/turnproof/turnproof/model/streams"

// This file computes what may still happen while some objects are given to no packet or agent. It never misses an event, and may
// list some that cannot happen: it is the least set such that an event is in it if all that it needs is in it. What a
// choice takes away is not counted, so one set holds the events of all schedules.

// outlook is that set for one state.
type outlook struct {
	m       *machine
	s       *state
	kept    []bool   // by object: given to no packet or agent
	reached [][]bool // by agent and action: it may begin
	passed  [][]bool // by agent and action: it may end
	raised  []bool   // by counter: it may be released
	free    []bool   // by resource: it may be free
	drains  []bool   // by resource: words may be taken, of packets of any route
	items   []item   // the packets, then for each route those that are still to be made
	changed bool
}

// item is a packet of the state, or all packets that may still be made on a route.
type item struct {
	p     *packet // nil for packets to come
	route int
	made  bool   // it exists, or may be made
	least int    // the words of the shortest one
	can   []bool // by node: it may get the resource
	left  []bool // by buffer node: the last word may leave
	taken []bool // by leaf: words of this route may be taken
}

// outlook computes what may happen while the kept objects are given to no packet or agent.
func (m *machine) outlook(s *state, kept []bool) *outlook {
	o := &outlook{m: m, s: s, kept: kept, raised: make([]bool, len(m.p.Counters)), free: make([]bool, len(m.p.Resources)),
		drains: make([]bool, len(m.p.Resources)), items: make([]item, 0, len(s.packets)+len(m.routes))}
	for i, p := range s.packets {
		p.id = i
		o.addItem(p, p.route, p.length)
	}
	for i := range m.routes {
		o.addItem(nil, i, m.least[i])
	}
	o.reached, o.passed = make([][]bool, len(s.at)), make([][]bool, len(s.at))
	for a, at := range s.at {
		n := len(m.p.Agents[a].Program)
		flags := make([]bool, 2*n+1)
		o.reached[a], o.passed[a] = flags[:n+1], flags[n+1:]
		o.begin(a, at, s.left[a] >= 0)
	}
	for o.changed = true; o.changed; {
		o.changed = false
		o.agents()
		o.resources()
		o.packets()
	}
	return o
}

func (o *outlook) addItem(p *packet, route, least int) {
	n := len(o.m.routes[route].nodes)
	flags := make([]bool, 3*n)
	x := item{p: p, route: route, made: p != nil, least: least, can: flags[:n], left: flags[n : 2*n], taken: flags[2*n:]}
	if p != nil {
		copy(x.can, p.got)
		for k, n := range o.m.routes[route].nodes {
			x.left[k] = o.m.routes[route].buffer[k] && p.out[k] >= p.length-n.Drop
		}
	}
	o.items = append(o.items, x)
}

// future returns the item of the packets that may still be made on a route.
func (o *outlook) future(route int) *item { return &o.items[len(o.s.packets)+route] }

// begin notes that an action may begin. A send that has begun in the state makes no packet.
func (o *outlook) begin(a, i int, begun bool) {
	o.changed = o.changed || !o.reached[a][i]
	o.reached[a][i] = true
	if i == len(o.m.p.Agents[a].Program) {
		return
	}
	switch x := o.m.p.Agents[a].Program[i]; {
	case x.Kind == streams.Send && !begun:
		f := o.future(x.Object)
		o.changed = o.changed || !f.made
		f.made = true
	case x.Kind == streams.Take && x.Route < 0:
		o.drains[x.Object] = true
	case x.Kind == streams.Take:
		for k := range o.items {
			if o.items[k].route == x.Route {
				o.drainItem(&o.items[k], x.Object)
			}
		}
	}
}

func (o *outlook) drainItem(x *item, resource int) {
	for k, n := range o.m.routes[x.route].nodes {
		x.taken[k] = x.taken[k] || n.Resource == resource
	}
}

// agents lets actions end and the next ones begin.
func (o *outlook) agents() {
	for a, list := range o.passed {
		for i, passed := range list {
			if passed || !o.reached[a][i] || !o.ends(a, i) {
				continue
			}
			o.passed[a][i], o.changed = true, true
			if x := o.m.p.Agents[a].Program[i]; x.Kind == streams.Release {
				o.raised[x.Object] = true
			}
			o.goOn(a, i)
		}
	}
}

// goOn begins what may come after an action: the beginnings of loops that have more rounds, and the next action.
func (o *outlook) goOn(a, i int) {
	for _, loop := range o.m.ends[a][i] {
		if o.s.rounds[o.m.loopOf[a][loop]] != 1 || o.reached[a][loop] {
			o.begin(a, loop+1, false)
		}
		if o.m.p.Agents[a].Program[loop].Amount == 0 {
			return
		}
	}
	o.begin(a, i+1, false)
}

// ends reports whether an action may end.
func (o *outlook) ends(a, i int) bool {
	x := o.m.p.Agents[a].Program[i]
	switch x.Kind {
	case streams.Acquire:
		return !o.kept[len(o.m.p.Resources)+x.Object] && o.enoughOf(x)
	case streams.Send:
		if i == o.s.at[a] && o.s.left[a] >= 0 {
			for k := len(o.s.packets) - 1; ; k-- {
				if o.s.packets[k].agent == a {
					return o.written(&o.items[k], x.Amount)
				}
			}
		}
		return o.written(o.future(x.Object), x.Amount)
	case streams.Take:
		n := x.Amount
		if i == o.s.at[a] && o.s.left[a] >= 0 {
			n = o.s.left[a]
		}
		return o.coming(x, n)
	}
	return true
}

// enoughOf reports whether a counter may have what an action acquires.
func (o *outlook) enoughOf(x streams.Action) bool {
	return o.s.value[x.Object] >= x.Amount || o.raised[x.Object]
}

// coming reports whether n words may be at the front of the buffer that an action takes from.
func (o *outlook) coming(x streams.Action, n int) bool {
	for i := range o.items {
		y := &o.items[i]
		if !y.made || x.Route >= 0 && x.Route != y.route {
			continue
		}
		for k, node := range o.m.routes[y.route].nodes {
			if node.Resource != x.Object || !o.m.routes[y.route].leaf[k] || !y.can[k] || !o.front(y, k) {
				continue
			}
			switch more := o.more(y, k); {
			case y.p == nil && more:
				return true
			case y.p == nil:
			case more:
				n -= y.p.length - node.Drop - y.p.out[k]
			default:
				n -= o.m.in(y.p, k) - y.p.out[k]
			}
		}
	}
	return n <= 0
}
