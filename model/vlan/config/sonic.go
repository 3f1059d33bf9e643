package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file writes the tables of a SONiC switch: VLANs, their members, static addresses.
// sonicqos.go writes the tables of priorities.
//
// Sources: sonic-buildimage, src/sonic-yang-models: sonic-vlan, sonic-port, and for FDB sonic-fdb
// of pull request 28545; sonic-swss, commit e6b0c5b of 2026-08-21: cfgmgr/vlanmgr.cpp,
// orchagent/fdborch.cpp, portsorch.cpp, switchorch.cpp, swssconfig.
//
// Static addresses are written twice. CONFIG_DB has a reserved table FDB for them since 2019
// (Layer 2 Forwarding Enhancements, SONiC pull request 379), but no program of the cited
// sonic-swss reads the table (vlanmgrd will, with its pull request 4780). orchagent reads
// FDB_TABLE of APPL_DB, into which swssconfig loads the file of SONiCState.

// tables maps each table and key to its fields.
type tables map[string]map[string]map[string]string

func (t tables) set(table, key, field, value string) {
	if t[table] == nil {
		t[table] = map[string]map[string]string{}
	}
	if t[table][key] == nil {
		t[table][key] = map[string]string{}
	}
	if field != "" {
		t[table][key][field] = value
	}
}

// SONiCConfig returns the part of config_db.json that switch u of a set needs. The operator
// merges it with the switch's own configuration (config load). It fails if SONiC does not
// support the set: VLAN 1, a port untagged in several VLANs, or a nonzero priority for untagged
// frames.
func SONiCConfig(s *vlan.Set, u model.SwitchID, o *Options) ([]byte, error) {
	p, err := newSONiCPlan(s, o)
	if err != nil {
		return nil, err
	}
	return p.sonicConfig(u), nil
}

// SONiCState returns a file for swssconfig with everything that SONiC does not read from
// CONFIG_DB: static addresses, learning and flooding. It is lost on restart.
func SONiCState(s *vlan.Set, u model.SwitchID, o *Options) ([]byte, error) {
	p, err := newSONiCPlan(s, o)
	if err != nil {
		return nil, err
	}
	return p.sonicState(u), nil
}

func newSONiCPlan(s *vlan.Set, o *Options) (*plan, error) {
	p, err := newPlan(s, o)
	if err != nil {
		return nil, err
	}
	for k := range s.Len() {
		if s.At(k).ID == 1 {
			return nil, fmt.Errorf("vlan: SONiC has no VLAN 1 to configure; its identifiers are 2 to %d", vlan.MaxID)
		}
	}
	for h := range model.HostID(p.net.NumHosts()) {
		if err := p.checkSONiCHost(h); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *plan) checkSONiCHost(h model.HostID) error {
	untagged := vlan.None
	for _, k := range p.order {
		switch {
		case !p.Untagged(k, h):
		case untagged != vlan.None:
			return fmt.Errorf("vlan: the port of %s is untagged in VLANs %d and %d; SONiC's are in one at most", comment(p.net.HostLabel(h)),
				p.At(untagged).ID, p.At(k).ID)
		default:
			untagged = k
		}
	}
	if k := p.pvid[h]; k != vlan.None && p.At(k).Priority != 0 {
		return fmt.Errorf("vlan: %s sends without a tag in VLAN %d of priority %d; SONiC takes all frames without a tag for priority 0",
			comment(p.net.HostLabel(h)), p.At(k).ID, p.At(k).Priority)
	}
	return nil
}

func (p *plan) sonicConfig(u model.SwitchID) []byte {
	t := tables{}
	ports := p.ports(u)
	for _, at := range ports {
		name := p.sonicPort(at.number)
		t.set("PORT", name, "admin_status", "up")
		if p.SpeedMbps > 0 {
			t.set("PORT", name, "speed", fmt.Sprint(p.SpeedMbps))
		}
		for _, m := range at.members {
			id := fmt.Sprint(p.At(m.vlan).ID)
			t.set("VLAN", "Vlan"+id, "vlanid", id)
			t.set("VLAN_MEMBER", "Vlan"+id+"|"+name, "tagging_mode", tagging(m.untagged))
		}
	}
	for _, e := range p.entries[u] {
		t.set("FDB", fmt.Sprintf("Vlan%d|%s", p.At(e.vlan).ID, p.MAC[e.host]), "port", p.sonicPort(e.port))
	}
	t.set("FEATURE", "stp", "state", "disabled")
	p.sonicQoS(t, ports)
	return marshal(t)
}

func tagging(untagged bool) string {
	if untagged {
		return "untagged"
	}
	return "tagged"
}

// operation is an entry of a list for swssconfig.
type operation struct {
	key    string
	fields map[string]string
}

// MarshalJSON writes the two members that swssconfig needs.
func (o operation) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{o.key: o.fields, "OP": "SET"})
}

func (p *plan) sonicState(u model.SwitchID) []byte {
	list := []operation{}
	if !p.Flood {
		list = append(list, operation{"SWITCH_TABLE:switch", map[string]string{
			"fdb_unicast_miss_packet_action":   "drop",
			"fdb_broadcast_miss_packet_action": "drop",
			"fdb_multicast_miss_packet_action": "drop",
		}})
	}
	for _, at := range p.ports(u) {
		list = append(list, operation{"PORT_TABLE:" + p.sonicPort(at.number), map[string]string{"learn_mode": "disable"}})
	}
	for _, e := range p.entries[u] {
		mac := strings.ReplaceAll(p.MAC[e.host].String(), ":", "-")
		list = append(list, operation{fmt.Sprintf("FDB_TABLE:Vlan%d:%s", p.At(e.vlan).ID, mac),
			map[string]string{"port": p.sonicPort(e.port), "type": "static"}})
	}
	return marshal(list)
}

// marshal returns JSON with sorted keys. Strings and maps of strings cannot fail.
func marshal(v any) []byte {
	b, err := json.MarshalIndent(v, "", "    ")
	if err != nil {
		panic(err)
	}
	return append(b, '\n')
}
