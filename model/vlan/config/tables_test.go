package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// This file reads SONiC's tables and applies them to the models of switch_test.go.

// sonicPortNumber returns the port number of EthernetN; each port has four lanes.
func sonicPortNumber(t rapid.TB, name string) int {
	n := number(t, strings.TrimPrefix(name, "Ethernet"))
	if n%4 != 0 || !strings.HasPrefix(name, "Ethernet") {
		t.Fatalf("port %s", name)
	}
	return n/4 + 1
}

// readSONiC returns the switch that both files configure, and checks that the files agree.
func readSONiC(t rapid.TB, config, state []byte) *bridge {
	var db map[string]map[string]map[string]string
	strict(t, config, &db)
	b := newBridge()
	for name, fields := range db["PORT"] {
		p := &bridgePort{up: fields["admin_status"] == "up", learning: true, flood: true, vlans: map[int]bool{}}
		p.pfc = sonicPFC(t, db, name)
		b.ports[sonicPortNumber(t, name)] = p
	}
	for key, fields := range db["VLAN_MEMBER"] {
		vid, name := sonicKey(t, db, key, "|")
		p := b.ports[sonicPortNumber(t, name)]
		p.vlans[vid] = fields["tagging_mode"] == "untagged"
		if p.vlans[vid] && p.pvid != 0 {
			t.Fatalf("%s is untagged twice", name)
		}
		if p.vlans[vid] {
			p.pvid = vid
		}
	}
	readSONiCState(t, b, db, state)
	if len(b.fdb) != len(db["FDB"]) {
		t.Fatalf("%d addresses for swssconfig, %d in CONFIG_DB", len(b.fdb), len(db["FDB"]))
	}
	for key, fields := range db["FDB"] {
		vid, mac := sonicKey(t, db, key, "|")
		if p, ok := b.fdb[fmt.Sprintf("%d %s", vid, mac)]; !ok || p != sonicPortNumber(t, fields["port"]) {
			t.Fatalf("%s: port %s, swssconfig's is %d", key, fields["port"], p)
		}
	}
	return b
}

func readSONiCState(t rapid.TB, b *bridge, db map[string]map[string]map[string]string, state []byte) {
	var list []map[string]any
	strict(t, state, &list)
	for _, op := range list {
		if op["OP"] != "SET" || len(op) != 2 {
			t.Fatalf("operation %v", op)
		}
		for key, value := range op {
			fields, ok := value.(map[string]any)
			if !ok {
				continue
			}
			switch table, rest, _ := strings.Cut(key, ":"); table {
			case "SWITCH_TABLE":
				for _, what := range []string{"unicast", "broadcast", "multicast"} {
					if rest != "switch" || fields["fdb_"+what+"_miss_packet_action"] != "drop" {
						t.Fatalf("operation %v", op)
					}
				}
				for _, p := range b.ports {
					p.flood = false
				}
			case "PORT_TABLE":
				b.ports[sonicPortNumber(t, rest)].learning = fields["learn_mode"] != "disable"
			case "FDB_TABLE":
				vid, mac := sonicKey(t, db, rest, ":")
				if fields["type"] != "static" {
					t.Fatalf("operation %v", op)
				}
				b.fdb[fmt.Sprintf("%d %s", vid, strings.ReplaceAll(mac, "-", ":"))] = sonicPortNumber(t, fields["port"].(string))
			default:
				t.Fatalf("table %s", table)
			}
		}
	}
}

func strict(t rapid.TB, text []byte, v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(v); err != nil || d.More() {
		t.Fatalf("%v: %s", err, text)
	}
}

// sonicKey splits a key VlanN|REST and checks that the VLAN exists.
func sonicKey(t rapid.TB, db map[string]map[string]map[string]string, key, separator string) (int, string) {
	name, rest, _ := strings.Cut(key, separator)
	id := strings.TrimPrefix(name, "Vlan")
	if db["VLAN"][name]["vlanid"] != id || number(t, id) < 2 {
		t.Fatalf("%s: no such VLAN", key)
	}
	return number(t, id), rest
}

// sonicPFC returns the lossless priorities of a port. A priority is lossless if PFC is on for its
// output queue and for its priority group, which no other priority may share.
func sonicPFC(t rapid.TB, db map[string]map[string]map[string]string, name string) (pfc [8]bool) {
	qos := db["PORT_QOS_MAP"][name]
	at := func(table, field, key string) string {
		v, ok := db[table][qos[field]][key]
		if !ok {
			t.Fatalf("%s: %s has no %s", name, table, key)
		}
		return v
	}
	enabled := strings.Split(qos["pfc_enable"], ",")
	users := map[string]int{}
	group := [8]string{}
	for i := range pfc {
		tc := at("DOT1P_TO_TC_MAP", "dot1p_to_tc_map", fmt.Sprint(i))
		group[i] = at("TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg_map", tc)
		users[group[i]]++
		queue := at("TC_TO_QUEUE_MAP", "tc_to_queue_map", tc)
		pfc[i] = slices.Contains(enabled, group[i]) && at("MAP_PFC_PRIORITY_TO_QUEUE", "pfc_to_queue_map", fmt.Sprint(i)) == queue
	}
	for i := range pfc {
		if pfc[i] && users[group[i]] > 1 {
			t.Fatalf("%s: priority %d shares group %s", name, i, group[i])
		}
	}
	return pfc
}
