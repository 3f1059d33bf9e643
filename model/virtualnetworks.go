package model

import "fmt"

// This file gives each class of messages VCs of its own.

// VirtualNetwork is the routing of a class of messages, and the VCs of each channel that the class
// uses: VC i of Relation is VC First+i. Two classes with the same VCs share a virtual network.
type VirtualNetwork struct {
	Relation Relation
	First    int
}

// VirtualNetworks is a routing for messages of several classes. The routing class of a packet
// includes the class of its message: the routing classes of message class m follow those of
// message class m-1. As in every relation, a hop to a host names VC 0; the message takes one of the
// VCs of its class.
type VirtualNetworks struct {
	net   *Network
	parts []VirtualNetwork
	first []Class // by message class: its first routing class
	of    []int16 // by routing class: its message class
}

// NewVirtualNetworks returns the routing on n in which messages of class m use parts[m]. It fails
// if a part is for another network or needs VCs that n does not have.
func NewVirtualNetworks(n *Network, parts []VirtualNetwork) (*VirtualNetworks, error) {
	v := &VirtualNetworks{net: n, parts: parts}
	for m, p := range parts {
		r := p.Relation
		switch {
		case r.Network().NumChannels() != n.NumChannels() || r.Sources() != parts[0].Relation.Sources() || r.Destinations() != parts[0].Relation.Destinations():
			return nil, fmt.Errorf("model: the routings of classes 0 and %d are for different networks", m)
		case p.First < 0 || p.First+r.Network().VCs() > n.VCs():
			return nil, fmt.Errorf("model: class %d uses VCs %d to %d, the network has %d", m, p.First, p.First+r.Network().VCs()-1, n.VCs())
		}
		v.first = append(v.first, Class(len(v.of)))
		for range r.Classes() {
			v.of = append(v.of, int16(m))
		}
	}
	return v, nil
}

// Replicate returns routing r for messages of the classes of p, with a copy of r's VCs for each
// virtual network. It fails if a channel gets more than MaxVCs VCs.
func Replicate(r Relation, p *Protocol) (*VirtualNetworks, error) {
	vcs := r.Network().VCs()
	if vcs*p.Networks() > MaxVCs {
		return nil, fmt.Errorf("model: %d virtual networks of %d VCs, a channel has at most %d", p.Networks(), vcs, MaxVCs)
	}
	var parts []VirtualNetwork
	for _, network := range p.Network {
		parts = append(parts, VirtualNetwork{r, network * vcs})
	}
	return NewVirtualNetworks(r.Network().WithVCs(vcs*p.Networks()), parts)
}

// Part returns the routing of message class m, and the routing class that is its class 0.
func (v *VirtualNetworks) Part(m int) (Relation, Class) { return v.parts[m].Relation, v.first[m] }

// Messages returns the number of message classes.
func (v *VirtualNetworks) Messages() int { return len(v.parts) }

// VCsOf returns the first VC of message class m on each channel, and the number of its VCs.
func (v *VirtualNetworks) VCsOf(m int) (first, count int) {
	return v.parts[m].First, v.parts[m].Relation.Network().VCs()
}

// MessageOf returns the message class of a packet with routing class k.
func (v *VirtualNetworks) MessageOf(k Class) int { return int(v.of[k]) }

// Network implements Relation.
func (v *VirtualNetworks) Network() *Network { return v.net }

// Classes implements Relation.
func (v *VirtualNetworks) Classes() int { return len(v.of) }

// Sources implements Relation.
func (v *VirtualNetworks) Sources() int { return v.parts[0].Relation.Sources() }

// Destinations implements Relation.
func (v *VirtualNetworks) Destinations() int { return v.parts[0].Relation.Destinations() }

// DestinationHost implements Relation.
func (v *VirtualNetworks) DestinationHost(d DestID) HostID {
	return v.parts[0].Relation.DestinationHost(d)
}

// SendsTo implements Sender.
func (v *VirtualNetworks) SendsTo(h HostID, d DestID) bool { return Sends(v.parts[0].Relation, h, d) }

// LinkCost implements Costed.
func (v *VirtualNetworks) LinkCost(c ChannelID) int { return LinkCost(v.parts[0].Relation, c) }

// Inject implements Relation: h may send messages of all classes.
func (v *VirtualNetworks) Inject(h HostID, d DestID, buf []Class) []Class {
	for m, p := range v.parts {
		at := len(buf)
		buf = p.Relation.Inject(h, d, buf)
		for i := range buf[at:] {
			buf[at+i] += v.first[m]
		}
	}
	return buf
}

// Next implements Relation. A packet on a VC that its message class does not use has no next hop.
func (v *VirtualNetworks) Next(s State, buf []Hop) []Hop {
	m, in, ok := v.inPart(s)
	if !ok {
		return buf
	}
	p, first, at := &v.parts[m], v.first[m], len(buf)
	buf = p.Relation.Next(in, buf)
	for j, h := range buf[at:] {
		c, i := p.Relation.Network().Channel(h.VC)
		if v.net.Kind(c) != Eject {
			i += p.First
		}
		buf[at+j] = Hop{v.net.VC(c, i), h.Class + first}
	}
	return buf
}

// inPart returns the message class of a packet in state s, and the state in the routing of this
// class. It returns false if the class does not use the VC of s.
func (v *VirtualNetworks) inPart(s State) (m int16, in State, ok bool) {
	m = v.of[s.Class]
	n := v.parts[m].Relation.Network()
	c, i := v.net.Channel(s.VC)
	if i -= v.parts[m].First; v.net.Kind(c) == Inject {
		i = 0
	}
	if i < 0 || i >= n.VCs() {
		return m, in, false
	}
	return m, State{VC: n.VC(c, i), Dest: s.Dest, Class: s.Class - v.first[m]}, true
}

// commits returns CommitsIn for the routings of all classes.
func (v *VirtualNetworks) commits(w Waiting) func(State) bool {
	parts, some := make([]func(State) bool, len(v.parts)), false
	for m := range v.parts {
		parts[m] = CommitsIn(v.parts[m].Relation, w)
		some = some || parts[m] != nil
	}
	if !some {
		return nil
	}
	return func(s State) bool {
		m, in, ok := v.inPart(s)
		return ok && parts[m] != nil && parts[m](in)
	}
}

// hopWeights returns HopWeightsOf for the routings of all classes. The hops of a routing without
// weights have weight 1.
func (v *VirtualNetworks) hopWeights() func(State, []uint32) []uint32 {
	parts, some := make([]func(State, []uint32) []uint32, len(v.parts)), false
	for m := range v.parts {
		parts[m] = HopWeightsOf(v.parts[m].Relation)
		some = some || parts[m] != nil
	}
	if !some {
		return nil
	}
	return func(s State, buf []uint32) []uint32 {
		m, in, ok := v.inPart(s)
		switch {
		case !ok:
		case parts[m] != nil:
			buf = parts[m](in, buf)
		default:
			for range v.parts[m].Relation.Next(in, nil) {
				buf = append(buf, 1)
			}
		}
		return buf
	}
}
