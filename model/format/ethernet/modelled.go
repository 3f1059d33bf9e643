package ethernet

import (
	"encoding/binary"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/control"
)

// This file makes the routes of what is left of a fabric by a model of the control plane.
//
// Cost: O(origins × (switches + cables)) time.

// reroute sets the routes that the model computes for what is left. It returns doubts if the protocol does not determine them.
func (b *builder) reroute(whole *builder, r *Rerouting, x Down) []model.Doubt {
	if m := b.model(whole, r, x); m.unsure != "" {
		return bothClaims(premiseRerouting, "", m.unsure, "")
	}
	return nil
}

// model sets the routes.
func (b *builder) model(whole *builder, r *Rerouting, x Down) *modelled {
	m := &modelled{builder: b, plan: r.plan, protocol: r.protocol, routes: map[int]control.Routes{}, sets: make([]map[string]int32, len(b.switches)),
		ports: map[[2]int][]end{}, failed: x.Switches, active: map[[2]int]bool{}}
	m.network = control.Network{Near: b.adjacent(), AS: r.network.AS, Level: r.network.Level}
	for u, f := range whole.fibs {
		b.fibs = append(b.fibs, fib{table: f.table, own: f.own})
		m.sets[u] = map[string]int32{}
	}
	for _, e := range b.sortedPorts() {
		way := [2]int{e.sw, b.peer[e].sw}
		m.ports[way] = append(m.ports[way], e)
	}
	m.divide()
	return m
}

// modelled computes the classes of destinations by the model.
type modelled struct {
	*builder
	plan     *plan
	protocol control.Protocol
	network  control.Network
	failed   []int                  // switches
	routes   map[int]control.Routes // by group, the last ones
	active   map[[2]int]bool        // by group and origin, of aggregates
	ports    map[[2]int][]end       // from switch to switch
	sets     []map[string]int32     // by switch: its sets, by their neighbours
	unsure   string
}

// divide sets the classes of atoms, and the sets of all switches. Atoms of one class have the same homes and rows.
func (m *modelled) divide() {
	type part struct{ home, chain int }
	m.classes = &classes{}
	parts, rows, known := map[part]int32{}, map[int][]int32{}, map[string]int32{}
	for i := range m.atoms {
		a := &m.atoms[i]
		p := part{m.hosts[a.host].homes[0], m.plan.chain[m.kept[i]]}
		if len(m.hosts[a.host].homes) > 1 {
			p.home = len(m.switches) + a.host
		}
		class, ok := parts[p]
		if !ok {
			if rows[p.chain] == nil {
				rows[p.chain] = m.row(m.plan.chains[p.chain])
			}
			class = int32(len(m.rows))
			text := binary.BigEndian.AppendUint32(nil, uint32(p.home))
			for _, s := range rows[p.chain] {
				text = binary.BigEndian.AppendUint32(text, uint32(s))
			}
			if same, ok := known[string(text)]; ok {
				class = same
			} else {
				known[string(text)] = class
				m.rows, m.host = append(m.rows, rows[p.chain]), append(m.host, a.host)
			}
			parts[p] = class
		}
		a.class = class
	}
}

// row returns for each switch the set of its next hops, or -1.
func (m *modelled) row(chain []int) []int32 {
	row := make([]int32, len(m.switches))
	for u := range row {
		row[u] = -1
	}
	for _, g := range chain {
		x, r := &m.plan.groups[g], m.routesOf(g)
		for u := range row {
			if row[u] < 0 && r.Next != nil && len(r.Next[u]) > 0 {
				row[u] = m.setOf(u, r.Next[u])
			}
		}
		for i, u := range x.origins {
			if row[u] < 0 && x.kinds[i] != originAbsent && m.isActive(g, i) {
				row[u] = m.ownSet(u, x.kinds[i])
			}
		}
	}
	return row
}

// mostRoutes limits the groups whose routes are kept.
const mostRoutes = 16

// routesOf returns the routes to a group of prefixes.
func (m *modelled) routesOf(g int) control.Routes {
	if r, ok := m.routes[g]; ok {
		return r
	}
	x := &m.plan.groups[g]
	var origins []int
	for i, u := range x.origins {
		if x.isRouted && m.isActive(g, i) {
			origins = append(origins, u)
		}
	}
	var r control.Routes
	if len(origins) > 0 {
		r = m.protocol(&m.network, control.Prefix{Origins: origins, Silent: x.silent})
	}
	if m.unsure == "" {
		m.unsure = r.Unsure
	}
	if len(m.routes) == mostRoutes {
		clear(m.routes)
	}
	m.routes[g] = r
	return r
}

// setOf returns the set of all ports of a switch to some neighbours.
func (m *modelled) setOf(u int, near []int) int32 {
	var buf [256]byte
	key := buf[:0]
	for _, v := range near {
		key = binary.BigEndian.AppendUint32(key, uint32(v))
	}
	s, ok := m.sets[u][string(key)]
	if !ok {
		var h hops
		for _, v := range near {
			h.ports = append(h.ports, m.ports[[2]int{u, v}]...)
		}
		slices.SortFunc(h.ports, compareEnds)
		s = m.addSet(u, string(key), h)
	}
	return s
}

// ownSet returns the set of a switch for a prefix that it announces.
func (m *modelled) ownSet(u int, kind originKind) int32 {
	key := string([]byte{byte(kind)})
	s, ok := m.sets[u][key]
	if !ok {
		s = m.addSet(u, key, hops{local: kind == originHosts, discard: kind != originHosts})
	}
	return s
}

func (m *modelled) addSet(u int, key string, h hops) int32 {
	s := int32(len(m.fibs[u].hops))
	m.fibs[u].hops = append(m.fibs[u].hops, h)
	m.sets[u][key] = s
	return s
}
