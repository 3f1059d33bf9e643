package ethernet

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file finds where the next hops of routes lead.

// hops is where a set of next hops leads: each frame takes one of these ways, by its hash.
type hops struct {
	ports   []end // with a cable to another switch
	local   bool  // to hosts at the switch
	discard bool  // frames are dropped
	tunnel  bool  // to the peer of a dual-ToR leaf, in a tunnel
}

// isHost reports whether all next hops lead to hosts.
func (h *hops) isHost() bool { return h.local && !h.discard && !h.tunnel && len(h.ports) == 0 }

// router finds where next hops lead.
type router struct {
	*cabling
	outside []string // reasons why it is unknown what is behind a port
	unknown []string // next hops that lead to nothing that is known
	ends    []string // next hops whose owner is not in the folder
	shared  []string // interfaces that may share a port with others
	said    map[string]bool
}

func (r *router) say(list *[]string, format string, a ...any) {
	if text := fmt.Sprintf(format, a...); !r.said[text] {
		r.said[text] = true
		*list = append(*list, text)
	}
}

// tunnelName matches interfaces of tunnels.
var tunnelName = regexp.MustCompile(`(?i)^(tun|muxtunnel)`)

// sets returns where each set of a table of switch i leads. used has a prefix that uses the set.
func (r *router) sets(i int, t *dumps.Table) ([]hops, error) {
	used := make([]dumps.Key, len(t.Sets))
	for k := len(t.Entries) - 1; k >= 0; k-- {
		used[t.Entries[k].Set] = t.Entries[k].Key
	}
	list := make([]hops, len(t.Sets))
	for s, set := range t.Sets {
		x := &list[s]
		for _, h := range set {
			if err := r.hop(i, t, used[s], h, x); err != nil {
				return nil, err
			}
		}
		slices.SortFunc(x.ports, func(a, b end) int { return compareNatural(a.port, b.port) })
		x.ports = slices.Compact(x.ports)
	}
	r.byInterface(i, t)
	return list, nil
}

// byInterface notes routes by a port with a cable, without a next hop, to prefixes that switch i is not connected to.
func (r *router) byInterface(i int, t *dumps.Table) {
	for _, e := range t.Entries {
		if !t.ByInterface[e.Key] {
			continue
		}
		for _, h := range t.Sets[e.Set] {
			for _, p := range r.ports(end{i, h.Dev}) {
				if there, ok := r.peer[p]; ok && isConnected(h) && !isLoopback(h.Dev) && !tunnelName.MatchString(h.Dev) {
					r.say(&r.unknown, "%s: %s is routed to %s without a next hop, and %s has a cable to %s", t.File, e.Key.Prefix(), h.Dev, h.Dev,
						r.text(there))
				}
			}
		}
	}
}

// hop adds where a next hop leads.
func (r *router) hop(i int, t *dumps.Table, k dumps.Key, h dumps.NextHop, to *hops) error {
	here := end{i, h.Dev}
	switch {
	case h.Drop:
		to.discard = true
		return nil
	case tunnelName.MatchString(h.Dev):
		if q := r.switches[i].QoS; q == nil || !q.Peer.IsValid() {
			to.discard = true
			r.say(&r.unknown, "%s: %s goes into the tunnel %s, whose end is unknown: want PEER_SWITCH in config_db.json", t.File, k.Prefix(), h.Dev)
			return nil
		}
		to.tunnel = true
		return nil
	case h.Problem != "":
		to.discard = true
		r.say(&r.unknown, "%s: %s has %s", t.File, k.Prefix(), h.Problem)
		return nil
	case isLoopback(h.Dev) && k.Bits < 32 && !h.Via.IsValid():
		to.local = true // a prefix that stands for hosts
		return nil
	case isLoopback(h.Dev) || r.isManagement(here):
		if h.Via.IsValid() && len(r.switches) > 2 && len(r.inSubnetOf(here, h.Via)) == 1 { // a network for management has all switches
			r.gateway(here, t, k, h)
		}
		to.discard = true // frames to the switch itself are no traffic between hosts
		return nil
	}
	var cabled []end
	for _, p := range r.ports(here) {
		if _, ok := r.peer[p]; ok {
			cabled = append(cabled, p)
		}
	}
	switch {
	case len(cabled) > 0 && !h.Via.IsValid() && k.Bits >= 30:
		to.discard = true // the subnet of a cable has no hosts
		return nil
	case len(cabled) > 0 && !h.Via.IsValid():
		return r.connectedCable(t, k, h, cabled, to)
	case len(cabled) > 0 && r.otherVRF(cabled[0], h.Via) != "":
		to.discard = true
		r.say(&r.unknown, "%s: %s goes to %s at %s, which is in VRF %s of %s, whose routes are not judged", t.File, k.Prefix(), h.Via, h.Dev,
			r.otherVRF(cabled[0], h.Via), r.switches[r.peer[cabled[0]].sw].Name)
		return nil
	case len(cabled) > 0:
		to.ports = append(to.ports, cabled...)
		if isVirtual(h.Dev) {
			r.say(&r.shared, "%s of %s may share a port with other interfaces", h.Dev, r.switches[i].Name)
		}
		return r.isNeighbor(t, k, h, cabled)
	}
	r.leave(here, t, k, h, to)
	return nil
}

// otherVRF returns the VRF of the switch behind a port in which it is connected to an address, or an empty text for the default one.
func (r *router) otherVRF(port end, a netip.Addr) string {
	for _, t := range r.switches[r.peer[port].sw].Tables {
		for bits := 31; bits >= 8; bits-- {
			p, err := a.Prefix(bits)
			if vrf := t.ConnectedVRF[p]; err == nil && vrf != "" && !isForManagement(vrf) {
				return vrf
			}
		}
	}
	return ""
}

// isForManagement reports whether a VRF has the name of one for management.
func isForManagement(vrf string) bool {
	return slices.Contains([]string{"mgmt", "management", "mgmt_junos", "mgmt-intf", "mgmt-vrf"}, strings.ToLower(vrf))
}

// connectedCable adds a prefix that a switch is connected to by a port with a cable to another switch.
func (r *router) connectedCable(t *dumps.Table, k dumps.Key, h dumps.NextHop, cabled []end, to *hops) error {
	if !r.isTransit(k.Prefix()) && !t.ByInterface[k] {
		r.say(&r.unknown, "%s: %s is connected at %s, which has a cable to %s", t.File, k.Prefix(), h.Dev, r.text(r.peer[cabled[0]]))
	}
	to.discard = true
	return nil
}

// isNeighbor fails if a next hop is the address of another switch than the one behind the ports. If no switch has the address, and the
// addresses of the switch behind the ports are known, the next hop is unknown.
func (r *router) isNeighbor(t *dumps.Table, k dumps.Key, h dumps.NextHop, cabled []end) error {
	there := r.peer[cabled[0]]
	owners := r.owners[h.Via]
	switch {
	case slices.ContainsFunc(owners, func(a at) bool { return a.sw == there.sw }):
		return nil
	case len(owners) > 0:
		return &textfile.Error{File: t.File, Msg: fmt.Sprintf("%s goes to %s at %s, which is cabled to %s by %s; but %s is %s by %s", k.Prefix(), h.Via, h.Dev,
			r.text(there), r.source[there], h.Via, r.text(owners[0].end), owners[0].file)}
	case r.switches[there.sw].Interfaces == nil:
		return r.inSubnet(t, k, h, there)
	case h.Via.Is4() && h.Via.IsLinkLocalUnicast(): // Cumulus Linux shows unnumbered next hops by 169.254.0.1
		return nil
	}
	r.say(&r.unknown, "%s: %s goes to %s at %s, which is no address of %s in %s", t.File, k.Prefix(), h.Via, h.Dev, r.switches[there.sw].Name,
		r.switches[there.sw].Addresses)
	return nil
}

// inSubnet notes an IPv4 next hop that is in no subnet of the neighbour, whose addresses are unknown.
func (r *router) inSubnet(t *dumps.Table, k dumps.Key, h dumps.NextHop, there end) error {
	if !h.Via.Is4() || h.Via.IsLinkLocalUnicast() {
		return nil
	}
	for _, bits := range []int{31, 30, 29, 28, 27, 26, 25, 24} {
		p, err := h.Via.Prefix(bits)
		if err == nil && slices.ContainsFunc(r.subnets[p], func(a at) bool { return a.sw == there.sw }) {
			return nil
		}
	}
	r.say(&r.unknown, "%s: %s goes to %s at %s, which is in no subnet of %s", t.File, k.Prefix(), h.Via, h.Dev, r.switches[there.sw].Name)
	return nil
}

// leave adds a next hop through an interface without a cable to a switch of the folder: to hosts, or to what the folder does not have.
func (r *router) leave(here end, t *dumps.Table, k dumps.Key, h dumps.NextHop, to *hops) {
	owners := r.owners[h.Via]
	router, isRouter := r.beyond[here]
	to.local = true
	switch {
	case h.Via.IsValid() && len(owners) > 0:
		to.local, to.discard = false, true
		r.say(&r.unknown, "%s: %s goes to %s at %s, an address of %s without a known cable", t.File, k.Prefix(), h.Via, h.Dev,
			r.switches[owners[0].sw].Name)
	case isRouter:
		r.say(&r.outside, "%s is cabled to %s, which has no dumps in the folder", r.text(here), router)
	case r.hosts[here]:
	case !h.Via.IsValid() && k.Bits >= 30 && k.Bits < 32:
		r.say(&r.outside, "%s has %s (%s), and no switch of the folder is at its other end", r.text(here), k.Prefix(), t.File)
	case !h.Via.IsValid():
	case !r.isOnSubnet(here, h.Via):
		to.local, to.discard = false, true
		r.say(&r.unknown, "%s: %s goes to %s at %s, which is not resolved: no cable and no subnet of %s has it", t.File, k.Prefix(), h.Via, h.Dev, h.Dev)
	default:
		r.gateway(here, t, k, h)
	}
}

// isOnSubnet reports whether an address is in a subnet of an interface.
func (r *router) isOnSubnet(here end, a netip.Addr) bool {
	return r.subnetOf(here, a).IsValid()
}

// subnetOf returns the subnet of an interface that contains an address, or an invalid one.
func (r *router) subnetOf(here end, a netip.Addr) netip.Prefix {
	if !a.Is4() {
		return netip.Prefix{}
	}
	for bits := 31; bits >= 8; bits-- {
		p, err := a.Prefix(bits)
		if err == nil && slices.ContainsFunc(r.subnets[p], func(x at) bool { return x.end == here }) {
			return p
		}
	}
	return netip.Prefix{}
}

// gateway notes a next hop that no switch of the folder is known to have. If other switches are connected to its subnet, it may be one of them.
func (r *router) gateway(here end, t *dumps.Table, k dumps.Key, h dumps.NextHop) {
	others, subnet := r.inSubnetOf(here, h.Via), r.subnetOf(here, h.Via)
	_, isConnected := slices.BinarySearchFunc(t.Entries, dumps.KeyOf(subnet), compareEntry)
	switch {
	case isForTwo(subnet) && isConnected: // the subnet itself is noted
	case len(others) == 0:
		r.say(&r.ends, "%s: %s goes to %s at %s, which is no address of a switch of the folder", t.File, k.Prefix(), h.Via, h.Dev)
	case slices.ContainsFunc(others, func(x at) bool { return !x.addr.IsValid() }):
		r.say(&r.unknown, "%s: %s goes to %s at %s, and %s may have this address: want ip -j addr, or LLDP", t.File, k.Prefix(), h.Via, h.Dev, r.texts(others))
	default:
		r.say(&r.outside, "%s: %s goes to %s at %s, which is no address of %s", t.File, k.Prefix(), h.Via, h.Dev, r.texts(others))
	}
}

// inSubnetOf returns the interfaces of other switches in the subnet of an address at an interface.
func (r *router) inSubnetOf(here end, a netip.Addr) (list []at) {
	for _, x := range r.subnets[r.subnetOf(here, a)] {
		if x.sw != here.sw {
			list = append(list, x)
		}
	}
	return list
}
