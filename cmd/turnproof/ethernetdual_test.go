package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// writeDual writes a spine s1, the dual-ToR pair l1 and l2, and a leaf l3, with the state of the MUX cables. Tunnels have no maps of their own.
func writeDual(t *testing.T, state string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	put := func(sw, file string, doc any) {
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, sw+"/"+file, string(text))
	}
	same := object{}
	for i := range 8 {
		same[fmt.Sprint(i)] = fmt.Sprint(i)
	}
	qos := func(ports ...string) object {
		rows := object{}
		for _, port := range ports {
			rows[port] = object{"dscp_to_tc_map": "A", "tc_to_pg_map": "A", "tc_to_queue_map": "A", "pfc_to_queue_map": "A", "pfc_enable": "3,4"}
		}
		return object{"DSCP_TO_TC_MAP": object{"A": object{"0": "1", "3": "3", "4": "4"}}, "TC_TO_PRIORITY_GROUP_MAP": object{"A": same},
			"TC_TO_QUEUE_MAP": object{"A": same}, "MAP_PFC_PRIORITY_TO_QUEUE": object{"A": same}, "PORT_QOS_MAP": rows}
	}
	connected := func(p, dev string) (string, any) {
		return p, []any{object{"prefix": p, "protocol": "connected", "selected": true, "installed": true,
			"nexthops": []any{object{"fib": true, "active": true, "directlyConnected": true, "interfaceName": dev}}}}
	}
	bgp := func(to object, p string, hops ...[2]string) {
		list := []any{}
		for _, h := range hops {
			list = append(list, object{"fib": true, "active": true, "ip": h[0], "interfaceName": h[1]})
		}
		to[p] = []any{object{"prefix": p, "protocol": "bgp", "selected": true, "installed": true, "nexthops": list}}
	}
	set := func(to object, p, dev string) { k, v := connected(p, dev); to[k] = v }
	spine := object{}
	var down [][2]string
	for i := 1; i <= 3; i++ {
		hop := [2]string{fmt.Sprintf("10.255.0.%d", 2*i+1), fmt.Sprint("Ethernet", 4*i)}
		down = append(down, hop)
		set(spine, fmt.Sprintf("10.255.0.%d/31", 2*i), hop[1])
		bgp(spine, fmt.Sprintf("10.9.0.%d/32", i), hop)
		leaf, up := object{}, [2]string{fmt.Sprintf("10.255.0.%d", 2*i), "Ethernet0"}
		set(leaf, fmt.Sprintf("10.255.0.%d/31", 2*i), "Ethernet0")
		set(leaf, fmt.Sprintf("10.9.0.%d/32", i), "Loopback0")
		for k := 1; k <= 3; k++ {
			if k != i {
				bgp(leaf, fmt.Sprintf("10.9.0.%d/32", k), up)
			}
		}
		doc := qos("Ethernet0", "Ethernet100")
		doc["VLAN_MEMBER"] = object{"Vlan1000|Ethernet100": object{"tagging_mode": "untagged"}}
		if i == 3 {
			set(leaf, "10.3.0.0/24", "Vlan1000")
			bgp(leaf, "10.1.0.0/24", up)
		} else {
			set(leaf, "10.1.0.0/24", "Vlan1000")
			bgp(leaf, "10.3.0.0/24", up)
			doc["TUNNEL"] = object{"MuxTunnel0": object{"dscp_mode": "uniform", "dst_ip": fmt.Sprintf("10.9.0.%d", i)}}
			doc["PEER_SWITCH"] = object{fmt.Sprint("l", 3-i): object{"address_ipv4": fmt.Sprintf("10.9.0.%d", 3-i)}}
			doc["MUX_CABLE"] = object{"Ethernet100": object{"server_ipv4": "10.1.0.10/32", "state": state}}
		}
		put(fmt.Sprint("l", i), "show_ip_route.json", leaf)
		put(fmt.Sprint("l", i), "config_db.json", doc)
	}
	bgp(spine, "10.1.0.0/24", down[0], down[1])
	bgp(spine, "10.3.0.0/24", down[2])
	put("s1", "show_ip_route.json", spine)
	put("s1", "config_db.json", qos("Ethernet4", "Ethernet8", "Ethernet12"))
	return dir
}

// changeJSON changes an object in files of both leaves, or of one.
func changeJSON(t *testing.T, dir, file string, edit func(doc object), leaves ...string) {
	t.Helper()
	for _, leaf := range leaves {
		path := filepath.Join(dir, leaf, file)
		text, err := os.ReadFile(path)
		doc := object{}
		if err == nil {
			err = json.Unmarshal(text, &doc)
		}
		if err != nil {
			t.Fatal(err)
		}
		edit(doc)
		text, _ = json.Marshal(doc)
		write(t, dir, leaf+"/"+file, string(text))
	}
}

// TestDualDoubts checks that a peer, tunnel or server of dual ToR that the folder cannot resolve is never proved, and named.
func TestDualDoubts(t *testing.T) {
	t.Parallel()
	const config, routes = "config_db.json", "show_ip_route.json"
	row := func(table, name, field, value string) func(object) {
		return func(doc object) { doc[table].(map[string]any)[name].(map[string]any)[field] = value }
	}
	without := func(keys ...string) func(object) {
		return func(doc object) {
			for _, key := range keys {
				delete(doc, key)
			}
		}
	}
	route := func(p, protocol, via, dev string) func(object) {
		return func(doc object) {
			hop := object{"fib": true, "active": true, "interfaceName": dev}
			if hop["directlyConnected"] = via == ""; via != "" {
				hop["ip"] = via
			}
			doc[p] = []any{object{"prefix": p, "protocol": protocol, "selected": true, "installed": true, "nexthops": []any{hop}}}
		}
	}
	for _, c := range []struct {
		name, state string
		edit        func(dir string)
		code        int
		want        string
	}{
		{"as it is", "auto", func(string) {}, cli.ExitRefuted, "REFUTED    deadlock-free"},
		{"active", "active", func(string) {}, cli.ExitHolds, "PROVED     deadlock-free"},
		{"address of no switch", "auto", func(dir string) {
			changeJSON(t, dir, config, row("PEER_SWITCH", "l2", "address_ipv4", "10.9.9.9"), "l1")
			changeJSON(t, dir, config, row("PEER_SWITCH", "l1", "address_ipv4", "10.9.9.9"), "l2")
		}, cli.ExitUndecided, "l1/config_db.json: PEER_SWITCH l2 has the address 10.9.9.9, which the dumps of l2 do not have"},
		{"address of no switch at l1", "auto", func(dir string) {
			changeJSON(t, dir, config, row("PEER_SWITCH", "l2", "address_ipv4", "10.9.9.9"), "l1")
		}, cli.ExitUndecided, "l1/config_db.json: PEER_SWITCH l2 has the address 10.9.9.9, which the dumps of l2 do not have"},
		{"address of the tunnel's end", "active", func(dir string) {
			changeJSON(t, dir, config, row("TUNNEL", "MuxTunnel0", "dst_ip", "10.9.0.3"), "l2")
		}, cli.ExitUndecided, "dst_ip of TUNNEL in l2/config_db.json is 10.9.0.3"},
		{"no route", "auto", func(dir string) {
			changeJSON(t, dir, routes, without("10.9.0.2/32", "10.9.0.3/32"), "l1")
			changeJSON(t, dir, routes, without("10.9.0.1/32", "10.9.0.3/32"), "l2")
		}, cli.ExitUndecided, "the tunnel of l1 goes to 10.9.0.2, to which l1 has no route"},
		{"no route at the spine", "auto", func(dir string) {
			changeJSON(t, dir, routes, without("10.9.0.1/32", "10.9.0.2/32"), "s1")
		}, cli.ExitRefuted, "the tunnel of l1 goes to 10.9.0.2, to which s1 has no route"}, // the spine drops the frames
		{"server outside the VLAN", "auto", func(dir string) {
			changeJSON(t, dir, config, row("MUX_CABLE", "Ethernet100", "server_ipv4", "10.7.0.10/32"), "l1", "l2")
		}, cli.ExitUndecided, "l1/config_db.json: MUX_CABLE has the server 10.7.0.10, which is in no connected prefix of l1"},
		{"one leaf only", "auto", func(dir string) {
			changeJSON(t, dir, config, without("TUNNEL", "PEER_SWITCH", "MUX_CABLE"), "l2")
		}, cli.ExitUndecided, "l1/config_db.json: PEER_SWITCH of l1 is l2, whose PEER_SWITCH in l2/config_db.json is not l1"},
		{"another server", "active", func(dir string) {
			changeJSON(t, dir, config, row("MUX_CABLE", "Ethernet100", "server_ipv4", "10.1.0.11/32"), "l2")
		}, cli.ExitUndecided, "l1/config_db.json: MUX_CABLE has the server 10.1.0.10, which l2/config_db.json has not"},
		{"no TUNNEL", "active", func(dir string) {
			changeJSON(t, dir, config, without("TUNNEL"), "l1", "l2")
		}, cli.ExitUndecided, "l2/config_db.json: no table TUNNEL, and the tunnel of l1 ends at l2"},
		{"no QoS maps", "active", func(dir string) {
			changeJSON(t, dir, config, without("PORT_QOS_MAP"), "l1", "l2", "l3", "s1")
		}, cli.ExitUndecided, "l1/config_db.json has PEER_SWITCH (dual ToR), and no switch has PORT_QOS_MAP"},
		{"wider prefix elsewhere", "active", func(dir string) {
			changeJSON(t, dir, routes, route("10.0.0.0/8", "connected", "", "Ethernet100"), "l3")
			changeJSON(t, dir, routes, route("10.0.0.0/8", "bgp", "10.255.0.7", "Ethernet12"), "s1")
			write(t, dir, "l3/ip_addr.json", `[{"ifname":"Ethernet0","operstate":"UP","addr_info":[{"family":"inet","local":"10.255.0.7","prefixlen":31}]},`+
				`{"ifname":"Ethernet100","operstate":"UP","addr_info":[{"family":"inet","local":"10.0.0.1","prefixlen":8}]},`+
				`{"ifname":"Vlan1000","operstate":"UP","addr_info":[{"family":"inet","local":"10.3.0.1","prefixlen":24}]},`+
				`{"ifname":"Loopback0","operstate":"UP","addr_info":[{"family":"inet","local":"10.9.0.3","prefixlen":32}]}]`) // its own address is in 10.0.0.0/8
			changeJSON(t, dir, routes, route("10.0.0.0/8", "bgp", "10.255.0.2", "Ethernet0"), "l1")
			changeJSON(t, dir, routes, route("10.0.0.0/8", "bgp", "10.255.0.4", "Ethernet0"), "l2")
		}, cli.ExitHolds, "PROVED     connected"},
		{"routes of the server to its active leaf", "active", func(dir string) {
			changeJSON(t, dir, config, row("MUX_CABLE", "Ethernet100", "state", "standby"), "l2")
			changeJSON(t, dir, routes, route("10.1.0.10/32", "bgp", "10.255.0.3", "Ethernet4"), "s1")
		}, cli.ExitHolds, "PROVED     deadlock-free"},
		{"routes into both tunnels", "active", func(dir string) { // of an address that is no server
			changeJSON(t, dir, routes, route("10.1.0.11/32", "kernel", "", "tun0"), "l1", "l2")
		}, cli.ExitRefuted, "REFUTED    deadlock-free"},
		{"route into the tunnel of the leaf that is on standby now", "auto", func(dir string) { // state auto: the other leaf may be, too
			changeJSON(t, dir, routes, route("10.1.0.10/32", "kernel", "", "tun0"), "l2")
		}, cli.ExitRefuted, "PROVED     connected"},
		{"a cable that no routed frames use", "active", func(dir string) { // it has the maps of the host port, as the cable to the spine has not
			changeJSON(t, dir, config, row("MUX_CABLE", "Ethernet100", "state", "standby"), "l2")
			changeJSON(t, dir, config, func(doc object) {
				doc["TC_TO_DSCP_MAP"] = object{"M": object{"0": "0", "1": "0", "2": "0", "3": "3", "4": "4", "5": "0", "6": "0", "7": "0"}}
				doc["TUNNEL"].(map[string]any)["MuxTunnel0"].(map[string]any)["encap_tc_color_to_dscp_map"] = "M"
				doc["DSCP_TO_TC_MAP"].(map[string]any)["B"] = object{"0": "0", "3": "0", "4": "0"}
				ports := doc["PORT_QOS_MAP"].(map[string]any)
				ports["Ethernet0"].(map[string]any)["dscp_to_tc_map"] = "B"
				ports["Ethernet8"] = ports["Ethernet100"]
			}, "l2")
			far := "10.255.9.1/31"
			changeJSON(t, dir, routes, route("10.255.9.0/31", "connected", "", "Ethernet8"), "l2")
			text, err := os.ReadFile(filepath.Join(dir, "l2", config))
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, "z/"+config, string(text))
			changeJSON(t, dir, config, without("TUNNEL", "PEER_SWITCH", "MUX_CABLE", "VLAN_MEMBER"), "z")
			write(t, dir, "z/"+routes, "{}")
			changeJSON(t, dir, routes, route(far, "connected", "", "Ethernet8"), "z")
		}, cli.ExitHolds, "PROVED     deadlock-free"},
		{"a rule that redirects frames", "active", func(dir string) {
			changeJSON(t, dir, config, func(doc object) {
				doc["ACL_RULE"] = object{"DATA|RULE_1": object{"PRIORITY": "9", "DST_IP": "10.1.0.0/24", "PACKET_ACTION": "REDIRECT:Ethernet0"}}
			}, "l3")
		}, cli.ExitUndecided, "UNDECIDED  deadlock-free  l3/config_db.json: ACL_RULE DATA|RULE_1 redirects frames, which is not followed"},
		{"both on standby", "standby", func(string) {}, cli.ExitRefuted, "UNDECIDED  connected      l1/config_db.json and l2/config_db.json: the server 10.1.0.10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := writeDual(t, c.state)
			c.edit(dir)
			stdout, stderr, code := turnproof(t, "check", dir)
			if code != c.code || !strings.Contains(stdout, c.want) {
				t.Errorf("exit status %d, want %d and %q\n%s%s", code, c.code, c.want, stdout, stderr)
			}
			if c.code == cli.ExitHolds {
				return
			}
			stdout, _, code = turnproof(t, "check", dir, "--assume", "all")
			if code == cli.ExitHolds || strings.Contains(stdout, "PROVED     connected") && c.code == cli.ExitUndecided {
				t.Errorf("--assume all: exit status %d\n%s", code, stdout)
			}
			for _, assume := range []string{"messages,dumps", "messages,dumps,packet-and-buffer,flows"} {
				stdout, _, code = turnproof(t, "check", dir, "--strict", "--assume", assume)
				if code == cli.ExitHolds || strings.Contains(stdout, "PROVED     deadlock-free") {
					t.Errorf("--strict --assume %s: exit status %d\n%s", assume, code, stdout)
				}
			}
		})
	}
}

// TestDualFailures: the models of control planes have no tunnels, and say so.
func TestDualFailures(t *testing.T) {
	dir := writeDual(t, "auto")
	for _, word := range []string{"bgp --as unique", "ospf", "updown"} {
		_, stderr, code := turnproof(t, append([]string{"check", dir, "--fail", "links:1", "--reroute"}, strings.Fields(word)...)...)
		if code != cli.ExitUsage || !strings.Contains(stderr, "l1 sends frames in a tunnel (dual ToR)") {
			t.Errorf("%s: exit status %d, %s", word, code, stderr)
		}
	}
	if _, stderr, code := turnproof(t, "check", dir, "--fail", "links:1", "--reroute", "none"); code != cli.ExitRefuted {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}
