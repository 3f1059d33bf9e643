package model

import (
	"fmt"
	"math/bits"
	"slices"
)

// Destination is the key of a forwarding table entry.
type Destination struct {
	Host HostID // the endpoint that answers to it
	LID  uint16 // InfiniBand: the address; 0 if there is none
}

// MaxClasses is the number of classes (service levels) and of VCs (virtual lanes) that a VCMap
// can distinguish.
const MaxClasses = 16

// ClassSet is a set of classes, bit k for class k.
type ClassSet uint16

// DropVC is the VC of a packet that is dropped (InfiniBand: VL 15 carries no data).
const DropVC = 15

// Table is a destination-based forwarding table. For each switch and destination it gives the
// channel on which packets of every class leave. (Routing by class, as with VLANs, needs a path
// set.) The VC on that channel is the class of the packet, or a VCMap computes it from the
// class and the two ports. Each pair of source and destination has one class or a set of
// classes.
//
// Memory: four bytes per switch for each destination with entries, and two bytes per pair of
// hosts if classes are given.
type Table struct {
	net        *Network
	dests      []Destination // of hosts first, then of management endpoints
	hostDests  int
	management Management
	rows       [][]ChannelID // by destination and switch; a nil row has no entries; noPort(p) is port p without a cable
	empty      []ChannelID   // a row without entries
	classes    []ClassSet    // by destination of a host and host; if nil, packets between hosts have class 0
	managed    []ClassSet    // by destination and endpoint, see SetManagementClasses; if nil, management traffic has class 0
	stated     []ClassSet    // as managed, see SetStated
	used       ClassSet      // all classes that packets can have
	more       ClassSet      // those of them that may be in the network although no host sends with them
	vcs        *VCMap        // if nil, the VC is the class
}

// AllAddresses returns a destination for each address of each endpoint of n. An endpoint
// without an address has one destination with LID 0.
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

// noPort encodes an entry that names a port without a cable. NoChannel means that there is no
// entry.
func noPort(p Port) ChannelID { return ChannelID(-2 - p) }

// NewTable returns a table without entries on n, with one VC per channel (see SetClasses).
// Destinations of management endpoints must come after all others.
func NewTable(n *Network, dests []Destination) *Table {
	t := &Table{net: n.WithVCs(1), dests: dests, used: 1, rows: make([][]ChannelID, len(dests)), empty: make([]ChannelID, n.NumSwitches())}
	for i := range t.empty {
		t.empty[i] = NoChannel
	}
	for i, d := range dests {
		switch {
		case n.Host(d.Host).Management:
		case i > t.hostDests:
			panic(fmt.Sprintf("model: destination %d of a host comes after one of a management endpoint", i))
		default:
			t.hostDests++
		}
	}
	return t
}

// SetPort sets the entry of switch u for destination d to port p. If the port has no cable, the
// table keeps the entry and the switch drops the packets.
func (t *Table) SetPort(u SwitchID, d DestID, p Port) {
	if p < 0 || p > MaxPort {
		panic(fmt.Sprintf("model: port %d is out of range; want 0 to %d", p, MaxPort))
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

// ClearPort removes the entry of switch u for destination d.
func (t *Table) ClearPort(u SwitchID, d DestID) {
	if t.rows[d] != nil {
		t.rows[d][u] = NoChannel
	}
}

// Clone returns a copy of the table. SetPort on one of the two does not change the other.
func (t *Table) Clone() *Table {
	c := *t
	c.rows = make([][]ChannelID, len(t.rows))
	for d, row := range t.rows {
		c.rows[d] = slices.Clone(row)
	}
	return &c
}

// CloneRows returns a copy of the table with own rows for the destinations of list. The two
// tables share all other rows.
func (t *Table) CloneRows(list []DestID) *Table {
	c := *t
	c.rows = slices.Clone(t.rows)
	for _, d := range list {
		c.rows[d] = slices.Clone(t.rows[d])
	}
	return &c
}

// CopyRow replaces the entries for d by a copy of the entries of from, a table of the same
// network and destinations.
func (t *Table) CopyRow(from *Table, d DestID) { t.rows[d] = slices.Clone(from.rows[d]) }

// TakeRow replaces the entries for d by the entries of from for its destination e. The tables
// share these entries afterwards. Their networks must have the same channels.
func (t *Table) TakeRow(d DestID, from *Table, e DestID) { t.rows[d] = from.rows[e] }

// Port returns the port through which switch u forwards packets to destination d. It returns
// false if the table has no entry.
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

// Row returns for each switch the channel on which packets to d leave, or a negative number if
// there is none. The caller must not change the slice.
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

// SetClasses sets the classes with which hosts send: sets[d*hosts+h] for host h and destination
// d of a host. If a set is empty, h has no route to d. vcs maps classes to VCs; if nil, the VC
// is the class. The number of VCs of the network becomes the number that these classes can
// reach. Packets of a class that maps to DropVC are dropped.
func (t *Table) SetClasses(sets []ClassSet, vcs *VCMap) {
	if sets != nil && len(sets) != t.hostDests*t.net.NumHosts() {
		panic(fmt.Sprintf("model: %d class sets for %d destinations and %d hosts", len(sets), t.hostDests, t.net.NumHosts()))
	}
	t.classes, t.vcs = sets, vcs
	t.countClasses()
}

// WithClasses returns a table that forwards packets of more classes, which no host sends: those of the table that it replaces, say. The
// tables share their entries. The number of VCs becomes the number that all classes can reach.
func (t *Table) WithClasses(more ClassSet) *Table {
	c := *t
	c.more |= more
	c.countClasses()
	return &c
}

// countClasses determines the classes in use and the number of VCs that these classes can reach.
func (t *Table) countClasses() {
	t.used = 1 | t.more
	for _, s := range t.classes {
		t.used |= s
	}
	if t.management != NoManagement {
		t.used |= t.managedClasses()
	}
	largest := bits.Len16(uint16(t.used&^(1<<DropVC))) - 1
	if t.vcs != nil {
		largest = t.vcs.largest(t.used)
	}
	t.net = t.net.WithVCs(largest + 1)
}

// UsedClasses returns all classes that packets can have.
func (t *Table) UsedClasses() ClassSet { return t.used }

// ClassSets returns the class sets by destination and host, or nil if every packet between hosts
// has class 0.
func (t *Table) ClassSets() []ClassSet { return t.classes }

// IsPlain reports whether all packets have class 0 and the VC is the class.
func (t *Table) IsPlain() bool {
	return t.classes == nil && t.vcs == nil && !t.HasManagementClasses()
}

// VCMap returns the map from classes to VCs, or nil if the VC is the class.
func (t *Table) VCMap() *VCMap { return t.vcs }

// AllDestinations returns the number of destinations of the table, including management
// endpoints that the relation leaves out (see WithManagement).
func (t *Table) AllDestinations() int { return len(t.dests) }

// HostDestinations returns the number of destinations of hosts.
func (t *Table) HostDestinations() int { return t.hostDests }

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
	if t.isManagement(h, d) {
		return t.managementClassesOf(h, d)
	}
	if t.classes == nil {
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

// HopVC returns the VC index of a packet of class k that moves from channel in to channel out,
// or DropVC if the packet is dropped. Both channels must be at the same switch.
func (t *Table) HopVC(in, out ChannelID, k Class) int {
	if t.vcs == nil {
		return int(k)
	}
	return t.vcs.VC(t.net, in, out, k)
}

// Next implements Relation. It appends at most one hop. A class that no packet has gets no hop,
// because its VC need not exist.
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

// VCMap gives the VC for each class by switch, cable in and cable out (InfiniBand: the SL-to-VL
// tables). Memory: eight bytes per pair of cables of a switch.
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

// row returns a pointer to the row for cable indices in and out of switch u.
func (m *VCMap) row(n *Network, u SwitchID, in, out int) *uint64 {
	return &m.rows[m.start[u]+in*len(n.Out(u))+out]
}

// Set maps class k to VC vc for packets that pass switch u from cable index in to cable index
// out (see Network.OutIndex).
func (m *VCMap) Set(n *Network, u SwitchID, in, out int, k Class, vc int) {
	r := m.row(n, u, in, out)
	*r = *r&^(0xf<<(4*k)) | uint64(vc&0xf)<<(4*k)
}

// VC returns the VC of class k between two channels of one switch.
func (m *VCMap) VC(n *Network, in, out ChannelID, k Class) int {
	r := *m.row(n, n.Tail(out), n.InIndex(in), n.OutIndex(out))
	return int(r>>(4*uint(k))) & 0xf
}

// Rows returns the rows of the map by switch, cable in and cable out. The VC of class k is in
// bits 4k to 4k+3. The caller must not change the slice.
func (m *VCMap) Rows() []uint64 { return m.rows }

// Drops reports whether packets of a class in used are dropped at any pair of cables.
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

// largest returns the largest VC other than DropVC that a class in used can get.
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
