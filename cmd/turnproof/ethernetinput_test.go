package main

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file tests folders of dumps that are incomplete, contradict each other, or are no dumps of IPv4 routes.

// leafSpine returns a proved fabric: switches 0 and 1 are spines, 2 to 4 are leaves with a host prefix each.
func leafSpine() *drawnEthernet {
	f := &drawnEthernet{n: 5, homes: map[netip.Prefix][]int{}}
	for u := range f.n {
		f.routes = append(f.routes, map[netip.Prefix][]int{})
		for s := range 2 {
			if u >= 2 {
				f.cables = append(f.cables, [4]int{s, u - 1, u, s + 1})
			}
		}
	}
	for u := 2; u < f.n; u++ {
		p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(u), 0}), 24)
		f.homes[p] = []int{u}
		for v := range f.n {
			switch {
			case v < 2:
				f.routes[v][p] = []int{u - 1}
			case v != u:
				f.routes[v][p] = []int{1, 2}
			}
		}
	}
	return f
}

// writeLeafSpine writes leafSpine with the dumps of the given kinds, in compact JSON.
func writeLeafSpine(t *testing.T, kinds string) string {
	t.Helper()
	dir := t.TempDir()
	leafSpine().writeKinds(t, dir, kinds)
	return dir
}

// change replaces the first text in a file, and fails if it is not there.
func change(t *testing.T, path, old, now string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil && !bytes.Contains(text, []byte(old)) {
		err = fmt.Errorf("no %q in %s", old, text)
	}
	if err == nil {
		err = os.WriteFile(path, bytes.Replace(text, []byte(old), []byte(now), 1), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// rewrite edits a file.
func rewrite(t *testing.T, path string, edit func(string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(edit(string(text))), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// widen gives each cable a subnet of 254 addresses.
func widen(t *testing.T, dir string) {
	t.Helper()
	cable := regexp.MustCompile(`10\.255\.0\.(\d+)(/31)?`)
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	for _, path := range files {
		rewrite(t, path, func(text string) string {
			text = strings.ReplaceAll(text, `"prefixlen":31`, `"prefixlen":24`)
			return cable.ReplaceAllStringFunc(text, func(a string) string {
				n, err := strconv.Atoi(cable.FindStringSubmatch(a)[1])
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(a, "/31") {
					return fmt.Sprintf("10.255.%d.0/24", n/2)
				}
				return fmt.Sprintf("10.255.%d.%d", n/2, 1+n%2)
			})
		})
	}
}

// move renames files, or removes them if the new name is empty.
func move(t *testing.T, dir string, names ...string) {
	t.Helper()
	for i := 0; i < len(names); i += 2 {
		var err error
		if names[i+1] == "" {
			err = os.RemoveAll(filepath.Join(dir, names[i]))
		} else {
			err = os.Rename(filepath.Join(dir, names[i]), filepath.Join(dir, names[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// write writes a file, and its folders.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// suzieq replaces the dumps of a folder by raw outputs of SuzieQ. The routes of one switch are replaced by a value.
func suzieq(t *testing.T, dir, without, value string) {
	t.Helper()
	outputs := map[string][]string{}
	for u := range 5 {
		for name, command := range map[string]string{"ip_route.json": "ip -j route", "lldp.json": "net show lldp json"} {
			host := fmt.Sprintf("sw%d", u)
			text, err := os.ReadFile(filepath.Join(dir, host, name))
			if err != nil {
				t.Fatal(err)
			}
			data := string(text)
			if host == without && name == "ip_route.json" {
				data = value
			}
			outputs[name] = append(outputs[name], fmt.Sprintf(`{"cmd":%q,"devtype":"cumulus","namespace":"n","hostname":%q,"data":%s}`, command, host, data))
		}
		move(t, dir, fmt.Sprintf("sw%d", u), "")
	}
	write(t, dir, "routes.output", "["+strings.Join(outputs["ip_route.json"], ",")+"]")
	write(t, dir, "lldp.output", "["+strings.Join(outputs["lldp.json"], ",")+"]")
}

// TestDoubtfulEthernet checks that each kind of doubtful input is named, with a file, and never proved.
func TestDoubtfulEthernet(t *testing.T) {
	t.Parallel()
	all := "zebra kernel addresses lldp"
	agreeWithJudge(t, writeLeafSpine(t, "kernel lldp"), false)
	if stdout, _, _ := turnproof(t, "check", writeLeafSpine(t, "kernel lldp"), "--json"); !strings.Contains(stdout, `"generators": 2`) {
		t.Errorf("the leaves are not exchanged by symmetries:\n%s", stdout)
	}
	if _, stderr, code := turnproof(t, "check", writeLeafSpine(t, "kernel"), "--fail", "links:1"); code != cli.ExitUsage ||
		!strings.Contains(stderr, "needs --reroute") {
		t.Errorf("--fail without a routing: exit status %d, %s", code, stderr)
	}
	for _, c := range []struct {
		name, kinds string
		edit        func(dir string)
		code        int
		want        []string
	}{
		{"as it is", all, func(string) {}, cli.ExitHolds, []string{"PROVED     deadlock-free"}},
		{"subnets only", "kernel addresses", func(string) {}, cli.ExitHolds, []string{"PROVED     deadlock-free"}},
		{"zebra only", "zebra", func(string) {}, cli.ExitHolds, []string{"PROVED     deadlock-free"}},
		{"a host by a cable", "kernel lldp", func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "sw0/ip_route.json"))
			write(t, dir, "sw0/ip_route.json", strings.Replace(string(text), "[", `[{"dst":"10.0.3.9","dev":"swp1","protocol":"static","flags":[]},`, 1))
		}, cli.ExitUndecided, []string{"UNDECIDED  livelock-free", "10.0.3.9/32 is routed to swp1 without a next hop, and swp1 has a cable to sw2:swp1"}},
		{"truncated", "kernel lldp", func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "sw2/ip_route.json"))
			_ = os.WriteFile(filepath.Join(dir, "sw2/ip_route.json"), text[:len(text)/2], 0o644)
		}, cli.ExitUsage, []string{"sw2/ip_route.json:1: ", "truncated"}},
		{"truncated LLDP", all, func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "sw2/lldp.json"))
			_ = os.WriteFile(filepath.Join(dir, "sw2/lldp.json"), text[:len(text)-9], 0o644)
		}, cli.ExitUsage, []string{"sw2/lldp.json", "truncated"}},
		{"routes of another switch", "kernel addresses lldp", func(dir string) {
			move(t, dir, "sw3", "x", "sw2/ip_route.json", "x/y", "x/ip_route.json", "sw2/ip_route.json", "x/y", "x/ip_route.json", "x", "sw3")
		}, cli.ExitUsage, []string{"sw2/ip_route.json", "another switch"}},
		{"copied routes of another switch", "kernel addresses lldp", func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "sw3/ip_route.json"))
			_ = os.WriteFile(filepath.Join(dir, "sw2/ip_route.json"), text, 0o644)
		}, cli.ExitUsage, []string{"another switch"}},
		{"zebra of another switch", all, func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "sw3/show_ip_route.json"))
			_ = os.WriteFile(filepath.Join(dir, "sw2/show_ip_route.json"), text, 0o644)
		}, cli.ExitUsage, []string{"sw2/", "another switch"}},
		{"addresses of another switch", all, func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "sw3/ip_addr.json"))
			_ = os.WriteFile(filepath.Join(dir, "sw2/ip_addr.json"), text, 0o644)
		}, cli.ExitUsage, []string{"another switch"}},
		{"LLDP of another switch", all, func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "sw3/lldp.json"))
			_ = os.WriteFile(filepath.Join(dir, "sw2/lldp.json"), text, 0o644)
		}, cli.ExitUsage, []string{"sw", "cabled to"}},
		{"no spine 1", "kernel lldp", func(dir string) { move(t, dir, "sw1", "") }, cli.ExitUndecided, []string{"sw2:swp2 is cabled to sw1, which has no dumps"}},
		{"no spine 1, without LLDP", "kernel addresses", func(dir string) { move(t, dir, "sw1", "") }, cli.ExitUndecided,
			[]string{"sw2:swp2 has 10.255.0.2/31", "no switch of the folder is at its other end"}},
		{"no leaf 4", "zebra", func(dir string) { move(t, dir, "sw4", "") }, cli.ExitUndecided, []string{"no switch of the folder is at its other end"}},
		{"no routes of leaf 4", "kernel lldp", func(dir string) { move(t, dir, "sw4/ip_route.json", "") }, cli.ExitUsage, []string{"no routes of sw4"}},
		{"no dump of routes at all", "addresses lldp", func(string) {}, cli.ExitUsage, []string{"no routes of sw0"}},
		{"IPv6 only", "kernel lldp", func(dir string) {
			for u := range 5 {
				text := `[{"dst":"2001:db8:` + fmt.Sprint(u) + `::/64","dev":"vlan10","flags":[]}]` + "\n"
				_ = os.WriteFile(filepath.Join(dir, fmt.Sprintf("sw%d/ip_route.json", u)), []byte(text), 0o644)
			}
		}, cli.ExitUsage, []string{"sw0/ip_route.json", "no IPv4 route"}},
		{"IPv6 too", "kernel lldp", func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `[{`, `[{"dst":"2001:db8::/64","dev":"vlan10","flags":[]},{`)
		}, cli.ExitHolds, []string{"1 IPv6 route left out"}},
		{"unresolved next hop", "kernel addresses lldp", func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `"gateway":"10.255.0.0"`, `"gateway":"10.255.7.9"`)
		}, cli.ExitUndecided, []string{"sw2/ip_route.json: 10.0.3.0/24 goes to 10.255.7.9 at swp1"}},
		{"unresolved next hop in zebra", "zebra", func(dir string) {
			change(t, filepath.Join(dir, "sw2/show_ip_route.json"), `"interfaceName":"swp1","ip"`, `"ip"`)
		}, cli.ExitUndecided, []string{"sw2/show_ip_route.json: 10.0.3.0/24 has a next hop without an interface"}},
		{"tunnel", "kernel", func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `"gateway":"10.255.0.0"`, `"encap":{"type":"ip"},"gateway":"10.255.0.0"`)
		}, cli.ExitUndecided, []string{"a tunnel (encap)"}},
		{"duplicate host names", all, func(dir string) {
			change(t, filepath.Join(dir, "sw2/lldp.json"), `"02:00:00:00:01:00"`, `"02:00:00:00:09:00"`)
		}, cli.ExitUsage, []string{"sw0 is chassis mac 02:00:00:00:01:00", "lldp.json"}},
		{"two folders for a name", "kernel lldp", func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "sw2/ip_route.json"))
			_ = os.WriteFile(filepath.Join(dir, "sw2_ip_route.json"), text, 0o644)
		}, cli.ExitUsage, []string{"a second switch sw2"}},
		{"a prefix that moved before both dumps", "kernel lldp", func(dir string) {
			move(t, dir, "sw4/ip_route.json", "sw4/x")
			change(t, filepath.Join(dir, "sw4/x"), `"dst":"10.0.4.0/24"`, `"dst":"10.0.44.0/24"`)
			move(t, dir, "sw4/x", "sw4/ip_route.json")
		}, cli.ExitUndecided, []string{"10.0.4.0/24 is routed (", "no switch is connected to it"}},
		{"a prefix that moved between both dumps", "kernel lldp", func(dir string) {
			change(t, filepath.Join(dir, "sw3/ip_route.json"), `[{`, `[{"dst":"10.0.4.0/24","dev":"vlan4","flags":[]},{`)
			change(t, filepath.Join(dir, "sw3/ip_route.json"), `{"dst":"10.0.4.0/24","flags":[],"nexthops":[{"dev":"swp1","flags":[],"gateway":"10.255.0.4"},`+
				`{"dev":"swp2","flags":[],"gateway":"10.255.0.6"}]}`, `{"dst":"10.9.0.0/16","type":"blackhole"}`)
		}, cli.ExitUndecided, []string{"10.0.4.0/24 is connected at sw3, sw4, and sw0 routes it to 1 of these only"}},
		{"routes that changed between zebra and kernel", all, func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `"nexthops":[{"dev":"swp1","flags":[],"gateway":"10.255.0.0"},`, `"nexthops":[`)
		}, cli.ExitUndecided, []string{"sw2/ip_route.json differ in 1 route of sw2, such as 10.0.3.0/24"}},
		{"one side of LLDP", "kernel lldp", func(dir string) {
			_ = os.WriteFile(filepath.Join(dir, "sw2/lldp.json"), []byte(`{"lldp":[{}]}`+"\n"), 0o644)
		}, cli.ExitUsage, []string{"sw2/lldp.json", "no neighbour at swp"}},
		{"no host prefix", "kernel lldp", func(dir string) {
			for u := range 5 {
				for v := 2; v < 5; v++ {
					if u == v {
						change(t, filepath.Join(dir, fmt.Sprintf("sw%d/ip_route.json", u)), fmt.Sprintf(`{"dev":"vlan%d","dst":"10.0.%d.0/24"`, v, v),
							fmt.Sprintf(`{"dev":"lo","dst":"10.0.%d.1/32"`, v))
					}
				}
			}
		}, cli.ExitUsage, []string{"0 prefixes with hosts"}},
		{"a file that is no dump", "kernel lldp", func(dir string) {
			_ = os.WriteFile(filepath.Join(dir, "sw2/uptime.txt"), []byte("up 3 days\n"), 0o644)
		}, cli.ExitHolds, []string{"not read: sw2/uptime.txt"}},
		{"two routes for a prefix", "kernel lldp", func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `[{`, `[{"dst":"10.0.3.0/24","type":"blackhole","metric":20},{`)
		}, cli.ExitUsage, []string{"metric 0 after metric 20"}},
		{"a spine without routes by SuzieQ", "kernel lldp", func(dir string) { suzieq(t, dir, "sw1", `"% Connection refused"`) }, cli.ExitUsage,
			[]string{"no routes of sw1 in lldp.output, routes.output"}},
		{"SuzieQ", "kernel lldp", func(dir string) { suzieq(t, dir, "", "") }, cli.ExitHolds, []string{"PROVED     deadlock-free"}},
		{"an empty list of routes, and live links", "zebra addresses", func(dir string) { write(t, dir, "sw1/show_ip_route.json", "{}") }, cli.ExitUsage,
			[]string{"sw1/show_ip_route.json: no routes of sw1, although swp1 is up and has 10.255."}},
		{"an empty list of routes, and LLDP", "zebra lldp", func(dir string) { write(t, dir, "sw1/show_ip_route.json", "{}") }, cli.ExitUsage,
			[]string{"sw1/show_ip_route.json: no routes of sw1, although it has a cable to sw"}},
		{"zebra is empty, and the kernel is not", all, func(dir string) { write(t, dir, "sw1/show_ip_route.json", "{}") }, cli.ExitUndecided,
			[]string{"sw1/show_ip_route.json is empty, and ", "sw1/ip_route.json has 6 routes of sw1"}},
		{"LLDP is empty", "kernel addresses", func(dir string) { write(t, dir, "sw1/lldp.json", "{}") }, cli.ExitHolds, []string{"sw1: lldp.json is empty"}},
		{"routes for a type of service", "kernel", func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `[{`, `[{"dst":"10.0.3.0/24","gateway":"10.255.0.0","dev":"swp1","flags":[],"tos":"0x68"},{`)
		}, cli.ExitUndecided, []string{"sw2/ip_route.json: 10.0.3.0/24 has a route for frames of tos 0x68"}},
		{"a tunnel in the kernel, not in zebra", all, func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `"gateway":"10.255.0.0"`, `"encap":"mpls","gateway":"10.255.0.0"`)
		}, cli.ExitUndecided, []string{"sw2/ip_route.json differ in 1 route of sw2, such as 10.0.3.0/24"}},
		{"folders in a folder", "kernel lldp", func(dir string) {
			write(t, dir, "pod/rack/x", "")
			move(t, dir, "sw1", "pod/sw1", "sw2", "pod/rack/sw2")
		}, cli.ExitHolds, []string{"5 switches", "PROVED     deadlock-free", "not read: pod/rack/x"}},
		{"a folder in the folder of a switch", "kernel lldp", func(dir string) { move(t, dir, "sw1", "sw0/old") }, cli.ExitUsage,
			[]string{"sw0/old/", "is below the folder of sw0", "want a folder for each switch"}},
		{"a VRF whose name begins with mgmt", "zebra", func(dir string) {
			change(t, filepath.Join(dir, "sw2/show_ip_route.json"), `{"10.`, `{"10.77.0.0/24":[{"selected":true,"vrfName":"mgmt-data","nexthops":[]}],"10.`)
		}, cli.ExitUndecided, []string{"routes of mgmt-data (VRF or table) are left out"}},
		{"the VRF of management", "zebra", func(dir string) {
			change(t, filepath.Join(dir, "sw2/show_ip_route.json"), `{"10.`, `{"10.77.0.0/24":[{"selected":true,"vrfName":"mgmt","nexthops":[]}],"10.`)
		}, cli.ExitHolds, []string{"PROVED     deadlock-free"}},
		{"cables with wide subnets in the kernel, without addresses", "kernel", func(dir string) {
			widen(t, dir)
		}, cli.ExitUndecided, []string{"sw0/ip_route.json: 10.0.2.0/24 goes to 10.255.0.2 at swp1, and sw2:swp1 may have this address"}},
		{"cables with wide subnets in zebra, addresses of some", "zebra addresses", func(dir string) {
			widen(t, dir)
			for u := range 5 {
				if u != 3 {
					move(t, dir, fmt.Sprintf("sw%d/ip_addr.json", u), "")
				}
			}
		}, cli.ExitUndecided, []string{"sw2:swp1 may have this address"}},
		{"a cable at interfaces for management, without addresses", "kernel", func(dir string) {
			widen(t, dir)
			for _, u := range []string{"sw0", "sw2"} {
				rewrite(t, filepath.Join(dir, u, "ip_route.json"), strings.NewReplacer(`"swp1"`, `"eth0"`).Replace)
			}
		}, cli.ExitUndecided, []string{"10.255.0.2 at eth0, and sw2:eth0 may have this address"}},
		{"a neighbour without dumps and capabilities", "kernel lldp", func(dir string) {
			move(t, dir, "sw0", "")
			for u := 2; u < 5; u++ {
				change(t, filepath.Join(dir, fmt.Sprintf("sw%d/lldp.json", u)), `"capability":[{"enabled":true,"type":"Router"}],`, "")
			}
		}, cli.ExitUndecided, []string{"sw2:swp1 has 10.255.0.0/31 (sw2/ip_route.json), and no switch of the folder is at its other end"}},
		{"hosts at an interface for management", "zebra lldp", func(dir string) {
			change(t, filepath.Join(dir, "sw3/show_ip_route.json"), `"vlan3"`, `"eth0"`)
		}, cli.ExitUndecided, []string{"10.0.3.0/24 is at sw3:eth0, which has the name of an interface for management, and sw0 routes it"}},
		{"a network for management", "kernel lldp", func(dir string) {
			for u := range 5 {
				change(t, filepath.Join(dir, fmt.Sprintf("sw%d/ip_route.json", u)), `[{`, `[{"dst":"192.168.0.0/24","dev":"eth0"},`+
					`{"dst":"default","gateway":"192.168.0.254","dev":"eth0"},{`)
			}
		}, cli.ExitHolds, []string{"PROVED     connected      6 pairs"}},
		{"a router without dumps in a host prefix", "kernel lldp addresses", func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `[{`, `[{"dst":"10.0.2.128/25","gateway":"10.0.2.254","dev":"vlan2"},{`)
		}, cli.ExitUndecided, []string{"sw2/ip_route.json: 10.0.2.128/25 goes to 10.0.2.254 at vlan2, which is no address of a switch"}},
		{"a router without dumps that takes frames to another switch", "kernel lldp addresses", func(dir string) {
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `"dst":"10.0.3.0/24"`, `"dst":"10.0.33.0/24"`)
			change(t, filepath.Join(dir, "sw2/ip_route.json"), `[{`, `[{"dst":"default","gateway":"10.0.2.254","dev":"vlan2"},{`)
			change(t, filepath.Join(dir, "sw3/ip_route.json"), `[{`, `[{"dst":"10.0.33.0/24","dev":"vlan33"},{`)
		}, cli.ExitRefuted, []string{"REFUTED    connected"}},
		{"a switch without dumps between switches", "kernel", func(dir string) {
			widen(t, dir)
			move(t, dir, "sw0", "", "sw1", "")
		}, cli.ExitUndecided, []string{"10.0.3.0/24 is connected at sw3, and sw2 routes it to 10.255.1.1 without a known cable"}},
		{"a next hop in another VRF", "zebra addresses", func(dir string) {
			change(t, filepath.Join(dir, "sw2/show_ip_route.json"), `"prefix":"10.255.0.0/31","protocol":"connected","selected":true,"vrfName":"default"`,
				`"prefix":"10.255.0.0/31","protocol":"connected","selected":true,"vrfName":"red"`)
		}, cli.ExitUndecided, []string{"sw0/show_ip_route.json: 10.0.2.0/24 goes to 10.255.0.1 at swp1, which is in VRF red of sw2"}},
		{"another VRF", "zebra", func(dir string) {
			change(t, filepath.Join(dir, "sw2/show_ip_route.json"), `{"10.`, `{"10.77.0.0/24":[{"selected":true,"vrfName":"red","nexthops":[]}],"10.`)
		}, cli.ExitUndecided, []string{"routes of red (VRF or table) are left out"}},
	} {
		dir := writeLeafSpine(t, c.kinds)
		c.edit(dir)
		stdout, stderr, code := turnproof(t, "check", dir)
		if code != c.code {
			t.Errorf("%s: exit status %d, want %d\n%s%s", c.name, code, c.code, stdout, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stdout+stderr, want) {
				t.Errorf("%s: no %q in\n%s%s", c.name, want, stdout, stderr)
			}
		}
	}
}

// TestIPv6Beside checks that IPv6 routes with next hops beside IPv4 routes are named, and that nothing is proved.
func TestIPv6Beside(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples/day-roce/monday")); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := turnproof(t, "check", dir); code != 0 {
		t.Fatalf("%s%s", stdout, stderr)
	}
	routes := `[{"dst":"fe80::/64","dev":"swp1","protocol":"kernel","metric":256,"flags":[],"pref":"medium"},
{"dst":"2001:db8:4::/64","gateway":"fe80::1","dev":"swp1","protocol":"bgp","metric":20,"flags":[],"pref":"medium"}]`
	if err := os.WriteFile(filepath.Join(dir, "l1", "ip6_route.json"), []byte(routes), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, "check", dir)
	if code != 3 || !strings.Contains(stdout, "UNDECIDED  deadlock-free  l1/ip6_route.json: 1 IPv6 route with next hops, such as 2001:db8:4::/64") {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
	if stdout, _, code := turnproof(t, "check", dir, "--assume", "outside"); code != 0 {
		t.Errorf("with --assume outside: exit status %d\n%s", code, stdout)
	}
}

// TestInsiders checks that a longer route within a connected prefix, to another switch, is named, and that nothing is proved.
func TestInsiders(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples/day-roce/monday")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "l1", "show_ip_route.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	route := `{"10.0.1.7/32":[{"prefix":"10.0.1.7/32","protocol":"bgp","vrfName":"default","selected":true,"nexthops":[{"fib":true,"ip":"NEXT",` +
		`"afi":"ipv4","interfaceName":"swp1","active":true}]}],`
	var next string
	for _, line := range strings.Split(string(text), "\n") {
		if _, after, ok := strings.Cut(line, `"ip":"`); ok && next == "" {
			next = strings.TrimRight(after, `",`)
		}
	}
	text = []byte(strings.Replace(strings.ReplaceAll(route, "NEXT", next)+string(text)[strings.Index(string(text), "{")+1:], "NEXT", next, 1))
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, "check", dir)
	if code == 0 || !strings.Contains(stdout, "10.0.1.7/32 is in 10.0.1.0/24, which l1 is connected to, and l1 routes it to other switches") {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
}
