package model

import (
	"cmp"
	"slices"
)

// Automorphism maps the switches, cables and hosts of a network one to one onto themselves: the image of a cable joins
// the images of its ends, and VCs keep their indices. Memory: four bytes per switch, link and host.
type Automorphism struct {
	net      *Network
	switches []SwitchID
	links    []ChannelID // by link l: the image of channel 2l; that of channel 2l+1 is the reverse
	hosts    []HostID
}

// Automorphism returns an automorphism that maps switch u to image[u]. It maps parallel links, and the hosts of
// a switch, in the order of their ports. It returns nil if there is none, or if n has management endpoints. Cost:
// O(channels × log).
func (n *Network) Automorphism(image []SwitchID) *Automorphism {
	if len(image) != n.NumSwitches() || n.NumEndpoints() > n.NumHosts() {
		return nil
	}
	a := &Automorphism{n, image, make([]ChannelID, n.NumLinks()), make([]HostID, n.NumHosts())}
	taken := make([]bool, len(image))
	for _, v := range image {
		if v < 0 || int(v) >= len(image) || taken[v] {
			return nil
		}
		taken[v] = true
	}
	var from, to []ChannelID
	for u, v := range image {
		from, to = append(from[:0], n.Out(SwitchID(u))...), append(to[:0], n.Out(v)...)
		slices.SortStableFunc(from, func(c, d ChannelID) int { return cmp.Compare(a.switchAt(n.head[c]), a.switchAt(n.head[d])) })
		slices.SortStableFunc(to, func(c, d ChannelID) int { return cmp.Compare(n.head[c], n.head[d]) })
		if len(from) != len(to) || !a.match(from, to) {
			return nil
		}
	}
	return a
}

// switchAt returns the image of a switch, and NoSwitch for NoSwitch.
func (a *Automorphism) switchAt(u SwitchID) SwitchID {
	if u == NoSwitch {
		return NoSwitch
	}
	return a.switches[u]
}

// match maps channels out of a switch to those out of its image. Links are mapped at their smaller end.
func (a *Automorphism) match(from, to []ChannelID) bool {
	n := a.net
	for i, c := range from {
		d := to[i]
		switch {
		case a.switchAt(n.head[c]) != n.head[d] || n.Absent(c) != n.Absent(d):
			return false
		case n.Kind(c) == Eject:
			a.hosts[n.HostOf(c)] = n.HostOf(d)
		case n.tail[c] > n.head[c]:
		case c%2 == 0:
			a.links[c/2] = d
		default:
			a.links[c/2] = n.Reverse(d)
		}
	}
	return true
}

// Switch returns the image of a switch.
func (a *Automorphism) Switch(u SwitchID) SwitchID { return a.switches[u] }

// Host returns the image of a host.
func (a *Automorphism) Host(h HostID) HostID { return a.hosts[h] }

// Channel returns the image of a channel.
func (a *Automorphism) Channel(c ChannelID) ChannelID {
	n := a.net
	switch n.Kind(c) {
	case Inject:
		return n.InjectChannel(a.hosts[n.HostOf(c)])
	case Eject:
		return n.EjectChannel(a.hosts[n.HostOf(c)])
	}
	return a.links[c/2] ^ c%2
}

// VC returns the image of a VC.
func (a *Automorphism) VC(v VCID) VCID {
	c, i := a.net.Channel(v)
	return a.net.VC(a.Channel(c), i)
}
