package ethernet

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file compares the BGP sessions in the dumps with the cables. The model of BGP has a session for each cable.

// withoutSession names a cable for which a switch lists no established BGP session, or returns an empty text.
func (b *builder) withoutSession() string {
	for _, e := range b.sortedPorts() {
		there, sw := b.peer[e], b.switches[e.sw]
		if sw.Peers == nil {
			continue
		}
		isOfCable := func(peer string) bool {
			a, err := netip.ParseAddr(peer)
			if err != nil {
				port, _, _ := strings.Cut(peer, ".") // of a subinterface
				return peer == e.port || port == e.port
			}
			if a.Is6() && a.Zone() == "" && len(b.owners[a]) == 0 {
				return true // no dump tells whose address it is
			}
			if zone := a.Zone(); zone != "" { // as EOS names an unnumbered peer: fe80::1%Et1
				return zone == e.port || strings.Replace(zone, "Et", "Ethernet", 1) == e.port
			}
			return slices.ContainsFunc(b.owners[a], func(x at) bool { return x.sw == there.sw }) || sendsTo(sw, a, e.port)
		}
		found := false
		for peer, isUp := range sw.Peers {
			found = found || isUp && (isOfCable(peer) || b.isGroupOf(e, peer))
		}
		if !found {
			return fmt.Sprintf("%s lists no established BGP session for its cable to %s", b.text(e), b.text(there))
		}
	}
	return ""
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
