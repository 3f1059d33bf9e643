package model

import (
	"iter"
	"math/bits"
)

// AllClasses is the set of all classes.
const AllClasses ClassSet = 1<<MaxClasses - 1

// Distinct returns the lowest class of each group of classes that get the same VCs everywhere.
// On channels to hosts the VC does not matter; classes differ there only if the map drops one
// of them. Cost: O(rows × classes).
func (m *VCMap) Distinct(n *Network) ClassSet {
	var group [MaxClasses]ClassSet // by class: the lower classes with the same VCs in all rows so far
	for k := range group {
		group[k] = 1<<k - 1
	}
	for out, row := range m.HostRows(n) {
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
	isHost := func(c ChannelID) bool { return n.HostOf(c) == NoHost || !n.Host(n.HostOf(c)).Management }
	return func(yield func(ChannelID, uint64) bool) {
		for u := range SwitchID(n.NumSwitches()) {
			for i, a := range n.Out(u) {
				for j, b := range n.Out(u) {
					if isHost(a) && isHost(b) && !yield(b, *m.row(n, u, i, j)) {
						return
					}
				}
			}
		}
	}
}

// AnyClasses returns the class sets (see SetClasses) for packets that may have any of the given
// classes. A set holds the classes that m does not drop on the path of the pair. Cost: O(1) per
// pair if m drops none of the classes, else O(classes × path length).
func (t *Table) AnyClasses(classes ClassSet, m *VCMap) []ClassSet {
	hosts := t.net.NumHosts()
	sets := make([]ClassSet, t.hostDests*hosts)
	drops := m.Drops(classes)
	for i := range sets {
		sets[i] = classes
		if drops {
			sets[i] = t.kept(HostID(i%hosts), DestID(i/hosts), classes, m)
		}
	}
	return sets
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
