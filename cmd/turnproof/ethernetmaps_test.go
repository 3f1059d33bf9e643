package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// This file tests config_db.json that says more than its maps, or says it badly.

// edited writes ringEthernet, which deadlocks, with a change of sw0/config_db.json.
func edited(t *testing.T, edit func(doc object)) (dir string) {
	t.Helper()
	f, dir := ringEthernet(), t.TempDir()
	f.writeKinds(t, dir, "zebra lldp")
	writeQoS(t, dir, f, ringPorts(f, func(int, string) drawnPort { return losslessPort() }))
	changeJSON(t, dir, "config_db.json", edit, "sw0")
	return dir
}

// TestConfigurations checks the answer about a ring where one switch has another configuration.
func TestConfigurations(t *testing.T) {
	maps := func(doc object, port string) object {
		return doc["PORT_QOS_MAP"].(map[string]any)[port].(map[string]any)
	}
	for name, c := range map[string]struct {
		edit func(doc object)
		want string
	}{
		"as it is": {func(object) {}, "REFUTED    deadlock-free"},
		"a number": {func(doc object) { maps(doc, "swp1")["pfc_enable"] = 3 }, "pfc_enable of PORT_QOS_MAP|swp1 is no text"},
		"a list":   {func(doc object) { maps(doc, "swp1")["pfc_enable"] = []string{"3"} }, "pfc_enable of PORT_QOS_MAP|swp1 is no text"},
		"a key of Redis": {func(doc object) { maps(doc, "swp1")["pfc_enable@"] = "3" },
			"pfc_enable@ of PORT_QOS_MAP|swp1 is a list; want a text"},
		"a word": {func(doc object) { doc["PORT"] = object{"swp1": object{"pfc_asym": "On"}} }, `pfc_asym "On" of PORT|swp1; want on or off`},
		"two rows": {func(doc object) {
			row := object{"pfc_enable": ""}
			doc["PORT_QOS_MAP"].(map[string]any)["swp1,swp9"] = row
		}, "PORT_QOS_MAP has a second row of swp1; want one"},
		"PFC of the other end": {func(doc object) {
			doc["PORT"] = object{"swp1": object{"pfc_asym": "on"}}
			maps(doc, "swp1")["pfc_enable"] = ""
			doc["MAP_PFC_PRIORITY_TO_QUEUE"].(map[string]any)["swp1"] = object{"0": "0"}
		}, "UNDECIDED  deadlock-free  sw0:swp1 has pfc_asym, and pfc_to_queue_map has no entry for priority 3"},
		"a DSCP without an entry": {func(doc object) {
			doc["DSCP_TO_TC_MAP"].(map[string]any)["swp2"] = object{"3": "3"}
		}, "REFUTED    deadlock-free"},
		"min_links": {func(doc object) { doc["PORTCHANNEL"] = object{"PortChannel1": object{"min_links": "two"}} },
			`min_links "two" of PORTCHANNEL|PortChannel1; want 0 to 1024`},
		"members of a VLAN": {func(doc object) {
			ports := doc["PORT_QOS_MAP"].(map[string]any)
			ports["swp8"] = ports["vlan0"]
			delete(ports, "vlan0")
			doc["VLAN_MEMBER"] = object{"vlan0|PortChannel8": object{}}
			doc["PORTCHANNEL_MEMBER"] = object{"PortChannel8|swp8": object{}}
		}, "REFUTED    deadlock-free"},
		"a member of a VLAN without maps": {func(doc object) {
			ports := doc["PORT_QOS_MAP"].(map[string]any)
			ports["swp8"] = ports["vlan0"]
			delete(ports, "vlan0")
			doc["VLAN_MEMBER"] = object{"vlan0|swp8": object{}, "vlan0|swp9": object{}}
		}, "PORT_QOS_MAP has no port swp9 of sw0"},
	} {
		dir := edited(t, c.edit)
		if stdout, stderr, _ := turnproof(t, "check", dir); !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: want %s\n%s%s", name, c.want, stdout, stderr)
		}
	}
}

// TestMixedChange checks that a change between a folder with QoS maps and one without, or with others, is refused.
func TestMixedChange(t *testing.T) {
	dir := edited(t, func(object) {})
	plain := t.TempDir()
	if err := os.CopyFS(plain, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for u := range 4 {
		if err := os.Remove(filepath.Join(plain, fmt.Sprint("sw", u), "config_db.json")); err != nil {
			t.Fatal(err)
		}
	}
	other := edited(t, func(doc object) { doc["PORT_QOS_MAP"].(map[string]any)["swp1"].(map[string]any)["pfc_enable"] = "" })
	for _, pair := range [][2]string{{dir, plain}, {plain, dir}, {dir, other}} {
		if stdout, stderr, _ := turnproof(t, "reroute", pair[0], pair[1]); !strings.Contains(stderr, "classes of packets differ") {
			t.Errorf("%s%s", stdout, stderr)
		}
	}
}

// TestSeveralGroups checks that frames which wait for several groups of a port are not taken to choose among these.
func TestSeveralGroups(t *testing.T) {
	f, dir := ringEthernet(), t.TempDir()
	f.writeKinds(t, dir, "zebra lldp")
	writeQoS(t, dir, f, ringPorts(f, func(int, string) drawnPort {
		p := losslessPort()
		p.on[4], p.stop = true, identityWith(4, 3)
		return p
	}))
	for _, c := range []struct{ flag, want string }{{"--waiting=one", "deadlock-free"}, {"--waiting=any", "--waiting any does not apply: frames wait"}} {
		if stdout, stderr, _ := turnproof(t, "check", dir, c.flag); !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: want %s\n%s%s", c.flag, c.want, stdout, stderr)
		}
	}
}

// TestMinLinks checks that a port channel with fewer members than must be up fails as a whole.
func TestMinLinks(t *testing.T) {
	f, dir := ringEthernet(), t.TempDir()
	for u := range 4 {
		f.cables = append(f.cables, [4]int{u, 3, (u + 1) % 4, 4})
		for p, ports := range f.routes[u] {
			if ports[0] == 1 {
				f.routes[u][p] = []int{1, 3}
			} else {
				f.routes[u][p] = []int{2, 4}
			}
		}
	}
	f.writeKinds(t, dir, "zebra lldp")
	list := ringPorts(f, func(int, string) drawnPort { return losslessPort() })
	for _, q := range list {
		q.port["swp3"], q.port["swp4"] = losslessPort(), losslessPort()
	}
	writeQoS(t, dir, f, list)
	for _, c := range []struct{ least, want string }{{"1", "0 lose frames"}, {"2", "8 lose frames"}} {
		for u := range 4 {
			changeJSON(t, dir, "config_db.json", func(doc object) {
				doc["PORTCHANNEL"] = object{"PortChannel1": object{"min_links": c.least}, "PortChannel2": object{"min_links": c.least}}
				doc["PORTCHANNEL_MEMBER"] = object{"PortChannel1|swp1": object{}, "PortChannel1|swp3": object{},
					"PortChannel2|swp2": object{}, "PortChannel2|swp4": object{}}
			}, fmt.Sprint("sw", u))
		}
		if stdout, stderr, _ := turnproof(t, "check", dir, "--fail", "links:1", "--reroute", "none"); !strings.Contains(stdout, c.want) {
			t.Errorf("min_links %s: want %s\n%s%s", c.least, c.want, stdout, stderr)
		}
	}
}
