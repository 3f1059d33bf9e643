package configure

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/synth/priorities"
)

// This file writes policies of BGP that withdraw next hops: a switch rejects the prefix from the neighbour. FRR (SONiC, Cumulus Linux) and
// Arista EOS have the same words for them, in different places.

// policy is what a switch rejects from a neighbour.
type policy struct {
	neighbor string // an address, or an interface
	prefixes []string
}

// Policies returns a configuration for each switch that has next hops to withdraw, by its name. It fails if a next hop has no session of its own:
// its prefix is part of a wider route, or its port is a member of a port channel.
func Policies(fabric *ethernet.Found, list []priorities.Withdrawal) (map[string][]byte, error) {
	rel := fabric.Routes()
	n := rel.Network()
	of := map[model.SwitchID][]policy{}
	for _, w := range list {
		sw, port := fabric.Dumps()[w.Switch], n.PortName(w.Switch, n.TailPort(w.Out))
		t := tableOf(sw)
		if t == nil {
			return nil, fmt.Errorf("%s has no dump of FRR, SONiC, Linux or EOS; there is no text of a policy for others", sw.Name)
		}
		if sw.AS == 0 {
			return nil, fmt.Errorf("no dump states the AS number of %s; want show bgp summary json", sw.Name)
		}
		for _, d := range w.Dests {
			prefix := n.HostLabel(rel.DestinationHost(d))
			neighbor, err := neighborOf(t, prefix, port)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", sw.Name, err)
			}
			i := slices.IndexFunc(of[w.Switch], func(p policy) bool { return p.neighbor == neighbor })
			if i < 0 {
				i = len(of[w.Switch])
				of[w.Switch] = append(of[w.Switch], policy{neighbor: neighbor})
			}
			if p := &of[w.Switch][i]; !slices.Contains(p.prefixes, prefix) {
				p.prefixes = append(p.prefixes, prefix)
			}
		}
	}
	files := map[string][]byte{}
	for u, policies := range of {
		sw := fabric.Dumps()[u]
		files[sw.Name] = []byte(policyText(sw, policies))
	}
	return files, nil
}

// tableOf returns the routes of a switch whose system has the syntax of this file, or nil.
func tableOf(sw *dumps.Switch) *dumps.Table {
	for _, source := range []string{"zebra", "EOS", "kernel"} {
		for _, t := range sw.Tables {
			if t.Source == source && len(t.Entries) > 0 {
				return t
			}
		}
	}
	return nil
}

// neighborOf returns the neighbour that announces a prefix at a port.
func neighborOf(t *dumps.Table, prefix, port string) (string, error) {
	p, err := netip.ParsePrefix(prefix)
	if err != nil {
		return "", fmt.Errorf("%q is no prefix", prefix)
	}
	key := dumps.KeyOf(p)
	i, ok := slices.BinarySearchFunc(t.Entries, key, func(e dumps.Entry, k dumps.Key) int { return e.Key.Compare(k) })
	if !ok || i+1 < len(t.Entries) && key.Contains(t.Entries[i+1].Key) {
		return "", fmt.Errorf("frames to %s go by a route to a wider prefix, or by several; a policy cannot withdraw one of them", prefix)
	}
	for _, h := range t.Sets[t.Entries[i].Set] {
		switch {
		case h.Dev != port:
		case !h.Via.IsValid() || h.Via.IsLinkLocalUnicast():
			return port, nil
		default:
			return h.Via.String(), nil
		}
	}
	return "", fmt.Errorf("%s is a member of a port channel; a policy cannot withdraw one cable of it", port)
}

// policyText returns the configuration of a switch.
func policyText(sw *dumps.Switch, list []policy) string {
	var b strings.Builder
	isEOS := tableOf(sw).Source == "EOS"
	fmt.Fprintf(&b, "! %s: next hops that close a cyclic buffer dependency are withdrawn.\n"+
		"! A neighbor that has a route map for its routes already: call this one from it.\n",
		sw.Name)
	for i, p := range list {
		name := fmt.Sprintf("%s-%d", mapName, i+1)
		for k, prefix := range p.prefixes {
			fmt.Fprintf(&b, "ip prefix-list %s seq %d permit %s\n", name, 5*(k+1), prefix)
		}
		fmt.Fprintf(&b, "route-map %s deny 10\n match ip address prefix-list %s\nroute-map %s permit 20\n", name, name, name)
		if isEOS {
			fmt.Fprintln(&b, "!")
		}
	}
	fmt.Fprintf(&b, "router bgp %d\n", sw.AS)
	if !isEOS {
		fmt.Fprintln(&b, " address-family ipv4 unicast")
	}
	for i, p := range list {
		fmt.Fprintf(&b, "  neighbor %s route-map %s-%d in\n", p.neighbor, mapName, i+1)
	}
	return b.String()
}
