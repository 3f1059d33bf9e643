package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// This file judges what failures without rerouting, and with OSPF, may not overlook in the dumps.

// TestBackupRoutes: a route takes over when the next hops of another one of its prefix are gone. Failures without rerouting are not proved then.
func TestBackupRoutes(t *testing.T) {
	for _, kind := range []string{"zebra", "kernel", "none"} {
		stdout, stderr, _ := turnproof(t, "check", writeTriangle(t, kind), "--fail", "links:1", "--reroute", "none")
		const want = "a has a further route of 10.2.0.0/24, which takes over"
		if strings.Contains(stdout, want) != (kind != "none") || !strings.Contains(stdout, "0 proved, ") {
			t.Errorf("%s: %s%s", kind, stdout, stderr)
		}
	}
}

// TestCostsOfOSPF: the model of OSPF has one cost for all interfaces, and covers no routes of other protocols.
func TestCostsOfOSPF(t *testing.T) {
	for kind, want := range map[string]string{
		"ospf":    "3 proved, ",
		"uneven":  "interfaces have different costs: a has the metric 30 for 10.2.0.0/24; c has the metric 20",
		"cables":  "interfaces have different costs: a:eth1 has 10; a:eth2 has 20",
		"foreign": "at a, the route to 10.2.0.0/24 is of the protocol static",
	} {
		if stdout, stderr, _ := turnproof(t, "check", writeTriangle(t, kind), "--fail", "links:1", "--reroute", "ospf"); !strings.Contains(stdout, want) {
			t.Errorf("%s: %s%s", kind, stdout, stderr)
		}
	}
}

// writeTriangle writes three switches with a host prefix each. With a backup, a sends frames to b by c if their cable fails.
func writeTriangle(t *testing.T, kind string) string {
	t.Helper()
	dir, protocol := t.TempDir(), "bgp"
	if kind == "ospf" || kind == "uneven" || kind == "foreign" || kind == "cables" {
		protocol = "ospf"
	}
	for i, sw := range []string{"a", "b", "c"} {
		var zebra, kernel []string
		add := func(p, protocol, selected, via, dev string, metric int) {
			zebra = append(zebra, fmt.Sprintf(`{"prefix":%q,"protocol":%q,"selected":%s,"installed":%[3]s,"metric":%[6]d,`+
				`"nexthops":[{"fib":%[3]s,"active":true,"ip":%[4]q,"interfaceName":%q}]}`, p, protocol, selected, via, dev, metric))
			kernel = append(kernel, fmt.Sprintf(`{"dst":%q,"gateway":%q,"dev":%q,"protocol":%q,"metric":%d,"flags":[]}`, p, via, dev, protocol, metric))
		}
		addr := []string{fmt.Sprintf(`{"ifname":"host","operstate":"UP","addr_info":[{"family":"inet","local":"10.%d.0.1","prefixlen":24}]}`, i+1)}
		connected := func(p, dev string) {
			zebra = append(zebra, fmt.Sprintf(`{"prefix":%q,"protocol":"connected","selected":true,"installed":true,"nexthops":[{"fib":true,"active":true,`+
				`"directlyConnected":true,"interfaceName":%q}]}`, p, dev))
			kernel = append(kernel, fmt.Sprintf(`{"dst":%q,"dev":%q,"protocol":"kernel","scope":"link","flags":[]}`, p, dev))
		}
		connected(fmt.Sprintf("10.%d.0.0/24", i+1), "host")
		for j := range 3 {
			if j == i {
				continue
			}
			k, end := 3-i-j, 0 // the cable is named by the switch that is not at it
			if i > j {
				end = 1
			}
			dev, via := fmt.Sprint("eth", k), fmt.Sprintf("10.255.%d.%d", k, 1-end)
			connected(fmt.Sprintf("10.255.%d.0/31", k), dev)
			if kind == "cables" { // the route of OSPF, which is not used
				add(fmt.Sprintf("10.255.%d.0/31", k), "ospf", "false", "", dev, 10*k)
			}
			addr = append(addr, fmt.Sprintf(`{"ifname":%q,"operstate":"UP","addr_info":[{"family":"inet","local":"10.255.%d.%d","prefixlen":31}]}`, dev, k, end))
			metric, by := 20, protocol
			switch {
			case i != 0 || j != 1:
			case kind == "uneven":
				metric = 30
			case kind == "foreign":
				by = "static"
			}
			add(fmt.Sprintf("10.%d.0.0/24", j+1), by, "true", via, dev, metric)
		}
		if sw == "a" && (kind == "zebra" || kind == "kernel") {
			add("10.2.0.0/24", "static", "false", "10.255.1.0", "eth1", 200)
		}
		if kind == "kernel" {
			write(t, dir, sw+"/ip_route.json", "["+strings.Join(kernel, ",")+"]")
		} else {
			byPrefix := map[string][]string{}
			for _, row := range zebra {
				p := strings.Split(row, `"`)[3]
				byPrefix[p] = append(byPrefix[p], row)
			}
			var list []string
			for p, rows := range byPrefix {
				list = append(list, fmt.Sprintf("%q:[%s]", p, strings.Join(rows, ",")))
			}
			write(t, dir, sw+"/show_ip_route.json", "{"+strings.Join(list, ",")+"}")
		}
		write(t, dir, sw+"/ip_addr.json", "["+strings.Join(addr, ",")+"]")
	}
	return dir
}

// TestSessionsOfBGP: the model of BGP has a session for each cable. It does not cover a fabric whose dumps list the sessions, and lack one.
func TestSessionsOfBGP(t *testing.T) {
	const lacks = "b:eth0 lists no established BGP session for its cable to c:eth0"
	for state, want := range map[string]string{"Established": "3 proved, ", "Idle": lacks, "": lacks} {
		dir := writeTriangle(t, "none")
		for i, sw := range []string{"a", "b", "c"} {
			peers := object{}
			for j := range 3 {
				k, end := 3-i-j, 1 // of the peer, see writeTriangle
				if i > j {
					end = 0
				}
				if is := state; j != i {
					if sw != "b" || k != 0 {
						is = "Established"
					}
					if is != "" {
						peers[fmt.Sprintf("10.255.%d.%d", k, end)] = object{"state": is, "peerState": "OK"}
					}
				}
			}
			text, err := json.Marshal(peers)
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, sw+"/bgp_summary.json", fmt.Sprintf(`{"ipv4Unicast":{"routerId":"10.9.9.9","as":%d,"peers":%s}}`, 65001+i, text))
		}
		if stdout, stderr, _ := turnproof(t, "check", dir, "--fail", "links:1", "--reroute", "bgp"); !strings.Contains(stdout, want) {
			t.Errorf("%q: %s%s", state, stdout, stderr)
		}
	}
}
