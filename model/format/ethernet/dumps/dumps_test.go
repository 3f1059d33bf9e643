package dumps

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// readText reads a text as a dump, of the kind that it is recognised as.
func readText(text string) (*Switch, error) {
	sw := &Switch{Name: "l1"}
	src, err := textfile.New("dump.json", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	head, _ := src.Reader.Peek(4096)
	k := Find(head)
	switch {
	case k == nil:
		return nil, nil
	case k.ReadMany != nil:
		return sw, k.ReadMany(src, func(string) *Switch { return sw })
	}
	return sw, k.Read(src, sw)
}

// describe writes what a dump states in one line.
func describe(sw *Switch) string {
	var b strings.Builder
	for _, t := range sw.Tables {
		for _, e := range t.Entries {
			fmt.Fprint(&b, e.Key.Prefix())
			for _, h := range t.Sets[e.Set] {
				switch {
				case h.Problem != "":
					fmt.Fprintf(&b, " (%s)", h.Problem)
				case h.Drop:
					b.WriteString(" drop")
				case h.Via.IsValid():
					fmt.Fprintf(&b, " %s@%s", h.Via, h.Dev)
				default:
					b.WriteString(" " + h.Dev)
				}
			}
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%d IPv6, %d other VRFs", t.IPv6, len(t.OtherVRF))
	}
	for _, name := range sortedKeys(sw.Interfaces) {
		x := sw.Interfaces[name]
		fmt.Fprintf(&b, "%s %s %s %v %v; ", name, x.MAC, x.Master, x.Down, x.Addresses)
	}
	for _, n := range sw.Neighbors {
		fmt.Fprintf(&b, "%s: %s [%s] %s %q %q %v; ", n.Port, n.Switch, n.Chassis, n.IDType, n.ID, n.Description, n.Forwards)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// zebraText returns the routes of one prefix.
func zebraText(hops string) string {
	return `{"10.0.2.0/24":[{"vrfName":"default","selected":true,"nexthops":[` + hops + `]}]}`
}

// TestKinds checks what is read of each kind of dump.
func TestKinds(t *testing.T) {
	const entry = `"chassis":{"s1":{"id":{"type":"mac","value":"0A:00:00:00:00:01"},"capability":[{"type":"Bridge","enabled":false},{"type":"Router","enabled":true}]}},` +
		`"port":{"id":{"type":"ifname","value":"swp3"},"descr":"to l1"}`
	const neighbor = `swp1: s1 [mac 0a:00:00:00:00:01] ifname "swp3" "to l1" true`
	for _, c := range []struct{ text, want string }{
		{zebraText(`{"fib":true,"ip":"10.1.0.0","interfaceName":"swp1"},{"fib":true,"ip":"10.1.0.2","interfaceName":"swp2"},{"ip":"10.1.0.4","interfaceName":"swp3"}`),
			"10.0.2.0/24 10.1.0.0@swp1 10.1.0.2@swp2; 0 IPv6, 0 other VRFs"},
		{zebraText(`{"recursive":true,"active":true,"ip":"10.9.0.1"},{"fib":true,"resolver":true,"ip":"fe80::1","interfaceName":"swp1"}`),
			"10.0.2.0/24 fe80::1@swp1; 0 IPv6, 0 other VRFs"},
		{zebraText(`{"fib":true,"unreachable":true,"blackhole":true}`), "10.0.2.0/24 drop; 0 IPv6, 0 other VRFs"},
		{zebraText(`{"fib":true,"ip":"10.1.0.0","interfaceName":"swp1","labels":[16]}`), "10.0.2.0/24 (MPLS labels); 0 IPv6, 0 other VRFs"},
		{zebraText(``), "10.0.2.0/24 (no next hop in the FIB); 0 IPv6, 0 other VRFs"},
		{`{"10.0.2.0/24":[{"nexthops":[{"fib":true,"interfaceName":"a"}]},{"selected":true,"nexthops":[{"fib":true,"interfaceName":"b"}]}]}`,
			"10.0.2.0/24 b; 0 IPv6, 0 other VRFs"},
		{`{"default":` + zebraText(`{"fib":true,"interfaceName":"a"}`) + `,"red":{"10.7.0.0/24":[{"selected":true,"vrfName":"red"}]}}`,
			"10.0.2.0/24 a; 0 IPv6, 1 other VRFs"},
		{`{"2001:db8::/64":[{"selected":true}]}`, "1 IPv6, 0 other VRFs"},
		{`[{"dst":"default","gateway":"10.1.0.0","dev":"swp1","flags":[]},{"dst":"10.0.2.1","dev":"vlan10","flags":[]}]`,
			"0.0.0.0/0 10.1.0.0@swp1; 10.0.2.1/32 vlan10; 0 IPv6, 0 other VRFs"},
		{`[{"dst":"10.0.2.0/24","nexthops":[{"gateway":"10.1.0.2","dev":"swp2","flags":["dead","linkdown"]},{"via":{"family":"inet6","host":"fe80::2"},"dev":"swp1","flags":[]}]}]`,
			"10.0.2.0/24 fe80::2@swp1; 0 IPv6, 0 other VRFs"},
		{`[{"type":"blackhole","dst":"10.0.2.0/24"},{"dst":"10.0.3.0/24","dev":"a","table":"red"},{"type":"local","dst":"10.0.3.1","dev":"a"}]`,
			"10.0.2.0/24 drop; 0 IPv6, 1 other VRFs"},
		{`[{"dst":"10.0.2.0/24","dev":"a","metric":5},{"dst":"10.0.2.0/24","dev":"b","metric":9}]`, "10.0.2.0/24 a; 0 IPv6, 0 other VRFs"},
		{`[{},{"ifindex":2,"ifname":"swp1","master":"bond0","operstate":"DOWN","address":"0A:00:00:00:00:01","addr_info":[{"local":"10.1.0.1","prefixlen":31}]}]`,
			"swp1 0a:00:00:00:00:01 bond0 true [10.1.0.1/31]"},
		{`{"lldp":{"interface":{"swp1":{` + entry + `}}}}`, neighbor},
		{`{"lldp":{"interface":[{"swp1":{` + entry + `}},{"eth0":{"chassis":{"id":{"type":"mac","value":"1"}},"port":{}}}]}}`, neighbor},
		{`{"lldp":[{"interface":[{"name":"swp1","chassis":[{"id":[{"type":"mac","value":"0a:00:00:00:00:01"}],"name":[{"value":"s1"}],"capability":[` +
			`{"type":"Router","enabled":true}]}],"port":[{"id":[{"type":"ifname","value":"swp3"}],"descr":[{"value":"to l1"}]}]}]}]}`, neighbor},
		{`{"vrfs":{"default":{"routes":{"10.0.2.0/24":{"hardwareProgrammed":true,"routeAction":"forward","vias":[{"interface":"Ethernet1","nexthopAddr":"10.1.0.0"},` +
			`{"interface":"Ethernet2","nexthopAddr":"10.1.0.2"}]},"10.0.3.0/24":{"routeAction":"drop","vias":[]},"10.0.4.0/24":{"hardwareProgrammed":false,` +
			`"vias":[{"interface":"Vlan4"}]}}},"red":{"routes":{"10.9.0.0/24":{"vias":[]}}}}}`,
			"10.0.2.0/24 10.1.0.0@Ethernet1 10.1.0.2@Ethernet2; 10.0.3.0/24 drop; 10.0.4.0/24 (a route that is not in the hardware); 0 IPv6, 1 other VRFs"},
		{`{"lldpNeighbors":{"Ethernet2":{"lldpNeighborInfo":[{"systemName":"s2","systemCapabilities":{"router":true},"neighborInterfaceInfo":` +
			`{"interfaceIdType":"interfaceName","interfaceId":"\"Ethernet7\""}}]},"Management1":{"lldpNeighborInfo":[]}}}`, `Ethernet2: s2 [] ifname "Ethernet7" "" true`},
		{`{"interfaces":{"Ethernet1":{"lineProtocolStatus":"up","interfaceAddress":[]},"Port-Channel3":{"lineProtocolStatus":"up","memberInterfaces":{"Ethernet1":{}},` +
			`"interfaceAddress":[{"primaryIp":{"address":"10.1.0.1","maskLen":31}}]}}}`, "Ethernet1  Port-Channel3 false []; Port-Channel3   false [10.1.0.1/31]"},
		{`{"TABLE_vrf":{"ROW_vrf":[{"vrf-name-out":"default","TABLE_addrf":{"ROW_addrf":{"addrf":"ipv4","TABLE_prefix":{"ROW_prefix":[{"ipprefix":"10.0.2.0/24",` +
			`"attached":"false","TABLE_path":{"ROW_path":[{"ipnexthop":"10.1.0.0","ifname":"Eth1/1","ubest":"true"},{"ipnexthop":"10.1.0.9","ifname":"Eth1/9"}]}},` +
			`{"ipprefix":"10.0.1.0/24","attached":"true","TABLE_path":{"ROW_path":{"ipnexthop":"10.0.1.1","ifname":"Vlan10","ubest":true}}}]}}}}]}}`,
			"10.0.1.0/24 Vlan10; 10.0.2.0/24 10.1.0.0@Ethernet1/1; 0 IPv6, 0 other VRFs"},
		{`{"TABLE_nbor":{"ROW_nbor":{"chassis_id":"s1","l_port_id":"Eth1/1","enabled_capability":"BR","port_type":"Interface Name","port_id":"Eth1/4"}}}`,
			`Ethernet1/1: s1 [] ifname "Ethernet1/4" "" true`},
		{`{"route-information":[{"route-table":[{"table-name":[{"data":"inet.0"}],"rt":[{"rt-destination":[{"data":"10.0.2.0/24"}],"rt-entry":[{"active-tag":[{"data":"*"}],` +
			`"nh":[{"to":[{"data":"10.1.0.0"}],"via":[{"data":"xe-0/0/0.0"}]}]},{"nh":[{"to":[{"data":"10.1.0.8"}]}]}]},{"rt-destination":[{"data":"10.0.3.0/24"}],` +
			`"rt-entry":[{"active-tag":[{"data":"*"}],"nh-type":[{"data":"Reject"}]}]}]},{"table-name":[{"data":"red.inet.0"}],"rt":[{"rt-destination":[{"data":"10.9.0.0/24"}],` +
			`"rt-entry":[{"active-tag":[{"data":"*"}],"nh":[]}]}]},{"table-name":[{"data":"inet6.0"}],"rt":[{}]}]}]}`,
			"10.0.2.0/24 10.1.0.0@xe-0/0/0.0; 10.0.3.0/24 drop; 1 IPv6, 1 other VRFs"},
		{`{"lldp-neighbors-information":[{"lldp-neighbor-information":[{"lldp-local-interface":[{"data":"xe-0/0/3"}],"lldp-remote-system-name":[{"data":"s1"}],` +
			`"lldp-remote-port-id-subtype":[{"data":"Locally assigned"}],"lldp-remote-port-id":[{"data":"516"}],"lldp-remote-port-description":[{"data":"xe-0/0/0"}],` +
			`"lldp-remote-system-capabilities-enabled":[{"data":"Bridge Router"}]}]}]}`, `xe-0/0/3: s1 [] local "516" "xe-0/0/0" true`},
		{"default via 10.1.0.0 dev swp1 proto bgp metric 20\n10.0.2.0/24 proto bgp metric 20\n\tnexthop via 10.1.0.0 dev swp1 weight 1\n\tnexthop via inet6 fe80::1 dev swp2 weight 1\n" +
			"local 10.1.0.1 dev swp1 table local\nblackhole 10.8.0.0/16\n10.0.1.0/24 dev vlan10 proto kernel scope link src 10.0.1.1 linkdown\n",
			"0.0.0.0/0 10.1.0.0@swp1; 10.0.2.0/24 10.1.0.0@swp1 fe80::1@swp2; 10.8.0.0/16 drop; 0 IPv6, 0 other VRFs"},
		{"1: lo: <LOOPBACK,UP> mtu 65536\n    inet 127.0.0.1/8 scope host lo\n2: swp1@if3: <BROADCAST> mtu 1500 master bond1 state DOWN\n    link/ether 0A:00:00:00:00:01 brd ff\n" +
			"    inet 10.1.0.1/31 scope global swp1\n", "lo   false [127.0.0.1/8]; swp1 0a:00:00:00:00:01 bond1 true [10.1.0.1/31]"},
		{`[{"cmd":"ip route show table all","devtype":"cumulus","namespace":"n","hostname":"l1","data":"10.0.2.0/24 via 10.1.0.0 dev swp1\n"},` +
			`{"cmd":"net show lldp json","devtype":"cumulus","namespace":"n","hostname":"l1","data":{"lldp":{"interface":{"swp1":{` + entry + `}}}}},` +
			`{"cmd":"ip route show table all","devtype":"linux","namespace":"n","hostname":"server","data":"10.0.0.0/8 via 10.0.2.1 dev eth1 proto static\n"}]`,
			"10.0.2.0/24 10.1.0.0@swp1; 0 IPv6, 0 other VRFs" + neighbor},
		{`[{"dst":"10.0.2.0/24","dev":"a","tos":"0x68"},{"dst":"10.0.2.0/24","dev":"b","metric":20},{"dst":"10.0.3.0/24","dev":"c","tos":"0x10"}]`,
			"10.0.2.0/24 b (a route for frames of tos 0x68); 10.0.3.0/24 (a route for frames of tos 0x10); 0 IPv6, 0 other VRFs"},
		{"10.0.2.0/24 dev b proto bgp\n10.0.2.0/24 tos 0x68 via 10.1.0.0 dev swp1 proto static\n",
			"10.0.2.0/24 b (a route for frames of tos 0x68); 0 IPv6, 0 other VRFs"},
		{"default dev swp1 metric 1024 pref medium\ndefault via inet6 fe80::1 dev swp2 proto bgp\n", "0.0.0.0/0 fe80::1@swp2; 1 IPv6, 0 other VRFs"},
		{"default proto bgp metric 20\n\tnexthop via fe80::1 dev swp1 weight 1\n10.0.2.0/24 dev b proto bgp\n", "10.0.2.0/24 b; 1 IPv6, 0 other VRFs"},
		{`{"route-information":[{"route-table":[{"table-name":[{"data":"inet.0"}],"rt":[{"rt-destination":[{"data":"10.0.2.0/24"}]},` +
			`{"rt-destination":[{"data":"10.0.3.0/24"}],"rt-entry":[{"nh":[{"to":[{"data":"10.1.0.8"}],"via":[{"data":"xe-0/0/0.0"}]}]}]}]}]}]}`,
			"10.0.2.0/24 (no next hop that is used); 10.0.3.0/24 (no next hop that is used); 0 IPv6, 0 other VRFs"},
		{"{}\n", ""}, {"[ ]", ""}, {`{"lldp":[{}]}`, ""},
	} {
		sw, err := readText(c.text)
		if err != nil || sw == nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := describe(sw); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.text, got, c.want)
		}
	}
}

// TestDevices checks which devices of SuzieQ must have routes: all but servers. A Linux device without routes may be a switch.
func TestDevices(t *testing.T) {
	for record, want := range map[string]bool{
		`"cmd":"ip route show table all","devtype":"cumulus","data":"% Connection refused"`:                        true,
		`"cmd":"ip route show table all","devtype":"cumulus","data":""`:                                            true,
		`"cmd":"net show lldp json","devtype":"eos","data":null`:                                                   true,
		`"cmd":"show ip route json","devtype":"sonic","data":{}`:                                                   true,
		`"cmd":"ip route show table all","devtype":"linux","data":"% Connection refused"`:                          true,
		`"cmd":"ip route show table all","devtype":"linux","data":"10.0.0.0/8 via 10.0.2.1 dev eth1 proto static"`: false,
		`"cmd":"uptime","devtype":"linux","data":"up 3 days"`:                                                      false,
	} {
		sw, err := readText(`[{"namespace":"n","hostname":"s1",` + record + `}]`)
		if err != nil || sw == nil || sw.MustRoute != want || len(sw.Tables) > 0 {
			t.Errorf("%s: %+v, %v; want routes: %v", record, sw, err, want)
		}
	}
}

// TestWrongDumps checks errors, with file and line.
func TestWrongDumps(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\"10.0.2.0/24\":[{\"selected\":true,\n\"nexthops\":[{", "dump.json:2: the object does not end"},
		{"[{\"dst\":\"10.0.2.0/24\",\"dev\":\"a\"},\n{\"dst\":\"10.0.2.300/24\"}]", `dump.json:2: dst "10.0.2.300/24" is no prefix`},
		{`[{"dst":"10.0.2.0/24","gateway":"x","dev":"a"}]`, `gateway "x" of 10.0.2.0/24 is no address`},
		{`{"10.0.2.0/24":[{"selected":true,"nexthops":[{"fib":true,"ip":"x"}]}]}`, `next hop "x" of 10.0.2.0/24 is no address`},
		{`{"10.0.2.0/24":[],"10.0.2.x":[]}`, `the key "10.0.2.x" is no prefix`},
		{`{"10.0.2.0/24":[{"selected":true},{"selected":true}]}`, "10.0.2.0/24 has two selected routes"},
		{`{"10.0.2.0/24":[{"selected":false}]}`, "no selected route"},
		{`[{"ifname":"a","addr_info":[]},{"ifname":"a","addr_info":[]}]`, "interface a occurs twice"},
		{`[{"ifname":"a","addr_info":[{"local":"10.0.0.1","prefixlen":99}]}]`, `address "10.0.0.1" of a with length 99`},
		{`{"10.0.2.0/24":[],"10.0.2.0/24":[]}`, "occurs twice"},
	} {
		if _, err := readText(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}

// FuzzDump checks that no text makes the readers panic, and that what they accept is well formed.
func FuzzDump(f *testing.F) {
	f.Add(zebraText(`{"fib":true,"ip":"10.1.0.0","interfaceName":"swp1"}`))
	f.Add(`[{"dst":"default","gateway":"10.1.0.0","dev":"swp1","flags":[]}]`)
	f.Add(`[{"ifname":"a","addr_info":[{"local":"10.0.0.1","prefixlen":24}]}]`)
	f.Add(`{"vrfs":{"default":{"routes":{"10.0.2.0/24":{"vias":[{"interface":"Ethernet1"}]}}}}}`)
	f.Add(`{"TABLE_vrf":{"ROW_vrf":[{"TABLE_addrf":{"ROW_addrf":{"TABLE_prefix":{"ROW_prefix":[{"ipprefix":"10.0.2.0/24"}]}}}}]}}`)
	f.Add(`{"PORT_QOS_MAP":{"Ethernet0":{"pfc_enable":"3,4","dscp_to_tc_map":"A"}},"DSCP_TO_TC_MAP":{"A":{"3":"3"}},"MUX_CABLE":{"Ethernet0":{"server_ipv4":"10.0.0.1"}}}`)
	f.Add(`[{"cmd":"x","devtype":"cumulus","namespace":"n","hostname":"l1","data":"10.0.2.0/24 via 10.1.0.0 dev swp1"}]`)
	f.Add("10.0.2.0/24 proto bgp\n\tnexthop via 10.1.0.0 dev swp1\n")
	f.Add(`{"lldp":{"interface":[{"swp1":{"chassis":{"s1":{}},"port":{"id":{"type":"mac","value":"1"}}}}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		sw, err := readText(text)
		if err != nil || sw == nil {
			return
		}
		for _, table := range sw.Tables {
			for i, e := range table.Entries {
				if e.Key != KeyOf(e.Key.Prefix()) || i > 0 && table.Entries[i-1].Key.Compare(e.Key) >= 0 || len(table.Sets[e.Set]) == 0 {
					t.Fatalf("route %d: %+v", i, e)
				}
			}
		}
	})
}

// TestProtocolsOfVendors: the words of EOS, NX-OS and Junos for protocols.
func TestProtocolsOfVendors(t *testing.T) {
	for word, want := range map[string]string{"eBGP": "bgp", "bgp-65001": "bgp", "BGP": "bgp", "ospfIntraArea": "ospf", "ospf-1": "ospf", "isisLevel2": "isis",
		"IS-IS": "isis", "static": "static", "Static": "static", "connected": "connected", "": ""} {
		if got := protocolOf(word); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}
