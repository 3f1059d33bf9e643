package config

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file computes the configuration of switches, independent of the output format.
//
// Promise: a switch that follows only its ports and entries forwards every frame like
// Set.Relation.

// plan is a set with its options and the tables derived from them.
type plan struct {
	*vlan.Set
	*Options
	net          *model.Network
	placeholders bool
	order        []int            // VLANs, sorted by identifier
	reached      [][]model.HostID // by VLAN: the destination hosts, ascending
	pvid         []int            // by host: the VLAN of its untagged frames, or vlan.None
	entries      [][]entry        // by switch: its static addresses
}

// port is a port that belongs to at least one VLAN.
type port struct {
	number  model.Port
	host    model.HostID   // NoHost if the port leads to a switch
	to      model.SwitchID // the switch that the port leads to, if host is NoHost
	pvid    int            // the VLAN of untagged frames, or vlan.None
	members []member       // sorted by identifier
}

type member struct {
	vlan     int
	untagged bool
}

// entry is a static address of a switch.
type entry struct {
	vlan int
	host model.HostID
	port model.Port
}

func newPlan(s *vlan.Set, o *Options) (*plan, error) {
	n := s.Network()
	filled, err := o.filled(n)
	if err != nil {
		return nil, err
	}
	p := &plan{Set: s, Options: filled, net: n, placeholders: !o.given(), reached: make([][]model.HostID, s.Len())}
	for k := range s.Len() {
		p.order = append(p.order, k)
	}
	slices.SortFunc(p.order, func(a, b int) int { return s.At(a).ID - s.At(b).ID })
	for h := range model.HostID(n.NumHosts()) {
		k, err := s.PVID(h)
		if err != nil {
			return nil, err
		}
		p.pvid = append(p.pvid, k)
		if n.Host(h).Port < 1 {
			return nil, portError(n, n.Host(h).Switch, n.Host(h).Port)
		}
		p.reach(h)
	}
	for l := range model.LinkID(n.NumLinks()) {
		switch link := n.Link(l); {
		case link.APort < 1:
			return nil, portError(n, link.A, link.APort)
		case link.BPort < 1:
			return nil, portError(n, link.B, link.BPort)
		}
	}
	p.look()
	return p, nil
}

func portError(n *model.Network, u model.SwitchID, p model.Port) error {
	return fmt.Errorf("vlan: switch %s has a port %d; names of ports are made of numbers from 1", n.SwitchName(u), p)
}

// reach records the VLANs in which frames are sent to host h.
func (p *plan) reach(h model.HostID) {
	for source := range model.HostID(p.net.NumHosts()) {
		k := p.Use(source, h)
		if k == vlan.None || source == h {
			continue
		}
		if list := p.reached[k]; len(list) == 0 || list[len(list)-1] != h {
			p.reached[k] = append(list, h)
		}
	}
}

// ports lists the ports of switch u that belong to VLANs, ascending.
func (p *plan) ports(u model.SwitchID) (list []port) {
	for _, c := range p.net.Out(u) {
		at := port{number: p.net.TailPort(c), host: p.net.HostOf(c), to: p.net.Head(c), pvid: vlan.None}
		if int(at.host) >= p.net.NumHosts() {
			continue
		}
		if at.host != model.NoHost {
			at.pvid = p.pvid[at.host]
		}
		for _, k := range p.order {
			switch v := p.At(k); {
			case at.host != model.NoHost && p.Member(k, at.host):
				at.members = append(at.members, member{k, p.Untagged(k, at.host)})
			case at.host == model.NoHost && contains(v.Links, model.LinkID(c/2)):
				at.members = append(at.members, member{k, false})
			}
		}
		if len(at.members) > 0 {
			list = append(list, at)
		}
	}
	return list
}

func contains(sorted []model.LinkID, l model.LinkID) bool {
	_, ok := slices.BinarySearch(sorted, l)
	return ok
}

// look computes the static addresses of each switch on the paths of frames, sorted by VLAN and
// host. Switches could not learn these addresses, because a host need not send in the VLAN in
// which it receives.
func (p *plan) look() {
	p.entries = make([][]entry, p.net.NumSwitches())
	for _, k := range p.order {
		for h, c := range p.Entries(k) {
			u := p.net.Tail(c)
			p.entries[u] = append(p.entries[u], entry{k, h, p.net.TailPort(c)})
		}
	}
}

// interfaces lists the VLANs in which host h sends or receives.
func (p *plan) interfaces(h model.HostID) (list []int) {
	for _, k := range p.order {
		_, in := slices.BinarySearch(p.reached[k], h)
		for d := model.HostID(0); !in && d < model.HostID(p.net.NumHosts()); d++ {
			in = d != h && p.Use(h, d) == k
		}
		if in {
			list = append(list, k)
		}
	}
	return list
}
