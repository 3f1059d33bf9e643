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
			return nil, fmt.Errorf("no dump states the AS number of %s; want show bgp summary json, or bgp_asn in config_db.json", sw.Name)
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

// KeepsOthers returns an error unless BGP keeps all other routes when next hops are withdrawn (ethernet.Fabric.KeepsOthers).
func KeepsOthers(fabric *ethernet.Found, list []priorities.Withdrawal) error {
	rel := fabric.Routes()
	n := rel.Network()
	var rejected []ethernet.Rejected
	for _, w := range list {
		for _, d := range w.Dests {
			p, err := netip.ParsePrefix(n.HostLabel(rel.DestinationHost(d)))
			if err != nil {
				return err
			}
			rejected = append(rejected, ethernet.Rejected{Switch: int(w.Switch), Port: n.PortName(w.Switch, n.TailPort(w.Out)), Prefix: p})
		}
	}
	return fabric.Fabric().KeepsOthers(rejected)
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
	if slices.Contains(t.Unannounced, key) {
		return "", fmt.Errorf("the route to %s is not of BGP, or its next hops are recursive, as far as %s says; a policy cannot withdraw one of them",
			prefix, t.File)
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

// listName returns the name of the prefix list and route map of a neighbour. It is the same in each run, so that a later run adds prefixes.
// Different neighbours have different names: a byte that is no letter, digit or dot is _ with its hexadecimal number.
func listName(neighbor string) string {
	name := mapName + "-"
	for i := range len(neighbor) {
		c := neighbor[i]
		if c == '.' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
			name += string(c)
			continue
		}
		name += fmt.Sprintf("_%02x", c)
	}
	return name
}

// policyHead is the comment of a configuration, before the commands that remove it.
const policyHead = `! %s: next hops that close a cyclic buffer dependency are withdrawn.
! This holds for the routes of the dumps. At further failures these next hops are missing: remove the route maps after the repair.
! A neighbor that has a route map for its routes already: call this one from it.
! Each neighbor has one list. A later file for the same neighbor adds prefixes to it, and earlier ones stay withdrawn.
! So take dumps with the lists in force, or remove the lists first. To remove them:
`

// policyText returns the configuration of a switch.
func policyText(sw *dumps.Switch, list []policy) string {
	var b, sessions, remove strings.Builder
	isEOS := tableOf(sw).Source == "EOS"
	start := fmt.Sprintf("router bgp %d\n", sw.AS)
	if !isEOS {
		start += " address-family ipv4 unicast\n"
	}
	for line := range strings.Lines(start) {
		remove.WriteString("!   " + line)
	}
	for _, p := range list {
		session := fmt.Sprintf("neighbor %s route-map %s in\n", p.neighbor, listName(p.neighbor))
		sessions.WriteString("  " + session)
		remove.WriteString("!     no " + session)
	}
	for _, p := range list {
		fmt.Fprintf(&remove, "!   no route-map %s\n!   no ip prefix-list %s\n", listName(p.neighbor), listName(p.neighbor))
	}
	fmt.Fprintf(&b, policyHead+"%s", sw.Name, remove.String())
	for _, p := range list {
		name := listName(p.neighbor)
		for _, prefix := range p.prefixes { // without numbers: the switch appends
			fmt.Fprintf(&b, "ip prefix-list %s permit %s\n", name, prefix)
		}
		fmt.Fprintf(&b, "route-map %s deny 10\n match ip address prefix-list %s\nroute-map %s permit 20\n", name, name, name)
		if isEOS {
			fmt.Fprintln(&b, "!")
		}
	}
	return b.String() + start + sessions.String()
}
