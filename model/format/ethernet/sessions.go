package ethernet

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file compares the BGP sessions in the dumps with the cables. The model of BGP has a session for each cable.

// withoutSession names a cable for which a switch lists no established BGP session, or returns an empty text. A peer with an IPv6 address that no
// dump has may be any neighbour, such as a collector: it counts for no cable.
func (b *builder) withoutSession() string {
	for _, e := range b.sortedPorts() {
		sw := b.switches[e.sw]
		if sw.Peers == nil {
			continue
		}
		found, unknown := false, ""
		for peer, isUp := range sw.Peers {
			found = found || isUp && (b.isPeerOf(e, peer) || b.isGroupOf(e, peer))
			if a, err := netip.ParseAddr(peer); err == nil && isUp && a.Is6() && a.Zone() == "" && len(b.owners[a]) == 0 {
				unknown = "; whose the IPv6 addresses of its peers are is shown by ip -j addr of each switch"
			}
		}
		if !found {
			return fmt.Sprintf("%s lists no established BGP session for its cable to %s%s", b.text(e), b.text(b.peer[e]), unknown)
		}
	}
	return ""
}

// isPeerOf reports whether a BGP peer of a switch is at the other end of the cable at a port.
func (b *builder) isPeerOf(e end, peer string) bool {
	sw := b.switches[e.sw]
	a, err := netip.ParseAddr(peer)
	if err != nil {
		port, _, _ := strings.Cut(peer, ".") // of a subinterface
		return peer == e.port || port == e.port
	}
	if zone := a.Zone(); zone != "" { // as EOS names an unnumbered peer: fe80::1%Et1
		return zone == e.port || strings.Replace(zone, "Et", "Ethernet", 1) == e.port
	}
	return slices.ContainsFunc(b.owners[a], func(x at) bool { return b.isAtPort(x.end, b.peer[e]) }) || sendsTo(sw, a, e.port)
}

// isAtPort reports whether an interface is a port, a subinterface of it, or a port channel or VLAN with it. An address of another interface, such as
// a loopback, is that of a session of several hops.
func (b *builder) isAtPort(x, port end) bool {
	name, _, _ := strings.Cut(x.port, ".")
	return x.sw == port.sw && (name == port.port || b.isGroupOf(port, name))
}

// isGroupOf reports whether a port is a member of a port channel with a name.
func (c *cabling) isGroupOf(e end, name string) bool {
	return slices.Contains(c.members[end{e.sw, name}], e.port)
}

// sendsTo reports whether a switch has a route to a next hop by a port.
func sendsTo(sw *dumps.Switch, via netip.Addr, port string) bool {
	return slices.ContainsFunc(sw.Tables, func(t *dumps.Table) bool {
		return slices.ContainsFunc(t.Sets, func(set []dumps.NextHop) bool {
			return slices.ContainsFunc(set, func(h dumps.NextHop) bool { return h.Via == via && h.Dev == port })
		})
	})
}
