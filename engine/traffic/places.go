package traffic

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file lets a permutation move the hosts of a network, or its switches with all their hosts.

// bySwitches ends the spec of a permutation of switches.
const bySwitches = ":switches"

// noPlace is the destination of a place that sends nothing.
const noPlace = -1

// places are what a permutation moves: hosts, or switches with hosts. They are numbered from 0.
type places struct {
	net      *model.Network
	what     string           // "host" or "switch with hosts"
	many     string           // the plural
	switches []model.SwitchID // the switch of each place
	hosts    [][]model.HostID // the hosts of each switch by ID, or nil if the places are hosts
}

// len returns the number of places.
func (p *places) len() int { return len(p.switches) }

// hostPlaces returns the hosts of n.
func hostPlaces(n *model.Network) *places {
	p := &places{net: n, what: "host", many: "hosts", switches: make([]model.SwitchID, n.NumHosts())}
	for h := range p.switches {
		p.switches[h] = n.Host(model.HostID(h)).Switch
	}
	return p
}

// switchPlaces returns the switches of n that have hosts, by ID. It fails if the numbers of their hosts differ.
func switchPlaces(n *model.Network) (*places, error) {
	at := make([][]model.HostID, n.NumSwitches())
	for h := range model.HostID(n.NumHosts()) {
		u := n.Host(h).Switch
		at[u] = append(at[u], h)
	}
	p := &places{net: n, what: "switch with hosts", many: "switches with hosts"}
	for u, hosts := range at {
		if len(hosts) == 0 {
			continue
		}
		p.switches, p.hosts = append(p.switches, model.SwitchID(u)), append(p.hosts, hosts)
		if first := p.hosts[0]; len(first) != len(hosts) {
			return nil, fmt.Errorf("switch %s has %d hosts and switch %s has %d; want equal numbers", n.SwitchName(p.switches[0]), len(first),
				n.SwitchName(model.SwitchID(u)), len(hosts))
		}
	}
	return p, nil
}

// expand returns the destinations of all hosts for a permutation of the places. Host i of a switch sends to host i
// of the other switch.
func (p *places) expand(to []int) fixed {
	list := make(fixed, p.net.NumHosts())
	if p.hosts == nil {
		for h, d := range to {
			list[h] = model.HostID(d)
			if d == noPlace {
				list[h] = model.NoHost
			}
		}
		return list
	}
	for place, d := range to {
		for i, h := range p.hosts[place] {
			list[h] = model.NoHost
			if d != noPlace {
				list[h] = p.hosts[d][i]
			}
		}
	}
	return list
}

// permutationOf makes the pattern of a spec NAME[:ARGUMENT][:switches] whose kind is a permutation.
func permutationOf(k Kind, n *model.Network, argument string, switches bool, seed uint64) (Pattern, error) {
	p := hostPlaces(n)
	if switches {
		var err error
		if p, err = switchPlaces(n); err != nil {
			return nil, fmt.Errorf("traffic: %s%s: %w", k.Name, bySwitches, err)
		}
	}
	if p.len() < 2 {
		return nil, fmt.Errorf("traffic: %s%s on a network with one %s, at least 2 are needed", k.Name, bySwitches, p.what)
	}
	to, err := k.permute(p, argument, seed)
	if err != nil {
		return nil, err
	}
	return p.expand(to), nil
}
