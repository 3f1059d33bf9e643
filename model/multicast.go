package model

import (
	"cmp"
	"slices"
)

// Multicast holds the multicast forwarding tables of a network.
//
// A host can send to a group if its switch has an entry for the group. A switch copies a packet
// to every port of its entry except the port on which the packet arrived. The packet keeps its
// buffer until each copy has a next buffer.
type Multicast struct {
	Groups []MulticastGroup // ascending by MLID
}

// MulticastGroup is the address of a group with the entries of all switches that have one.
type MulticastGroup struct {
	MLID    uint16
	Class   Class            // InfiniBand: the service level of the group's packets
	Entries []MulticastEntry // ascending by switch
}

// MulticastEntry is the set of ports through which a switch forwards packets of a group.
type MulticastEntry struct {
	Switch SwitchID
	Ports  []Port // ascending
}

// Entry returns the ports of switch u, or nil if it has no entry.
func (g *MulticastGroup) Entry(u SwitchID) []Port {
	i, ok := slices.BinarySearchFunc(g.Entries, u, func(e MulticastEntry, u SwitchID) int { return cmp.Compare(e.Switch, u) })
	if !ok {
		return nil
	}
	return g.Entries[i].Ports
}

// Senders returns the sources of r that can send to g.
func (g *MulticastGroup) Senders(r Relation) (list []HostID) {
	for h := range HostID(r.Sources()) {
		if g.Entry(r.Network().Host(h).Switch) != nil {
			list = append(list, h)
		}
	}
	return list
}

// Copies appends to buf the VCs of the copies that the switch at the head of channel in sends.
// It leaves out copies to a port without a cable and copies whose class is dropped.
func (g *MulticastGroup) Copies(r Relation, in ChannelID, buf []VCID) []VCID {
	n := r.Network()
	u := n.Head(in)
	if u == NoSwitch {
		return buf
	}
	back := n.Reverse(in)
	for _, p := range g.Entry(u) {
		out := n.OutAt(u, p)
		if out == NoChannel || out == back {
			continue
		}
		if vc := copyVC(r, in, out, g.Class); vc == DropVC {
			continue
		} else if n.Kind(out) == SwitchToSwitch {
			buf = append(buf, n.VC(out, vc))
		} else {
			buf = append(buf, n.VC(out, 0))
		}
	}
	return buf
}

// copyVC returns the VC index of a copy. If r is a table, a copy has the VC of a unicast packet
// of the same class, else the VC is the class.
func copyVC(r Relation, in, out ChannelID, k Class) int {
	switch r := r.(type) {
	case Flowing:
		return copyVC(r.AllPairs(), in, out, k)
	case interface {
		HopVC(in, out ChannelID, k Class) int
	}:
		return r.HopVC(in, out, k)
	}
	return int(k)
}

// VCMapOf returns the map of VCs of a table, an adaptive table, or one of these on some flows. It returns nil if r is none of them, or the VC is
// the class.
func VCMapOf(r Relation) *VCMap {
	switch r := r.(type) {
	case Flowing:
		return VCMapOf(r.AllPairs())
	case interface{ VCMap() *VCMap }:
		return r.VCMap()
	}
	return nil
}

// NumEntries returns the number of entries of all groups.
func (m *Multicast) NumEntries() int {
	k := 0
	for _, g := range m.Groups {
		k += len(g.Entries)
	}
	return k
}

// Classes returns the classes of all groups.
func (m *Multicast) Classes() (used ClassSet) {
	for _, g := range m.Groups {
		used |= 1 << g.Class
	}
	return used
}
