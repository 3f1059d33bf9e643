package dumps

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// Switch is what the dumps of one switch state.
type Switch struct {
	Name       string
	Files      []string              // all files that were read
	Tables     []*Table              // in the order of the files
	Interfaces map[string]*Interface // by name; nil if no dump lists them
	Addresses  string                // the file of Interfaces
	Neighbors  []Neighbor
	LLDP       string            // the file of Neighbors; empty if there is none
	QoS        *QoS              // nil if no dump states it
	Aliases    map[string]string // ports by the alias that config_db.json gives them, which SONiC sends by LLDP
	AS         uint32            // the number of its autonomous system; 0 if no dump states it
	// Peers are the BGP sessions by address or interface of the peer, and whether they are established; nil if no dump lists them.
	Peers map[string]bool
	// MustRoute is true if a dump tells that it is a switch or router, so that it has routes.
	MustRoute bool
	// Empty are files without content, such as the routes of a switch without links.
	Empty []string
}

// Table is the routes of a dump that forward packets, one for each prefix.
type Table struct {
	File    string
	Source  string // the program that printed it, as "zebra"
	Entries []Entry
	Sets    [][]NextHop // different from each other
	// IPv6 counts the IPv6 routes, and OtherVRF the routes outside the default VRF by VRF. Both are left out.
	IPv6 int
	// IPv6Routed counts those of them that have a next hop and are no default route: they forward frames of hosts. IPv6Example is one of them.
	IPv6Routed  int
	IPv6Example netip.Prefix
	OtherVRF    map[string]int
	// ConnectedVRF are the prefixes that the switch is connected to in such a VRF.
	ConnectedVRF map[netip.Prefix]string
	Own          []Key          // addresses of the switch itself that are routes, as in FRR 10
	Backup       map[Key]bool   // prefixes with a further route, which takes over when the next hops of the first are gone
	ByInterface  map[Key]bool   // prefixes with a route by an interface without a next hop, to which the switch is not connected
	Protocol     map[Key]string // of routes, as zebra or Linux names it, as far as the dump says
	Cost         map[Key]int64  // of routes of OSPF to the prefixes of its interfaces, which are not used
	Metric       map[Key]int64  // of routes of OSPF, as far as the dump says
	Static       map[Key]bool   // prefixes whose route is of no routing protocol, as far as the dump says
	// Unannounced are prefixes that no BGP session announces with the next hops of the route: the route is of another protocol, or BGP resolves its next hops
	// by other routes.
	Unannounced []Key
	Aggregates  []Key // prefixes whose frames BGP drops at the switch: it announces them while it has a route to a longer prefix in them

	number map[string]int32 // by the text of a set
	text   []byte
	beside map[Key]NextHop // next hops for some frames only, by prefix
}

// Entry is a route to an IPv4 prefix. Memory: 12 bytes, since fabrics have millions.
type Entry struct {
	Key Key
	Set int32 // index of Table.Sets
}

// Key is an IPv4 prefix. It is masked.
type Key struct {
	Addr uint32
	Bits uint8
}

// KeyOf returns the key of an IPv4 prefix.
func KeyOf(p netip.Prefix) Key {
	b := p.Masked().Addr().As4()
	return Key{binary.BigEndian.Uint32(b[:]), uint8(p.Bits())}
}

// Prefix returns the prefix of a key.
func (k Key) Prefix() netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, k.Addr))), int(k.Bits))
}

// Contains reports whether all addresses of o are in k.
func (k Key) Contains(o Key) bool { return k.Bits <= o.Bits && (k.Addr^o.Addr)>>(32-k.Bits) == 0 }

// Compare orders keys by address, and a prefix before those that it contains.
func (k Key) Compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Addr, o.Addr), cmp.Compare(k.Bits, o.Bits))
}

// NextHop is one of the next hops of a route. It has an interface, or drops, or is not resolved.
type NextHop struct {
	Via  netip.Addr // the address of the next router; invalid if the destination is at the interface itself
	Dev  string
	Drop bool // packets are discarded
	// Problem says why packets do not simply leave through Dev, or is empty. Examples are tunnels.
	Problem string
}

// Interface is an interface of a switch.
type Interface struct {
	Name      string
	MAC       string // in lower case, or empty
	Master    string // the port channel or bridge that it belongs to, or empty
	Down      bool
	Addresses []netip.Prefix // with host bits
}

// OwnAddresses returns the IPv4 addresses of the switch that its dumps state, as prefixes of one address.
func (sw *Switch) OwnAddresses() map[Key]bool {
	own := map[Key]bool{}
	for _, x := range sw.Interfaces {
		for _, p := range x.Addresses {
			if p.Addr().Is4() {
				own[KeyOf(netip.PrefixFrom(p.Addr(), 32))] = true
			}
		}
	}
	for _, t := range sw.Tables {
		for _, k := range t.Own {
			own[k] = true
		}
	}
	return own
}

// Neighbor is what LLDP says about the other end of a cable.
type Neighbor struct {
	Port        string // of this switch
	Switch      string // the system name of the neighbour
	Chassis     string // its chassis identifier, with type
	IDType, ID  string // the port identifier of the neighbour, and its type
	Description string // the description of the port
	Forwards    bool   // the neighbour says that it is a bridge or router
	IsHost      bool   // it says what it is, and that is neither
}

// compact returns the first kilobyte of JSON without white space.
func compact(head []byte) []byte {
	return bytes.Join(bytes.Fields(head[:min(len(head), 4096)]), nil)
}

// newTable returns an empty table of a dump.
func newTable(src *textfile.File, source string) *Table {
	return &Table{File: src.Name, Source: source, number: map[string]int32{}, beside: map[Key]NextHop{}, OtherVRF: map[string]int{},
		ConnectedVRF: map[netip.Prefix]string{}, Static: map[Key]bool{}, Backup: map[Key]bool{},
		Metric: map[Key]int64{}, Cost: map[Key]int64{}, Protocol: map[Key]string{}, ByInterface: map[Key]bool{}}
}

// add adds a route. hops may be in any order, and may be used again by the caller.
func (t *Table) add(p netip.Prefix, hops []NextHop) {
	slices.SortFunc(hops, func(a, b NextHop) int {
		if c := strings.Compare(a.Dev, b.Dev); c != 0 {
			return c
		}
		return a.Via.Compare(b.Via)
	})
	hops = slices.Compact(hops)
	t.Entries = append(t.Entries, Entry{KeyOf(p), t.setOf(hops)})
}

// skipIPv6 counts an IPv6 route, given whether it has a next hop.
func (t *Table) skipIPv6(p netip.Prefix, hasNextHop bool) {
	t.IPv6++
	if hasNextHop && p.Bits() > 0 && !p.Addr().IsLinkLocalUnicast() && !p.Addr().IsMulticast() {
		t.IPv6Routed++
		t.IPv6Example = p
	}
}

// leaveOut counts a route in another VRF. hops may be nil.
func (t *Table) leaveOut(vrf string, p netip.Prefix, hops []NextHop) {
	t.OtherVRF[vrf]++
	if slices.ContainsFunc(hops, func(h NextHop) bool { return h.Dev != "" && !h.Drop && (!h.Via.IsValid() || h.Via.IsUnspecified()) }) {
		t.ConnectedVRF[p.Masked()] = vrf
	}
}

// addAggregate notes a route of BGP if it drops all frames.
func (t *Table) addAggregate(p netip.Prefix, hops []NextHop) {
	if len(hops) > 0 && !slices.ContainsFunc(hops, func(h NextHop) bool { return !h.Drop }) {
		t.Aggregates = append(t.Aggregates, KeyOf(p))
	}
}

// addBeside adds a next hop that some frames to a prefix take, besides those of its route.
func (t *Table) addBeside(p netip.Prefix, h NextHop) { t.beside[KeyOf(p)] = h }

// setOf returns the number of a set of sorted next hops.
func (t *Table) setOf(hops []NextHop) int32 {
	text := t.text[:0]
	for _, h := range hops {
		text = append(append(text, h.Dev...), 0)
		if h.Via.IsValid() {
			text = h.Via.AppendTo(text)
		}
		text = append(append(strconv.AppendBool(append(text, 0), h.Drop), h.Problem...), 1)
	}
	set, known := t.number[string(text)]
	if !known {
		set = int32(len(t.Sets))
		t.Sets, t.number[string(text)] = append(t.Sets, slices.Clone(hops)), set
	}
	t.text = text
	return set
}

// joinBeside adds the next hops for some frames to the routes.
func (t *Table) joinBeside() {
	for i, e := range t.Entries {
		if h, ok := t.beside[e.Key]; ok {
			t.Entries[i].Set = t.setOf(append(slices.Clone(t.Sets[e.Set]), h))
			delete(t.beside, e.Key)
		}
	}
	for k, h := range t.beside {
		t.add(k.Prefix(), []NextHop{h})
	}
}

// finish sorts the routes by prefix. It fails if a prefix has two, or if there is no route at all.
func (t *Table) finish(src *textfile.File) error {
	t.joinBeside()
	t.number, t.text, t.beside = nil, nil, nil
	slices.SortFunc(t.Entries, func(a, b Entry) int { return a.Key.Compare(b.Key) })
	for i := 1; i < len(t.Entries); i++ {
		if t.Entries[i].Key == t.Entries[i-1].Key {
			return src.FileError("%s has two selected routes; want one", t.Entries[i].Key.Prefix())
		}
	}
	if len(t.Entries) == 0 && t.IPv6 == 0 && len(t.OtherVRF) == 0 {
		return src.FileError("no selected route; want at least one")
	}
	return nil
}

// isDynamic reports whether a route is of a routing protocol, by the word of zebra or Linux for it, or by its number in Linux (rtnetlink.h, and
// zebra/rt_netlink.h of FRR).
func isDynamic(protocol string) bool {
	return slices.Contains([]string{"bgp", "ospf", "isis", "rip", "eigrp", "babel", "openfabric", "186", "187", "188", "189", "192", "42", "197"}, protocol)
}
