package dumps

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads "show ip route json" and "show ip route vrf all json" of zebra, the routing manager of FRR, SONiC and Cumulus Linux.
//
// The route that is selected counts, and of its next hops those that are in the FIB. A recursive next hop is followed by the ones
// that it resolves to.
//
// Source: FRR 8.4, zebra/zebra_vty.c, vty_show_ip_route.

type zebraRoute struct {
	VRF      string     `json:"vrfName"`
	Protocol string     `json:"protocol"`
	Selected bool       `json:"selected"`
	Metric   int64      `json:"metric"`
	Table    int        `json:"table"`
	Nexthops []zebraHop `json:"nexthops"`
}

type zebraHop struct {
	FIB         bool           `json:"fib"`
	IP          string         `json:"ip"`
	Interface   string         `json:"interfaceName"`
	Direct      bool           `json:"directlyConnected"`
	Recursive   bool           `json:"recursive"`
	Blackhole   bool           `json:"blackhole"`
	Unreachable bool           `json:"unreachable"`
	Reject      bool           `json:"reject"`
	Prohibited  bool           `json:"adminProhibited"`
	VRF         string         `json:"vrf"`
	Labels      jsontext.Value `json:"labels"`
}

// isZebraRoutes reports whether a file is an object whose first key is a prefix, or a VRF with such an object.
func isZebraRoutes(head []byte) bool {
	text := compact(head)
	for range 2 {
		key, rest, ok := bytes.Cut(bytes.TrimPrefix(text, []byte(`{"`)), []byte(`":`))
		if !ok || !bytes.HasPrefix(text, []byte(`{"`)) {
			return false
		}
		if _, err := netip.ParsePrefix(string(key)); err == nil {
			return bytes.HasPrefix(rest, []byte(`[`))
		}
		text = rest
	}
	return false
}

func readZebraRoutes(src *textfile.File, to *Switch) error {
	s, t := newScanner(src), newTable(src, "zebra")
	remember[[]zebraHop](s)
	if err := s.values(func() error { return s.zebraObject(t) }); err != nil {
		return err
	}
	to.Tables = append(to.Tables, t)
	return t.finish(src)
}

// zebraObject reads the routes of a VRF, or of several.
func (s *scanner) zebraObject(t *Table) error {
	return s.members(func(key string) error {
		if s.PeekKind() == '{' {
			return s.zebraObject(t)
		}
		p, err := parsePrefix(key)
		if err != nil {
			return s.errorf("the key %q is no prefix; want one such as 10.0.1.0/24", textfile.Clip(key))
		}
		var routes []zebraRoute
		if err := s.value(&routes); err != nil {
			return err
		}
		for i := range routes {
			if err := s.zebraRoute(t, p, &routes[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// zebraHops returns the next hops of a route that are in the FIB.
func (s *scanner) zebraHops(p netip.Prefix, r *zebraRoute) (hops []NextHop, err error) {
	for _, h := range r.Nexthops {
		if !h.FIB {
			continue
		}
		next := NextHop{Dev: h.Interface, Drop: h.Blackhole || h.Unreachable || h.Reject || h.Prohibited}
		if h.IP != "" {
			if next.Via, err = netip.ParseAddr(h.IP); err != nil {
				return nil, s.errorf("next hop %q of %s is no address", textfile.Clip(h.IP), p)
			}
		}
		switch {
		case h.Labels != nil:
			next.Problem = "MPLS labels"
		case h.VRF != "" && h.VRF != "default":
			next.Problem = "a next hop in VRF " + h.VRF
		case h.Interface == "" && !next.Drop:
			next.Problem = "a next hop without an interface"
		}
		hops = append(hops, next)
	}
	if hops == nil {
		hops = []NextHop{{Problem: "no next hop in the FIB"}}
	}
	return hops, nil
}

// isLinkState reports whether the routes of a protocol are the shortest ones by the costs of interfaces.
func isLinkState(protocol string) bool {
	return slices.Contains([]string{"ospf", "isis", "openfabric"}, protocol)
}

// isByInterface reports whether a next hop has an interface only.
func isByInterface(h NextHop) bool {
	return !h.Via.IsValid() && h.Dev != "" && !h.Drop && h.Problem == ""
}

// zebraRoute adds a route if it is selected.
func (s *scanner) zebraRoute(t *Table, p netip.Prefix, r *zebraRoute) error {
	switch {
	case !r.Selected:
		if p.Addr().Is4() && (r.VRF == "" || r.VRF == "default") {
			t.Backup[KeyOf(p)] = true
			isOfInterface := !slices.ContainsFunc(r.Nexthops, func(h zebraHop) bool { return h.IP != "" && !h.Direct })
			if isLinkState(r.Protocol) && isOfInterface {
				t.Cost[KeyOf(p)] = r.Metric
			}
		}
		return nil
	case r.VRF != "" && r.VRF != "default":
		var hops []NextHop
		for _, h := range r.Nexthops {
			if h.IP == "" && h.FIB {
				hops = append(hops, NextHop{Dev: h.Interface, Drop: h.Blackhole || h.Unreachable || h.Reject || h.Prohibited})
			}
		}
		t.leaveOut(r.VRF, p, hops)
		return nil
	case !p.Addr().Is4():
		t.skipIPv6(p, slices.ContainsFunc(r.Nexthops, func(h zebraHop) bool { return h.FIB && h.IP != "" }))
		return nil
	}
	hops, err := s.zebraHops(p, r)
	if err != nil {
		return err
	}
	t.add(p, hops)
	t.Protocol[KeyOf(p)] = r.Protocol
	if r.Protocol != "connected" && r.Protocol != "local" && slices.ContainsFunc(hops, isByInterface) {
		t.ByInterface[KeyOf(p)] = true
	}
	if !isDynamic(r.Protocol) {
		t.Static[KeyOf(p)] = true
	}
	if r.Protocol != "bgp" || slices.ContainsFunc(r.Nexthops, func(h zebraHop) bool { return h.Recursive }) {
		t.Unannounced = append(t.Unannounced, KeyOf(p))
	}
	switch r.Protocol {
	case "local":
		t.Own = append(t.Own, KeyOf(p))
	case "bgp":
		t.addAggregate(p, hops)
	case "ospf", "isis", "openfabric":
		t.Metric[KeyOf(p)] = r.Metric
	}
	return nil
}
