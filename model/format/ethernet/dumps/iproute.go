package dumps

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads "ip -j route" and "ip -j addr" of iproute2.
//
// Of several routes for a prefix, the first counts: ip prints that of the least metric first. Next hops of links that are down do not
// count.
//
// Source: iproute2 6.1, ip/iproute.c (print_route) and ip/ipaddress.c (print_addrinfo).

type linuxRoute struct {
	Type     string         `json:"type"`
	Dst      string         `json:"dst"`
	Table    string         `json:"table"`
	Protocol string         `json:"protocol"`
	TOS      string         `json:"tos"`
	Pref     string         `json:"pref"` // of IPv6 only
	Metric   int64          `json:"metric"`
	Nexthops []linuxHop     `json:"nexthops"`
	Encap    jsontext.Value `json:"encap"`
	linuxHop
}

type linuxHop struct {
	Gateway string `json:"gateway"`
	Via     struct {
		Host string `json:"host"`
	} `json:"via"`
	Dev   string         `json:"dev"`
	Flags []string       `json:"flags"`
	Encap jsontext.Value `json:"encap"`
}

// isLinuxRoutes reports whether a file is a list of objects with the key dst.
func isLinuxRoutes(head []byte) bool {
	text := compact(head)
	return bytes.HasPrefix(text, []byte(`[{`)) && bytes.Contains(text, []byte(`"dst":"`))
}

func readLinuxRoutes(src *textfile.File, to *Switch) error {
	s, t := newScanner(src), newTable(src, "kernel")
	remember[[]linuxHop](s)
	least := map[netip.Prefix]int64{}
	err := s.values(func() error {
		return s.elements(func() error {
			var r linuxRoute
			if err := s.value(&r); err != nil {
				return err
			}
			return s.linuxRoute(t, &r, least)
		})
	})
	if err != nil {
		return err
	}
	to.Tables = append(to.Tables, t)
	return t.finish(src)
}

// isIPv6Default reports whether a default route is of IPv6. IPv4 routes with IPv6 next hops have them in the key via.
func (r *linuxRoute) isIPv6Default() bool {
	isIPv6 := func(h linuxHop) bool { return strings.Contains(h.Gateway, ":") }
	return r.Dst == "default" && (r.Pref != "" || isIPv6(r.linuxHop) || slices.ContainsFunc(r.Nexthops, isIPv6))
}

// linuxRoute adds a route. least has the metric of the routes so far.
func (s *scanner) linuxRoute(t *Table, r *linuxRoute, least map[netip.Prefix]int64) error {
	if slices.Contains([]string{"broadcast", "multicast", "anycast", "local"}, r.Type) || r.Table == "local" || r.Table == "unspec" {
		return nil
	}
	p, err := parsePrefix(r.Dst)
	switch {
	case err != nil:
		return s.errorf("dst %q is no prefix; want one such as 10.0.1.0/24", textfile.Clip(r.Dst))
	case r.Table != "" && r.Table != "main":
		next, _ := s.linuxHop(p, &r.linuxHop, r)
		t.leaveOut(r.Table, p, []NextHop{next})
		return nil
	case !p.Addr().Is4() || r.isIPv6Default():
		t.skipIPv6(p, r.Gateway != "" || slices.ContainsFunc(r.Nexthops, func(h linuxHop) bool { return h.Gateway != "" }))
		return nil
	case !slices.Contains([]string{"", "0", "0x0", "0x00", "default", "CS0"}, r.TOS):
		t.addBeside(p, NextHop{Problem: "a route for frames of tos " + textfile.Clip(r.TOS)})
		return nil
	}
	list := r.Nexthops
	if list == nil {
		list = []linuxHop{{r.Gateway, r.Via, r.Dev, r.Flags, r.linuxHop.Encap}}
	}
	var hops []NextHop
	for _, h := range list {
		next, err := s.linuxHop(p, &h, r)
		if err != nil {
			return err
		}
		if !slices.Contains(h.Flags, "linkdown") && !slices.Contains(h.Flags, "dead") {
			hops = append(hops, next)
		}
	}
	if !isDynamic(r.Protocol) {
		t.Static[KeyOf(p)] = true
	}
	if hops == nil {
		return nil // all links of the route are down
	}
	if metric, known := least[p]; known {
		if metric > r.Metric {
			return s.errorf("%s has metric %d after metric %d; want ascending metrics, as ip -j route prints them", p, r.Metric, metric)
		}
		t.Backup[KeyOf(p)] = true
		return nil
	}
	least[p] = r.Metric
	t.add(p, hops)
	t.Protocol[KeyOf(p)] = r.Protocol
	if r.Protocol != "kernel" && (r.Protocol != "" || p.Bits() == 32) && slices.ContainsFunc(hops, isByInterface) {
		t.ByInterface[KeyOf(p)] = true
	}
	if r.Protocol == "bgp" || r.Protocol == "186" {
		t.addAggregate(p, hops)
	} else {
		t.Unannounced = append(t.Unannounced, KeyOf(p))
	}
	return nil
}

// linuxHop returns a next hop of a route.
func (s *scanner) linuxHop(p netip.Prefix, h *linuxHop, r *linuxRoute) (next NextHop, err error) {
	next = NextHop{Dev: h.Dev, Drop: slices.Contains([]string{"blackhole", "unreachable", "prohibit"}, r.Type)}
	via := h.Gateway
	if via == "" {
		via = h.Via.Host
	}
	if via != "" {
		if next.Via, err = netip.ParseAddr(via); err != nil {
			return next, s.errorf("gateway %q of %s is no address", textfile.Clip(via), p)
		}
	}
	switch {
	case h.Encap != nil || r.Encap != nil:
		next.Problem = "a tunnel (encap)"
	case r.Type != "" && r.Type != "unicast" && !next.Drop:
		next.Problem = "a route of type " + textfile.Clip(r.Type)
	case h.Dev == "" && !next.Drop:
		next.Problem = "a next hop without an interface"
	}
	return next, nil
}

type linuxInterface struct {
	Name      string   `json:"ifname"`
	Flags     []string `json:"flags"`
	State     string   `json:"operstate"`
	MAC       string   `json:"address"`
	Master    string   `json:"master"`
	Addresses []struct {
		Local  string `json:"local"`
		Length int    `json:"prefixlen"`
	} `json:"addr_info"`
}

// isAddresses reports whether a file is a list of objects with the keys ifname and addr_info.
func isAddresses(head []byte) bool {
	text := compact(head)
	return bytes.HasPrefix(text, []byte(`[{`)) && bytes.Contains(text, []byte(`"ifname":`)) && bytes.Contains(text, []byte(`"addr_info":`))
}

func readAddresses(src *textfile.File, to *Switch) error {
	if to.Interfaces != nil {
		return src.FileError("a second list of addresses; the first is %s", to.Addresses)
	}
	to.Interfaces, to.Addresses = map[string]*Interface{}, src.Name
	s := newScanner(src)
	return s.values(func() error {
		return s.elements(func() error {
			var x linuxInterface
			if err := s.value(&x); err != nil || x.Name == "" {
				return err // ip prints empty objects for interfaces that a filter leaves out
			}
			if to.Interfaces[x.Name] != nil {
				return s.errorf("interface %s occurs twice", textfile.Clip(x.Name))
			}
			i := &Interface{Name: x.Name, MAC: strings.ToLower(x.MAC), Master: x.Master,
				Down: x.State == "DOWN" || x.State == "LOWERLAYERDOWN" || x.Flags != nil && !slices.Contains(x.Flags, "UP")}
			for _, a := range x.Addresses {
				addr, err := netip.ParseAddr(a.Local)
				p := netip.PrefixFrom(addr, a.Length)
				if err != nil || !p.IsValid() {
					return s.errorf("address %q of %s with length %d is no address", textfile.Clip(a.Local), x.Name, a.Length)
				}
				i.Addresses = append(i.Addresses, p)
			}
			to.Interfaces[x.Name] = i
			return nil
		})
	})
}
