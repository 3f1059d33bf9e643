package model

import (
	"iter"
	"math/bits"
)

// AllClasses is the set of all classes.
const AllClasses ClassSet = 1<<MaxClasses - 1

// Distinct returns the lowest class of each group of classes that get the same VCs everywhere
// between hosts. On channels to hosts the VC does not matter; classes differ there only if the map
// drops one of them. Cost: O(rows × classes).
func (m *VCMap) Distinct(n *Network) ClassSet { return distinct(n, m.HostRows(n)) }

// DistinctManaged is Distinct for packets between all endpoints, which include management
// endpoints.
func (m *VCMap) DistinctManaged(n *Network) ClassSet {
	return distinct(n, m.rowsOf(n, func(ChannelID) bool { return true }))
}

// distinct returns the lowest class of each group of classes that have the same VCs in all rows.
func distinct(n *Network, rows iter.Seq2[ChannelID, uint64]) ClassSet {
	var group [MaxClasses]ClassSet // by class: the lower classes with the same VCs in all rows so far
	for k := range group {
		group[k] = 1<<k - 1
	}
	for out, row := range rows {
		var with [MaxClasses]ClassSet // by VC: its classes
		for k := range MaxClasses {
			with[row>>(4*k)&0xf] |= 1 << k
		}
		for k := range group {
			same := with[row>>(4*k)&0xf]
			if n.Kind(out) == Eject && same != with[DropVC] {
				same = ^with[DropVC]
			}
			group[k] &= same
		}
	}
	var first ClassSet
	for k, before := range group {
		if before == 0 {
			first |= 1 << k
		}
	}
	return first
}

// HostRows yields the channel out and the row of each pair of channels that packets between
// hosts use. The VC of class k is in bits 4k to 4k+3.
func (m *VCMap) HostRows(n *Network) iter.Seq2[ChannelID, uint64] {
	return m.rowsOf(n, func(c ChannelID) bool { return n.HostOf(c) == NoHost || !n.Host(n.HostOf(c)).Management })
}

// rowsOf yields the channel out and the row of each pair of channels that are included.
func (m *VCMap) rowsOf(n *Network, isIncluded func(ChannelID) bool) iter.Seq2[ChannelID, uint64] {
	return func(yield func(ChannelID, uint64) bool) {
		for u := range SwitchID(n.NumSwitches()) {
			for i, a := range n.Out(u) {
				for j, b := range n.Out(u) {
					if isIncluded(a) && isIncluded(b) && !yield(b, *m.row(n, u, i, j)) {
						return
					}
				}
			}
		}
	}
}

// Possible returns a function that returns those of the classes that m does not drop on the path
// from an endpoint to a destination. If m is nil, the VC is the class. Cost of a call: O(1) if m drops
// none of the classes, else O(classes × path length).
func (t *Table) Possible(classes ClassSet, m *VCMap) func(HostID, DestID) ClassSet {
	switch {
	case m == nil:
		classes &^= 1 << DropVC
	case m.Drops(classes):
		return func(h HostID, d DestID) ClassSet { return t.kept(h, d, classes, m) }
	}
	return func(HostID, DestID) ClassSet { return classes }
}

// kept returns the classes that m does not drop on the path from h to d.
func (t *Table) kept(h HostID, d DestID, classes ClassSet, m *VCMap) ClassSet {
	row, in := t.Row(d), t.net.InjectChannel(h)
	for range t.net.NumSwitches() + 1 { // a path that loops enters a switch a second time through another cable
		out := row[t.net.Head(in)]
		if out < 0 {
			return classes
		}
		for s := classes; s != 0; s &= s - 1 {
			if k := bits.TrailingZeros16(uint16(s)); m.VC(t.net, in, out, Class(k)) == DropVC {
				classes &^= 1 << k
			}
		}
		if t.net.Head(out) == NoSwitch {
			return classes
		}
		in = out
	}
	return classes
}
