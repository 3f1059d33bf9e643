package model

import (
	"fmt"
	"math/bits"
	"slices"
)

// Destination is what a forwarding table has an entry for.
type Destination struct {
	Host HostID // the endpoint that answers to it
	LID  uint16 // InfiniBand: the address; 0 where there is none
}

// MaxClasses is the number of classes (service levels) and of VCs (virtual
// lanes) that a VCMap can tell apart.
const MaxClasses = 16

// ClassSet is a set of classes, bit k for class k.
type ClassSet uint16

// DropVC as a packet's VC means that it is dropped (InfiniBand: VL 15 carries
// no data).
const DropVC = 15

// Table is a destination-based forwarding table: for each switch and
// destination the channel that packets leave by, whatever their class. (Where
// the class decides on the way, as with VLANs, a path set is the relation.) The VC on that channel is
// the packet's class, or what a VCMap makes of the class and the two ports;
// the class is fixed, or offered as a set, per pair of source and destination.
//
// Memory: four bytes per switch for each destination that has entries, and two
// a pair of hosts where classes are given.
type Table struct {
	net        *Network
	dests      []Destination // those of hosts first, then those of management endpoints
	hostDests  int
	management Management
	rows       [][]ChannelID // by destination, nil: no entry; by switch; noPort(p): port p, without a cable
	empty      []ChannelID   // a row without entries
	classes    []ClassSet    // by destination of a host and host; nil: class 0 for all
	used       ClassSet      // all classes that packets can have
	vcs        *VCMap        // nil: VC = class
}

// AllAddresses returns a destination for each address of each endpoint of n, one without an address
// for an endpoint that has none.
func AllAddresses(n *Network) []Destination {
	var list []Destination
	for h := range HostID(n.NumEndpoints()) {
		host := n.Host(h)
		if host.LID == 0 {
			list = append(list, Destination{Host: h})
			continue
		}
		for i := range uint16(1) << host.LMC {
			list = append(list, Destination{Host: h, LID: host.LID + i})
		}
	}
	return list
}

// noPort encodes an entry that names a port with no cable. NoChannel is an
// entry that is not there.
func noPort(p Port) ChannelID { return ChannelID(-2 - p) }

// NewTable returns a table without entries on n, with one VC per channel
// whatever n has (see SetClasses). Destinations of management endpoints must
// come after all others.
func NewTable(n *Network, dests []Destination) *Table {
	t := &Table{net: n.WithVCs(1), dests: dests, used: 1, rows: make([][]ChannelID, len(dests)), empty: make([]ChannelID, n.NumSwitches())}
	for i := range t.empty {
		t.empty[i] = NoChannel
	}
	for i, d := range dests {
		switch {
		case n.Host(d.Host).Management:
		case i > t.hostDests:
			panic(fmt.Sprintf("model: destination %d is a host's, but comes after a management endpoint's", i))
		default:
			t.hostDests++
		}
	}
	return t
}

// SetPort makes switch u forward packets to destination d by port p. A port
// without a cable is kept, and drops the packets.
func (t *Table) SetPort(u SwitchID, d DestID, p Port) {
	if p < 0 || p > MaxPort {
		panic(fmt.Sprintf("model: port %d, allowed are 0 to %d", p, MaxPort))
	}
	c := t.net.OutAt(u, p)
	if c == NoChannel {
		c = noPort(p)
	}
	if t.rows[d] == nil {
		t.rows[d] = slices.Clone(t.empty)
	}
	t.rows[d][u] = c
}

// Clone returns a table with the same entries, classes and VCs; setting ports in one leaves the other
// as it is.
func (t *Table) Clone() *Table {
	c := *t
	c.rows = make([][]ChannelID, len(t.rows))
	for d, row := range t.rows {
		c.rows[d] = slices.Clone(row)
	}
	return &c
}

// CloneRows returns a table that has rows of its own for the destinations of list. It shares all
// others with t.
func (t *Table) CloneRows(list []DestID) *Table {
	c := *t
	c.rows = slices.Clone(t.rows)
	for _, d := range list {
		c.rows[d] = slices.Clone(t.rows[d])
	}
	return &c
}

// CopyRow gives t the entries for d that from has, a table of the same network and destinations.
func (t *Table) CopyRow(from *Table, d DestID) { t.rows[d] = slices.Clone(from.rows[d]) }

// TakeRow gives t the entries that from has for its destination e, as those for d.
// The tables share them afterwards. Their networks have the same channels.
func (t *Table) TakeRow(d DestID, from *Table, e DestID) { t.rows[d] = from.rows[e] }

// Port returns the port by which switch u forwards packets to destination d,
// and false where the table has no entry.
func (t *Table) Port(u SwitchID, d DestID) (Port, bool) {
	switch c := t.Row(d)[u]; {
	case c == NoChannel:
		return 0, false
	case c < 0:
		return Port(-2 - c), true
	default:
		return t.net.TailPort(c), true
	}
}

// Row returns, by switch, the channel by which packets to d leave it, or a
// negative number where there is none. It must not be written to.
func (t *Table) Row(d DestID) []ChannelID {
	if t.rows[d] == nil {
		return t.empty
	}
	return t.rows[d]
}

// Entries returns the number of entries. Cost: O(switches × destinations).
func (t *Table) Entries() int {
	k := 0
	for _, row := range t.rows {
		for _, c := range row {
			if c != NoChannel {
				k++
			}
		}
	}
	return k
}

// SetClasses gives the classes with which hosts may send: sets[d*hosts+h] for
// host h and destination d of a host; an empty set means that h has no route
// to offer. vcs maps classes to VCs, nil is the identity. The network's number
// of VCs becomes what these can reach. Management endpoints use class 0.
// Classes that map to no VC but DropVC are dropped.
func (t *Table) SetClasses(sets []ClassSet, vcs *VCMap) {
	if sets != nil && len(sets) != t.hostDests*t.net.NumHosts() {
		panic(fmt.Sprintf("model: %d class sets for %d destinations and %d hosts", len(sets), t.hostDests, t.net.NumHosts()))
	}
	t.classes, t.vcs, t.used = sets, vcs, 1
	for _, s := range sets {
		t.used |= s
	}
	largest := bits.Len16(uint16(t.used&^(1<<DropVC))) - 1
	if vcs != nil {
		largest = vcs.largest(t.used)
	}
	t.net = t.net.WithVCs(largest + 1)
}

// UsedClasses returns all classes that packets can have.
func (t *Table) UsedClasses() ClassSet { return t.used }

// ClassSets returns the class sets by destination and host, nil where every
// packet has class 0.
func (t *Table) ClassSets() []ClassSet { return t.classes }

// VCMap returns the map from classes to VCs, nil for the identity.
func (t *Table) VCMap() *VCMap { return t.vcs }

// AllDestinations returns the number of destinations that the table has
// entries for, management endpoints included even if they take no part.
func (t *Table) AllDestinations() int { return len(t.dests) }

// Destination returns destination d.
func (t *Table) Destination(d DestID) Destination { return t.dests[d] }

// Network implements Relation.
func (t *Table) Network() *Network { return t.net }

// HasLIDs reports whether each destination of a host has a LID.
func (t *Table) HasLIDs() bool {
	return !slices.ContainsFunc(t.dests[:t.hostDests], func(d Destination) bool { return d.LID == 0 })
}

// Classes implements Relation.
func (t *Table) Classes() int { return bits.Len16(uint16(t.used)) }

// Sources implements Relation.
func (t *Table) Sources() int {
	if t.management != NoManagement {
		return t.net.NumEndpoints()
	}
	return t.net.NumHosts()
}

// Destinations implements Relation.
func (t *Table) Destinations() int {
	if t.management != NoManagement {
		return len(t.dests)
	}
	return t.hostDests
}

// DestinationHost implements Relation.
func (t *Table) DestinationHost(d DestID) HostID { return t.dests[d].Host }

// ClassesOf returns the classes with which endpoint h may send to d.
func (t *Table) ClassesOf(h HostID, d DestID) ClassSet {
	if t.classes == nil || int(d) >= t.hostDests || int(h) >= t.net.NumHosts() {
		return 1
	}
	return t.classes[int(d)*t.net.NumHosts()+int(h)]
}

// Inject implements Relation.
func (t *Table) Inject(h HostID, d DestID, buf []Class) []Class {
	for s := t.ClassesOf(h, d); s != 0; s &= s - 1 {
		buf = append(buf, Class(bits.TrailingZeros16(uint16(s))))
	}
	return buf
}

// HopVC returns the VC index that a packet of class k gets on channel out when
// it came by channel in, and DropVC where it is dropped. Both channels are at
// the same switch.
func (t *Table) HopVC(in, out ChannelID, k Class) int {
	if t.vcs == nil {
		return int(k)
	}
	return t.vcs.VC(t.net, in, out, k)
}

// Next implements Relation: at most one hop, none for a class that no packet has, since its
// VC need not be there.
func (t *Table) Next(s State, buf []Hop) []Hop {
	in, _ := t.net.Channel(s.VC)
	u := t.net.Head(in)
	if u == NoSwitch || t.used>>uint(s.Class)&1 == 0 {
		return buf
	}
	out := t.Row(s.Dest)[u]
	if out < 0 {
		return buf
	}
	vc := t.HopVC(in, out, s.Class)
	if vc == DropVC {
		return buf
	}
	if int(out) >= t.net.NumLinkChannels() {
		vc = 0
	}
	return append(buf, Hop{t.net.VC(out, vc), s.Class})
}

// VCMap gives the VC for each class by switch, cable in and cable out
// (InfiniBand: the SL-to-VL tables). Memory: eight bytes per pair of cables of
// a switch.
type VCMap struct {
	start []int // by switch, into rows
	rows  []uint64
}

// identityRow maps class k to VC k.
const identityRow = 0xfedcba9876543210

// NewVCMap returns the identity map for network n.
func NewVCMap(n *Network) *VCMap {
	m := &VCMap{start: make([]int, n.NumSwitches()+1)}
	for u := range SwitchID(n.NumSwitches()) {
		m.start[u+1] = m.start[u] + len(n.Out(u))*len(n.Out(u))
	}
	m.rows = make([]uint64, m.start[n.NumSwitches()])
	for i := range m.rows {
		m.rows[i] = identityRow
	}
	return m
}

// row returns the place of the row for the cables with index in and out of switch u.
func (m *VCMap) row(n *Network, u SwitchID, in, out int) *uint64 {
	return &m.rows[m.start[u]+in*len(n.Out(u))+out]
}

// Set makes class k of packets that pass switch u from cable index in to
// cable index out (see Network.OutIndex) use VC number vc.
func (m *VCMap) Set(n *Network, u SwitchID, in, out int, k Class, vc int) {
	r := m.row(n, u, in, out)
	*r = *r&^(0xf<<(4*k)) | uint64(vc&0xf)<<(4*k)
}

// VC returns the VC that class k gets between two channels of one switch.
func (m *VCMap) VC(n *Network, in, out ChannelID, k Class) int {
	r := *m.row(n, n.Tail(out), n.InIndex(in), n.OutIndex(out))
	return int(r>>(4*uint(k))) & 0xf
}

// Rows returns the map's rows: by switch, cable in, cable out; the VC of class
// k is in bits 4k to 4k+3. It must not be written to.
func (m *VCMap) Rows() []uint64 { return m.rows }

// Drops reports whether packets of one of the classes are dropped anywhere.
func (m *VCMap) Drops(used ClassSet) bool {
	for _, r := range m.rows {
		for s := used; s != 0; s &= s - 1 {
			if int(r>>(4*bits.TrailingZeros16(uint16(s))))&0xf == DropVC {
				return true
			}
		}
	}
	return false
}

// largest returns the largest VC, DropVC left out, that the classes can get.
func (m *VCMap) largest(used ClassSet) int {
	top := 0
	for _, r := range m.rows {
		for s := used; s != 0; s &= s - 1 {
			if vc := int(r>>(4*bits.TrailingZeros16(uint16(s)))) & 0xf; vc != DropVC {
				top = max(top, vc)
			}
		}
	}
	return top
}
