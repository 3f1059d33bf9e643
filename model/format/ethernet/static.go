package ethernet

import (
	"fmt"
	"net/netip"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file writes routes of the folder as static routes of FRR, which go before those of BGP and OSPF.

// routeIndex finds the prefixes of a destination of the relation, and switches.
type routeIndex struct {
	of       []destKey // by destination
	prefixes map[destKey][]netip.Prefix
	switches map[string]model.SwitchID
}

// destKey is what the addresses of a destination have in common.
type destKey struct {
	host  model.HostID
	class int32
}

// routeIndex returns the index. Cost: O(prefixes), once.
func (f *Found) routeIndex() *routeIndex {
	if f.index != nil {
		return f.index
	}
	x := &routeIndex{prefixes: map[destKey][]netip.Prefix{}, switches: map[string]model.SwitchID{}}
	for d, h := range f.plain.host {
		x.of = append(x.of, destKey{h, f.plain.class[d]})
	}
	for _, a := range f.fabric.b.atoms {
		k := destKey{model.HostID(a.host), a.class}
		x.prefixes[k] = append(x.prefixes[k], a.key.Prefix())
	}
	for u, sw := range f.switches {
		x.switches[sw.Name] = model.SwitchID(u)
	}
	f.index = x
	return x
}

// SwitchNamed returns the switch of the folder with a name. It is not safe for concurrent use.
func (f *Found) SwitchNamed(name string) (model.SwitchID, bool) {
	u, ok := f.routeIndex().switches[name]
	return u, ok
}

// PrefixesOf returns the prefixes of a destination of the relation, ascending. It is not safe for concurrent use.
func (f *Found) PrefixesOf(d model.DestID) []netip.Prefix {
	x := f.routeIndex()
	return x.prefixes[x.of[d]]
}

// StaticRoutes returns the commands of FRR for the route of a switch of the folder to a destination of the relation, by prefix. Prefixes that are
// part of one of them may have routes of their own. Next hops by interfaces that are gone are left out. A route that drops, and none at all,
// is a blackhole. It fails if a next hop is none of static IPv4 routes, if the route is of no routing protocol, or if the switch does not run FRR or
// Linux. It is not safe for concurrent use.
func (f *Found) StaticRoutes(u model.SwitchID, d model.DestID, isGone func(dev string) bool) (map[netip.Prefix][]string, error) {
	b, x := f.fabric.b, f.routeIndex()
	name := f.switches[u].Name
	var hops []dumps.NextHop
	if t := b.fibs[u].table; t != nil {
		if t.Source != "zebra" && t.Source != "kernel" {
			return nil, fmt.Errorf("%s has routes of %s", name, t.Source)
		}
		for _, p := range x.prefixes[x.of[d]] {
			if t.Static[dumps.KeyOf(p)] {
				return nil, fmt.Errorf("the route of %s to %s is of no routing protocol, as far as its dump says", name, p)
			}
		}
		if s := b.rows[x.of[d].class][u]; s >= 0 {
			hops = t.Sets[s]
		}
	}
	list := map[netip.Prefix][]string{}
	for _, p := range x.prefixes[x.of[d]] {
		for _, h := range hops {
			switch {
			case h.Problem != "":
				return nil, fmt.Errorf("%s at %s: %s", p, name, h.Problem)
			case h.Drop || isGone(h.Dev):
			case !h.Via.IsValid():
				list[p] = append(list[p], fmt.Sprintf("ip route %s %s", p, h.Dev))
			case h.Via.Is4() && !h.Via.IsLinkLocalUnicast():
				list[p] = append(list[p], fmt.Sprintf("ip route %s %s %s", p, h.Via, h.Dev))
			default:
				return nil, fmt.Errorf("%s at %s goes by %s, and static IPv4 routes of FRR take no link-local or IPv6 next hop", p, name, h.Via)
			}
		}
		if len(list[p]) == 0 {
			list[p] = []string{fmt.Sprintf("ip route %s blackhole", p)}
		}
	}
	return list, nil
}
