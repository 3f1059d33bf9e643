package dumps

import (
	"bytes"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the JSON of Arista EOS, Cisco NX-OS and Juniper Junos: routes and LLDP neighbours, and the addresses of EOS and NX-OS.
//
// Sources: the raw outputs in netenglabs/suzieq, tests/integration/sqcmds, and its config/*.yml, which map the fields of all vendors.

// has returns a function that reports whether the head of a file has a key.
func has(key string) func([]byte) bool {
	return func(head []byte) bool {
		return bytes.HasPrefix(compact(head), []byte("{")) && bytes.Contains(head, []byte(`"`+key+`"`))
	}
}

// document reads a file that is one object.
func document(src *textfile.File) (*scanner, map[string]any, error) {
	s := newScanner(src)
	var doc map[string]any
	err := s.values(func() error { return s.value(&doc) })
	return s, doc, err
}

// truth reports whether a value is true, as a word or a value.
func truth(v any) bool { return v == true || v == "true" || v == "on" }

// addresses starts the interfaces of a switch.
func (sw *Switch) addresses(src *textfile.File) error {
	if sw.Interfaces != nil {
		return src.FileError("a second list of addresses; the first is %s", sw.Addresses)
	}
	sw.Interfaces, sw.Addresses = map[string]*Interface{}, src.Name
	return nil
}

// neighbors starts the neighbours of a switch.
func (sw *Switch) neighbors(src *textfile.File) error {
	if sw.LLDP != "" {
		return src.FileError("a second list of neighbours; the first is %s", sw.LLDP)
	}
	sw.LLDP = src.Name
	return nil
}

// vendorWords are what a vendor's dump says about a route besides its next hops.
type vendorWords struct{ protocol, metric string }

// vendorRoute adds a route of a vendor. Routes outside the default VRF are counted.
func (s *scanner) vendorRoute(t *Table, vrf, prefix string, r vendorWords, hops []NextHop) error {
	p, err := parsePrefix(prefix)
	switch {
	case err != nil:
		return s.src.FileError("%q is no prefix; want one such as 10.0.1.0/24", textfile.Clip(prefix))
	case vrf != "":
		t.leaveOut(vrf, p, hops)
	case !p.Addr().Is4():
		t.skipIPv6(p, slices.ContainsFunc(hops, func(h NextHop) bool { return h.Via.IsValid() }))
	case len(hops) == 0:
		t.add(p, []NextHop{{Problem: "no next hop that is used"}})
	default:
		t.add(p, hops)
		t.Protocol[KeyOf(p)] = protocolOf(r.protocol)
		if metric, err := strconv.ParseInt(r.metric, 10, 64); err == nil && isLinkState(protocolOf(r.protocol)) {
			t.Metric[KeyOf(p)] = metric
		}
	}
	return nil
}

// protocolOf returns the name that zebra has for a protocol, given that of a vendor, such as eBGP, bgp-65001 or ospfIntraArea.
func protocolOf(word string) string {
	word = strings.ToLower(strings.ReplaceAll(word, "-", ""))
	for _, name := range []string{"bgp", "ospf", "isis", "static"} {
		if strings.Contains(word, name) {
			return name
		}
	}
	return word
}

// viaOf returns a next hop by its address, which may be empty, and its interface.
func viaOf(addr, dev string) NextHop {
	h := NextHop{Dev: dev}
	addr, _, _ = strings.Cut(addr, "%")
	if addr != "" {
		var err error
		if h.Via, err = netip.ParseAddr(addr); err != nil {
			h.Problem = "a next hop " + strconv.Quote(textfile.Clip(addr))
		}
	}
	if dev == "" && h.Problem == "" {
		h.Problem = "a next hop without an interface"
	}
	return h
}

// readEOSRoutes reads "show ip route vrf all | json".
func readEOSRoutes(src *textfile.File, to *Switch) error {
	s, doc, err := document(src)
	if err != nil {
		return err
	}
	t := newTable(src, "EOS")
	vrfs, _ := doc["vrfs"].(map[string]any)
	for _, vrf := range sortedKeys(vrfs) {
		routes, _ := member(vrfs[vrf], "routes").(map[string]any)
		for _, prefix := range sortedKeys(routes) {
			r := routes[prefix]
			var hops []NextHop
			for _, v := range listOf(member(r, "vias")) {
				h := viaOf(text(member(v, "nexthopAddr")), text(member(v, "interface")))
				if member(v, "vtepAddr") != nil {
					h.Problem = "a VXLAN tunnel"
				}
				hops = append(hops, h)
			}
			if action := text(member(r, "routeAction")); action == "drop" || action == "reject" {
				hops = []NextHop{{Drop: true}}
			}
			name := vrf
			if vrf == "default" {
				name = ""
			}
			if member(r, "hardwareProgrammed") == false && name == "" {
				hops = []NextHop{{Problem: "a route that is not in the hardware"}}
			}
			if err := s.vendorRoute(t, name, prefix, vendorWords{text(member(r, "routeType")), fmt.Sprint(member(r, "metric"))}, hops); err != nil {
				return err
			}
			p, err := parsePrefix(prefix)
			if err != nil || name != "" || !p.Addr().Is4() {
				continue
			}
			switch kind := text(member(r, "routeType")); kind {
			case "bgpAggregate":
				t.addAggregate(p, hops)
			case "eBGP", "iBGP":
			default:
				t.Unannounced = append(t.Unannounced, KeyOf(p))
			}
		}
	}
	to.Tables = append(to.Tables, t)
	return t.finish(src)
}

// readEOSNeighbors reads "show lldp neighbors detail | json".
func readEOSNeighbors(src *textfile.File, to *Switch) error {
	_, doc, err := document(src)
	if err == nil {
		err = to.neighbors(src)
	}
	if err != nil {
		return err
	}
	ports, _ := doc["lldpNeighbors"].(map[string]any)
	for _, port := range sortedKeys(ports) {
		for _, n := range listOf(member(ports[port], "lldpNeighborInfo")) {
			i := member(n, "neighborInterfaceInfo")
			id := text(member(i, "interfaceId_v2"))
			if id == "" {
				id = strings.Trim(text(member(i, "interfaceId")), `"`)
			}
			kind := "local"
			if t := text(member(i, "interfaceIdType")); t == "interfaceName" || t == "interfaceAlias" {
				kind = "ifname"
			}
			caps := member(n, "systemCapabilities")
			stated, _ := first(caps).(map[string]any)
			forwards := truth(member(caps, "bridge")) || truth(member(caps, "router"))
			to.Neighbors = append(to.Neighbors, Neighbor{Port: port, Switch: text(member(n, "systemName")), IDType: kind, ID: id,
				Description: strings.Trim(text(member(i, "interfaceDescription")), `"`),
				Forwards:    forwards, IsHost: len(stated) > 0 && !forwards})
		}
	}
	return nil
}

// readEOSInterfaces reads "show interfaces | json".
func readEOSInterfaces(src *textfile.File, to *Switch) error {
	_, doc, err := document(src)
	if err == nil {
		err = to.addresses(src)
	}
	if err != nil {
		return err
	}
	list, _ := doc["interfaces"].(map[string]any)
	for _, name := range sortedKeys(list) {
		x := list[name]
		i := &Interface{Name: name, Down: text(member(x, "lineProtocolStatus")) != "up"}
		for _, a := range listOf(member(x, "interfaceAddress")) {
			ip := member(a, "primaryIp")
			bits, _ := member(ip, "maskLen").(float64)
			if addr, err := netip.ParseAddr(text(member(ip, "address"))); err == nil && !addr.IsUnspecified() {
				i.Addresses = append(i.Addresses, netip.PrefixFrom(addr, int(bits)))
			}
		}
		to.Interfaces[name] = i
	}
	for _, name := range sortedKeys(list) {
		members, _ := member(list[name], "memberInterfaces").(map[string]any)
		for port := range members {
			if i := to.Interfaces[port]; i != nil {
				i.Master = name
			}
		}
	}
	return nil
}

// nexusName matches the short names of interfaces that NX-OS uses in some tables.
var nexusName = regexp.MustCompile(`^(Eth|Po|Lo)(\d)`)

// nexusPort writes the name of an interface of NX-OS in full.
func nexusPort(name string) string {
	m := nexusName.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	return map[string]string{"Eth": "Ethernet", "Po": "port-channel", "Lo": "loopback"}[m[1]] + name[len(m[1]):]
}

// readNexusRoutes reads "show ip route vrf all | json native".
func readNexusRoutes(src *textfile.File, to *Switch) error {
	s, doc, err := document(src)
	if err != nil {
		return err
	}
	t := newTable(src, "NX-OS")
	for _, v := range listOf(member(doc["TABLE_vrf"], "ROW_vrf")) {
		vrf := text(member(v, "vrf-name-out"))
		if vrf == "default" {
			vrf = ""
		}
		for _, f := range listOf(member(member(v, "TABLE_addrf"), "ROW_addrf")) {
			for _, p := range listOf(member(member(f, "TABLE_prefix"), "ROW_prefix")) {
				if err := s.vendorRoute(t, vrf, text(member(p, "ipprefix")), nexusWords(p), nexusHops(p)); err != nil {
					return err
				}
			}
		}
	}
	to.Tables = append(to.Tables, t)
	return t.finish(src)
}

// nexusWords returns the protocol and metric of the best path of a prefix, if there is one.
func nexusWords(p any) vendorWords {
	for _, path := range listOf(member(member(p, "TABLE_path"), "ROW_path")) {
		if truth(member(path, "ubest")) {
			return vendorWords{text(member(path, "clientname")), fmt.Sprint(member(path, "metric"))}
		}
	}
	return vendorWords{}
}

// nexusHops returns the next hops of a prefix: the best paths. Those of an attached prefix have the address of the switch.
func nexusHops(p any) (hops []NextHop) {
	for _, path := range listOf(member(member(p, "TABLE_path"), "ROW_path")) {
		if !truth(member(path, "ubest")) {
			continue
		}
		dev, via := nexusPort(text(member(path, "ifname"))), text(member(path, "ipnexthop"))
		if truth(member(p, "attached")) {
			via = ""
		}
		h := viaOf(via, dev)
		switch {
		case strings.EqualFold(dev, "Null0"):
			h = NextHop{Drop: true}
		case member(path, "segmentid") != nil || member(path, "encap") != nil || member(path, "tunnelid") != nil:
			h.Problem = "a VXLAN tunnel"
		}
		hops = append(hops, h)
	}
	return hops
}

// readNexusNeighbors reads "show lldp neighbors detail | json native".
func readNexusNeighbors(src *textfile.File, to *Switch) error {
	_, doc, err := document(src)
	if err == nil {
		err = to.neighbors(src)
	}
	if err != nil {
		return err
	}
	table := doc["TABLE_nbor"]
	rows := "ROW_nbor"
	if table == nil {
		table, rows = doc["TABLE_nbor_detail"], "ROW_nbor_detail"
	}
	for _, n := range listOf(member(table, rows)) {
		name := text(member(n, "sys_name"))
		if name == "" {
			name = text(member(n, "chassis_id"))
		}
		kind := "local"
		if strings.EqualFold(text(member(n, "port_type")), "Interface Name") {
			kind = "ifname"
		}
		caps := text(member(n, "enabled_capability")) + text(member(n, "capability"))
		forwards := strings.ContainsAny(caps, "BR")
		to.Neighbors = append(to.Neighbors, Neighbor{Port: nexusPort(text(member(n, "l_port_id"))), Switch: name, IDType: kind,
			ID: nexusPort(text(member(n, "port_id"))), Description: text(member(n, "port_desc")),
			Forwards: forwards, IsHost: strings.ContainsAny(caps, "TCWPS") && !forwards})
	}
	return nil
}

// first data of a Junos element.
func junos(v any, key string) string { return text(member(member(v, key), "data")) }

// readJunosRoutes reads "show route | display json".
func readJunosRoutes(src *textfile.File, to *Switch) error {
	s, doc, err := document(src)
	if err != nil {
		return err
	}
	t := newTable(src, "Junos")
	for _, info := range listOf(doc["route-information"]) {
		for _, table := range listOf(member(info, "route-table")) {
			name := junos(table, "table-name")
			vrf, isIPv4 := strings.CutSuffix(name, "inet.0")
			if !isIPv4 {
				if strings.HasSuffix(name, "inet6.0") {
					for _, rt := range listOf(member(table, "rt")) {
						p, _ := parsePrefix(junos(rt, "rt-destination"))
						t.skipIPv6(p, slices.ContainsFunc(listOf(member(rt, "rt-entry")), hasGateway))
					}
				}
				continue
			}
			for _, rt := range listOf(member(table, "rt")) {
				if err := s.junosRoute(t, strings.TrimSuffix(vrf, "."), rt); err != nil {
					return err
				}
			}
		}
	}
	to.Tables = append(to.Tables, t)
	return t.finish(src)
}

// hasGateway reports whether an entry of a route has a next hop with an address.
func hasGateway(e any) bool {
	return slices.ContainsFunc(listOf(member(e, "nh")), func(nh any) bool { return junos(nh, "to") != "" })
}

// junosRoute adds the active entry of a destination. A destination without one has no next hop that is known.
func (s *scanner) junosRoute(t *Table, vrf string, rt any) error {
	entries := listOf(member(rt, "rt-entry"))
	if p, err := parsePrefix(junos(rt, "rt-destination")); err == nil && p.Addr().Is4() && vrf == "" && len(entries) > 1 {
		t.Backup[KeyOf(p)] = true
	}
	for _, e := range entries {
		if junos(e, "active-tag") != "*" {
			continue
		}
		var hops []NextHop
		for _, nh := range listOf(member(e, "nh")) {
			dev := junos(nh, "via")
			if dev == "" {
				dev = junos(nh, "nh-local-interface")
			}
			h := viaOf(junos(nh, "to"), dev)
			if member(nh, "mpls-label") != nil {
				h.Problem = "MPLS labels"
			}
			hops = append(hops, h)
		}
		switch kind := junos(e, "nh-type"); kind {
		case "Discard", "Reject":
			hops = []NextHop{{Drop: true}}
		case "Receive", "MultiRecv":
			return nil
		}
		return s.vendorRoute(t, vrf, junos(rt, "rt-destination"), vendorWords{junos(e, "protocol-name"), junos(e, "metric")}, hops)
	}
	return s.vendorRoute(t, vrf, junos(rt, "rt-destination"), vendorWords{}, nil)
}

// readJunosNeighbors reads "show lldp neighbors detail | display json".
func readJunosNeighbors(src *textfile.File, to *Switch) error {
	_, doc, err := document(src)
	if err == nil {
		err = to.neighbors(src)
	}
	if err != nil {
		return err
	}
	for _, info := range listOf(doc["lldp-neighbors-information"]) {
		for _, n := range listOf(member(info, "lldp-neighbor-information")) {
			port := junos(n, "lldp-local-interface")
			if port == "" {
				port = junos(n, "lldp-local-port-id")
			}
			kind := "local"
			if strings.EqualFold(junos(n, "lldp-remote-port-id-subtype"), "Interface name") {
				kind = "ifname"
			}
			caps := junos(n, "lldp-remote-system-capabilities-enabled") + junos(n, "lldp-system-capabilities-enabled")
			forwards := strings.Contains(caps, "Bridge") || strings.Contains(caps, "Router")
			to.Neighbors = append(to.Neighbors, Neighbor{Port: port, Switch: junos(n, "lldp-remote-system-name"), IDType: kind,
				ID: junos(n, "lldp-remote-port-id"), Description: junos(n, "lldp-remote-port-description"),
				Forwards: forwards, IsHost: strings.Contains(caps, "Station") && !forwards})
		}
	}
	return nil
}
