package model

import "errors"

// Without returns a copy of the network without the given links and switches. The links and
// hosts of removed switches are removed as well. Ports keep their numbers. Switches and hosts
// are renumbered in the same order; if a switch is removed, each one without a name gets its
// old label as name. Without fails if no switch is left, or if the network states rings. A rule of flow control is kept as it is, so the places that
// it names may be others, or missing. Cost: that of building the network.
func (n *Network) Without(links []LinkID, switches []SwitchID) (*Network, error) {
	if n.flow != nil && n.flow.Rings != nil {
		return nil, errors.New("model: the network states rings, and some of their channels may be gone")
	}
	b, remaining := NewBuilder(), n.Remaining(switches)
	id := remaining.Switches
	var keptLinks []LinkID
	var keptHosts []HostID
	gone := make([]bool, n.NumLinks())
	for _, l := range links {
		gone[l] = true
	}
	for u := range SwitchID(len(id)) {
		if id[u] == NoSwitch {
			continue
		}
		s := *n.Switch(u)
		if len(switches) > 0 && s.Name == "" {
			s.Name = n.SwitchLabel(u)
		}
		b.AddSwitch(s)
	}
	for h := range HostID(n.NumEndpoints()) {
		e := *n.Host(h)
		if len(switches) > 0 && e.Name == "" {
			e.Name = n.HostLabel(h)
		}
		if e.Switch = id[e.Switch]; remaining.Hosts[h] != NoHost {
			b.AddHost(e)
			keptHosts = append(keptHosts, h)
		}
	}
	for l := range LinkID(n.NumLinks()) {
		x := n.Link(l)
		if u, v := id[x.A], id[x.B]; !gone[l] && u != NoSwitch && v != NoSwitch {
			b.copyLink(n, l, u, v)
			keptLinks = append(keptLinks, l)
		}
	}
	for name, values := range n.attributes {
		var left []int32
		for u, v := range id {
			if v != NoSwitch {
				left = append(left, values[u])
			}
		}
		b.SetAttribute(name, left)
	}
	b.namePorts(n, id)
	b.SetVCs(n.VCs())
	if n.grid != nil {
		b.SetGrid(n.grid.without(id))
	}
	m, err := b.Build()
	if err != nil {
		return nil, err
	}
	m.flow = n.flow
	return m.keepChannels(n, keptLinks, keptHosts)
}

// Remaining returns the numbers that Without gives.
func (n *Network) Remaining(gone []SwitchID) *Remaining {
	r := &Remaining{make([]SwitchID, n.NumSwitches()), make([]HostID, n.NumEndpoints())}
	for _, u := range gone {
		r.Switches[u] = NoSwitch
	}
	next := SwitchID(0)
	for u := range r.Switches {
		if r.Switches[u] != NoSwitch {
			r.Switches[u] = next
			next++
		}
	}
	host := HostID(0)
	for h := range r.Hosts {
		if r.Hosts[h] = NoHost; r.Switches[n.Host(HostID(h)).Switch] != NoSwitch {
			r.Hosts[h] = host
			host++
		}
	}
	return r
}

// without returns the grid of the switches that remain. id gives the new number of each switch,
// or NoSwitch for a removed switch.
func (g *Grid) without(id []SwitchID) *Grid {
	left := &Grid{Sides: g.Sides, Wrap: g.Wrap}
	for u, v := range id {
		if v != NoSwitch {
			left.Place = append(left.Place, g.place(SwitchID(u)))
		}
	}
	if g.Place == nil && len(left.Place) == len(id) {
		left.Place = nil
	}
	return left
}
