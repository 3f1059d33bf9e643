package dumps

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads config_db.json of SONiC: which priorities are lossless at which port, how DSCP selects them, what tunnels rewrite, and
// which servers have two leaves (dual ToR).
//
// Old releases write references as [TABLE|NAME], new ones as NAME.
//
// Source: sonic-net/SONiC, doc/qos/tunnel_dscp_remapping.md; sonic-buildimage, src/sonic-yang-models.

// Priorities is the number of PFC priorities, priority groups and queues of a port (IEEE 802.1Q).
const Priorities = 8

// NoClass is the value of a map that has no entry.
const NoClass = -1

// QoS is what a switch does with the DSCP of frames.
type QoS struct {
	File  string
	Ports map[string]*PortQoS
	// Tunnel are the maps of frames in tunnels. A nil map is not configured.
	Tunnel TunnelQoS
	// Peer is the other leaf of dual ToR, by the address of the tunnel's end; invalid if there is none.
	Peer     netip.Addr
	PeerName string
	// Loopbacks are the addresses of the switch itself.
	Loopbacks []netip.Addr
	// Servers are the addresses of servers that both leaves have, with the state: auto, active or standby.
	Servers map[netip.Addr]string
	// Members are the ports of port channels and VLANs.
	Members map[string][]string
	// MinLinks says how many members of a port channel must be up; without an entry, one.
	MinLinks map[string]int
	// Unread names a rule that selects the traffic class or DSCP of frames by other means than these maps, or is empty.
	Unread string
	// Redirect names a rule by which frames leave by other ports than the routes say, or is empty.
	Redirect string
}

// PortQoS is what a port does. Maps have -1 where there is no entry.
type PortQoS struct {
	DSCPToTC   []int // by DSCP
	TCToQueue  []int
	TCToGroup  []int
	PFCToQueue []int
	TCToDSCP   []int            // with what DSCP frames leave; nil: with that with which they came
	PFCToGroup []int            // the group whose filling makes the port send PFC of the priority
	Enabled    [Priorities]bool // PFC is on, by priority
	// Asymmetric says that the port reacts to PFC of all priorities, and sends that of Enabled (pfc_asym of PORT).
	Asymmetric bool
	Unmapped   string // a map of PFC priorities without an entry for an enabled priority, or empty
	Watchdog   string // the priorities with a software watchdog
}

// TunnelQoS is how a tunnel rewrites frames.
type TunnelQoS struct {
	Name                          string
	Assumed                       bool       // no table TUNNEL names the maps; their own name does
	Uniform                       bool       // the outer DSCP is that of the frame; otherwise the frame keeps its own DSCP inside
	End                           netip.Addr // dst_ip: the address of the switch for frames in the tunnel; invalid if it is not stated
	TCToQueue, TCToDSCP           []int
	DecapDSCPToTC, DecapTCToGroup []int
}

type sonicTable map[string]map[string]any

// isSonic reports whether a file is an object with tables of config_db.json.
func isSonic(head []byte) bool {
	if !bytes.HasPrefix(compact(head), []byte(`{"`)) {
		return false
	}
	text := compact(head)
	if slices.ContainsFunc([]string{"PORT", "PORTCHANNEL", "VLAN", "INTERFACE", "FEATURE", "QUEUE", "SCHEDULER", "WRED_PROFILE", "DEVICE_NEIGHBOR",
		"FLEX_COUNTER_TABLE", "LOOPBACK_INTERFACE", "MGMT_INTERFACE"}, func(name string) bool { return bytes.Contains(text, []byte(`"`+name+`":{"`)) }) {
		return true
	}
	return slices.ContainsFunc([]string{"PORT_QOS_MAP", "DSCP_TO_TC_MAP", "TC_TO_PRIORITY_GROUP_MAP", "TC_TO_QUEUE_MAP", "MAP_PFC_PRIORITY_TO_QUEUE",
		"DEVICE_METADATA", "PORTCHANNEL_MEMBER", "MUX_CABLE", "PEER_SWITCH", "ACL_TABLE", "BGP_NEIGHBOR", "BUFFER_PG", "CABLE_LENGTH", "AUTO_TECHSUPPORT",
		"BUFFER_POOL", "BUFFER_PROFILE", "BGP_DEVICE_GLOBAL", "BANNER_MESSAGE", "ACL_RULE", "CRM"}, func(name string) bool {
		return bytes.Contains(head, []byte(`"`+name+`"`))
	})
}

// ReadSonic reads config_db.json. It fails if the switch has one.
func ReadSonic(src *textfile.File, to *Switch) error {
	if to.QoS != nil {
		return src.FileError("a second config_db.json; the first is %s", to.QoS.File)
	}
	tables, err := readTables(src)
	if err != nil {
		return err
	}
	q := &QoS{File: src.Name, Ports: map[string]*PortQoS{}, Servers: map[netip.Addr]string{}, Members: map[string][]string{},
		MinLinks: map[string]int{}}
	to.QoS = q
	c := &sonicConfig{src, tables}
	for key := range tables["LOOPBACK_INTERFACE"] {
		if _, text, ok := strings.Cut(key, "|"); ok {
			if p, err := netip.ParsePrefix(text); err == nil {
				q.Loopbacks = append(q.Loopbacks, p.Addr())
			}
		}
	}
	for _, table := range []string{"PORTCHANNEL_MEMBER", "VLAN_MEMBER"} {
		for _, key := range sortedKeys(tables[table]) {
			if group, port, ok := strings.Cut(key, "|"); ok {
				q.Members[group] = append(q.Members[group], port)
			}
		}
	}
	to.Aliases = c.aliases()
	c.unread(q)
	for _, read := range []func() error{c.checkTexts, func() error { return c.minLinks(q) }, func() error { return c.number(to) },
		func() error { return c.ports(q) }, func() error { return c.tunnel(q) }, func() error { return c.dualToR(q) }} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// readTables reads the tables of a file.
func readTables(src *textfile.File) (map[string]sonicTable, error) {
	s := newScanner(src)
	tables := map[string]sonicTable{}
	err := s.values(func() error {
		return s.members(func(key string) error {
			var raw map[string]any
			if s.PeekKind() != '{' {
				return s.wrap(s.SkipValue())
			}
			if err := s.value(&raw); err != nil {
				return err
			}
			t := sonicTable{}
			for name, v := range raw {
				if m, ok := v.(map[string]any); ok {
					t[name] = m
				}
			}
			tables[key] = t
			return nil
		})
	})
	return tables, err
}

// sonicConfig is a config_db.json that is being read.
type sonicConfig struct {
	src    *textfile.File
	tables map[string]sonicTable
}

// textTables are the tables whose fields are read, and which all have texts.
var textTables = []string{"PORT_QOS_MAP", "TUNNEL", "PEER_SWITCH", "MUX_CABLE", "DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP",
	"MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "TC_TO_DSCP_MAP"}

// checkTexts fails if a field that is read is no text, as all fields of these tables are.
func (c *sonicConfig) checkTexts() error {
	check := func(table, key, field string) error {
		if v, ok := c.tables[table][key][field]; ok && !(v == nil && field == "bgp_asn") { // null: no AS number
			if _, isText := v.(string); !isText {
				return c.src.FileError("%s of %s|%s is no text", textfile.Clip(field), table, textfile.Clip(key))
			}
		}
		return nil
	}
	for _, table := range textTables {
		for _, key := range sortedKeys(c.tables[table]) {
			for _, field := range sortedKeys(c.tables[table][key]) {
				if strings.HasSuffix(field, "@") {
					return c.src.FileError("%s of %s|%s is a list; want a text", textfile.Clip(field), table, textfile.Clip(key))
				}
				if err := check(table, key, field); err != nil {
					return err
				}
			}
		}
	}
	for _, key := range sortedKeys(c.tables["PORT"]) {
		if err := check("PORT", key, "pfc_asym"); err != nil {
			return err
		}
		if word, _ := c.tables["PORT"][key]["pfc_asym"].(string); !slices.Contains([]string{"", "on", "off"}, word) {
			return c.src.FileError("pfc_asym %q of PORT|%s; want on or off", textfile.Clip(word), textfile.Clip(key))
		}
	}
	for _, key := range sortedKeys(c.tables["ACL_RULE"]) {
		if err := check("ACL_RULE", key, "PACKET_ACTION"); err != nil {
			return err
		}
	}
	return check("DEVICE_METADATA", "localhost", "bgp_asn")
}

// minLinks reads how many members of a port channel must be up.
func (c *sonicConfig) minLinks(q *QoS) error {
	for _, key := range sortedKeys(c.tables["PORTCHANNEL"]) {
		v, ok := c.tables["PORTCHANNEL"][key]["min_links"]
		if !ok {
			continue
		}
		n, err := strconv.Atoi(fmt.Sprint(v))
		if err != nil || n < 0 || n > 1024 {
			return c.src.FileError("min_links %q of PORTCHANNEL|%s; want 0 to 1024", textfile.Clip(fmt.Sprint(v)), textfile.Clip(key))
		}
		q.MinLinks[key] = n
	}
	return nil
}

// aliases returns the ports by their aliases.
func (c *sonicConfig) aliases() map[string]string {
	ports := map[string]string{}
	for port, row := range c.tables["PORT"] {
		if alias, _ := row["alias"].(string); alias != "" {
			ports[alias] = port
		}
	}
	return ports
}

// number sets the AS number of a switch, if the configuration has one.
func (c *sonicConfig) number(to *Switch) error {
	text, _ := c.tables["DEVICE_METADATA"]["localhost"]["bgp_asn"].(string)
	if as, err := strconv.ParseUint(text, 10, 32); err == nil && as > 0 {
		return to.setAS(c.src, uint32(as))
	}
	return nil
}

// reference returns the name in a reference.
func reference(v any) string {
	name, _ := v.(string)
	name = strings.Trim(name, "[]")
	if _, after, ok := strings.Cut(name, "|"); ok {
		return after
	}
	return name
}

// mapOf returns a map by its table and the reference in a row, or nil if the row has none. size is the number of keys.
func (c *sonicConfig) mapOf(table string, row map[string]any, field string, size, most int) ([]int, error) {
	if row[field] == nil {
		return nil, nil
	}
	name := reference(row[field])
	entries := c.tables[table][name]
	if entries == nil {
		return nil, c.src.FileError("%s %q is not in %s; want a map of that name", field, textfile.Clip(name), table)
	}
	list := slices.Repeat([]int{NoClass}, size)
	for _, key := range sortedKeys(entries) {
		k, err := strconv.Atoi(key)
		text, _ := entries[key].(string)
		v, err2 := strconv.Atoi(text)
		if err != nil || err2 != nil || k < 0 || k >= size || v < 0 || v >= most {
			return nil, c.src.FileError("%s|%s maps %q to %q; want 0 to %d mapped to 0 to %d", table, name, textfile.Clip(key),
				textfile.Clip(text), size-1, most-1)
		}
		list[k] = v
	}
	return list, nil
}

// Sizes of the maps.
const (
	dscps   = 64
	classes = 16
)

// ports reads PORT_QOS_MAP.
func (c *sonicConfig) ports(q *QoS) error {
	rows := c.tables["PORT_QOS_MAP"]
	global := rows["global"]
	for _, key := range sortedKeys(rows) {
		if key == "global" {
			continue
		}
		row, p := rows[key], &PortQoS{}
		if row["dscp_to_tc_map"] == nil && global != nil {
			row["dscp_to_tc_map"] = global["dscp_to_tc_map"]
		}
		for _, m := range []struct {
			table, field string
			to           *[]int
			size, most   int
		}{
			{"DSCP_TO_TC_MAP", "dscp_to_tc_map", &p.DSCPToTC, dscps, classes}, {"TC_TO_QUEUE_MAP", "tc_to_queue_map", &p.TCToQueue, classes, 64},
			{"TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg_map", &p.TCToGroup, classes, Priorities},
			{"MAP_PFC_PRIORITY_TO_QUEUE", "pfc_to_queue_map", &p.PFCToQueue, Priorities, 64},
			{"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "pfc_to_pg_map", &p.PFCToGroup, Priorities, Priorities},
			{"TC_TO_DSCP_MAP", "tc_to_dscp_map", &p.TCToDSCP, classes, dscps},
		} {
			list, err := c.mapOf(m.table, row, m.field, m.size, m.most)
			if err != nil {
				return err
			}
			if *m.to = list; list == nil && m.to != &p.TCToDSCP {
				*m.to = identity(m.size, m.field == "dscp_to_tc_map")
			}
			if m.to == &p.DSCPToTC { // a DSCP that the map leaves out has class 0, as without a map
				for d, class := range *m.to {
					(*m.to)[d] = max(class, 0)
				}
			}
		}
		enabled, _ := row["pfc_enable"].(string)
		for _, word := range strings.FieldsFunc(enabled, func(r rune) bool { return r == ',' || r == ' ' }) {
			k, err := strconv.Atoi(word)
			if err != nil || k < 0 || k >= Priorities {
				return c.src.FileError("pfc_enable %q of %s; want priorities 0 to 7", textfile.Clip(enabled), key)
			}
			p.Enabled[k] = true
			p.mustMap(k)
		}
		p.Watchdog, _ = row["pfcwd_sw_enable"].(string)
		for _, name := range strings.Split(key, ",") { // old releases have a row for several ports
			if q.Ports[name] != nil {
				return c.src.FileError("PORT_QOS_MAP has a second row of %s; want one", textfile.Clip(name))
			}
			own := *p
			own.Asymmetric = c.tables["PORT"][name]["pfc_asym"] == "on"
			q.Ports[name] = &own
		}
	}
	return nil
}

// unread notes what changes the DSCP or traffic class of frames and is not read.
func (c *sonicConfig) unread(q *QoS) {
	for _, key := range sortedKeys(c.tables["ACL_RULE"]) {
		for _, field := range []string{"DSCP_ACTION", "SET_DSCP", "SET_TC", "TC_ACTION"} {
			if c.tables["ACL_RULE"][key][field] != nil {
				q.Unread = fmt.Sprintf("ACL_RULE %s has %s", key, field)
			}
		}
		action, _ := c.tables["ACL_RULE"][key]["PACKET_ACTION"].(string)
		if c.tables["ACL_RULE"][key]["REDIRECT_ACTION"] != nil || strings.HasPrefix(strings.ToUpper(action), "REDIRECT") {
			q.Redirect = fmt.Sprintf("ACL_RULE %s redirects frames", key)
		}
	}
	for _, key := range sortedKeys(c.tables["PORT_QOS_MAP"]) {
		row, global := c.tables["PORT_QOS_MAP"][key], c.tables["PORT_QOS_MAP"]["global"]
		if row["dot1p_to_tc_map"] != nil && row["dscp_to_tc_map"] == nil && global["dscp_to_tc_map"] == nil {
			q.Unread = fmt.Sprintf("PORT_QOS_MAP %s has dot1p_to_tc_map, and no dscp_to_tc_map", key)
		}
		for _, field := range []string{"tc_to_dot1p_map", "dscp_to_fc_map"} {
			if row[field] != nil {
				q.Unread = fmt.Sprintf("PORT_QOS_MAP %s has %s", key, field)
			}
		}
	}
}

// mustMap notes an enabled priority that a map leaves out. Its group is then taken to have the same number.
func (p *PortQoS) mustMap(priority int) {
	if p.PFCToQueue[priority] == NoClass {
		p.Unmapped = fmt.Sprintf("pfc_to_queue_map has no entry for priority %d of pfc_enable", priority)
	}
	if p.PFCToGroup[priority] == NoClass {
		p.Unmapped = fmt.Sprintf("pfc_to_pg_map has no entry for priority %d of pfc_enable", priority)
		p.PFCToGroup[priority] = priority
	}
}

// identity is the map of a port without one: each class is its own queue and group. Without a map of DSCP all frames have class 0.
func identity(size int, isDSCP bool) []int {
	list := make([]int, size)
	for i := range list {
		if !isDSCP && i < Priorities {
			list[i] = i
		}
	}
	return list
}

// tunnel reads TUNNEL. A configuration with maps for tunnels and without that table gets these maps.
func (c *sonicConfig) tunnel(q *QoS) error {
	rows := c.tables["TUNNEL"]
	names := sortedKeys(rows)
	if len(names) == 0 {
		name := c.tunnelMaps()
		if name == "" {
			return nil
		}
		q.Tunnel.Assumed = true
		names, rows = []string{name}, sonicTable{name: {"decap_dscp_to_tc_map": name, "decap_tc_to_pg_map": name, "encap_tc_to_queue_map": name,
			"encap_tc_color_to_dscp_map": name}}
	}
	if len(names) > 1 {
		return c.src.FileError("TUNNEL has %s and %s; want one tunnel", names[0], names[1])
	}
	row := rows[names[0]]
	q.Tunnel.Name = names[0]
	if mode, ok := row["dscp_mode"]; ok && mode != "uniform" && mode != "pipe" {
		return c.src.FileError("dscp_mode %q of TUNNEL %s; want uniform or pipe", textfile.Clip(fmt.Sprint(mode)), names[0])
	}
	q.Tunnel.Uniform = row["dscp_mode"] == "uniform"
	if text, ok := row["dst_ip"].(string); ok && text != "" {
		addr, err := netip.ParseAddr(text)
		if err != nil {
			return c.src.FileError("dst_ip %q of TUNNEL %s is no address", textfile.Clip(text), names[0])
		}
		q.Tunnel.End = addr
	}
	for _, m := range []struct {
		table, field string
		to           *[]int
		size, most   int
	}{
		{"TC_TO_QUEUE_MAP", "encap_tc_to_queue_map", &q.Tunnel.TCToQueue, classes, 64},
		{"TC_TO_DSCP_MAP", "encap_tc_color_to_dscp_map", &q.Tunnel.TCToDSCP, classes, dscps},
		{"DSCP_TO_TC_MAP", "decap_dscp_to_tc_map", &q.Tunnel.DecapDSCPToTC, dscps, classes},
		{"TC_TO_PRIORITY_GROUP_MAP", "decap_tc_to_pg_map", &q.Tunnel.DecapTCToGroup, classes, Priorities},
	} {
		var err error
		if *m.to, err = c.mapOf(m.table, row, m.field, m.size, m.most); err != nil {
			return err
		}
	}
	return nil
}

// tunnelMaps returns the name of maps for tunnels that all four tables have, or nothing.
func (c *sonicConfig) tunnelMaps() string {
	for _, name := range sortedKeys(c.tables["TC_TO_DSCP_MAP"]) {
		if strings.HasSuffix(name, "TUNNEL") && c.tables["TC_TO_QUEUE_MAP"][name] != nil && c.tables["DSCP_TO_TC_MAP"][name] != nil &&
			c.tables["TC_TO_PRIORITY_GROUP_MAP"][name] != nil {
			return name
		}
	}
	return ""
}

// dualToR reads PEER_SWITCH and MUX_CABLE.
func (c *sonicConfig) dualToR(q *QoS) error {
	for name, row := range c.tables["PEER_SWITCH"] {
		text, _ := row["address_ipv4"].(string)
		addr, err := netip.ParseAddr(text)
		if err != nil || !addr.Is4() {
			return c.src.FileError("address_ipv4 %q of PEER_SWITCH %s is no IPv4 address", textfile.Clip(text), name)
		}
		if q.Peer.IsValid() {
			return c.src.FileError("PEER_SWITCH has %s and %s; want one", q.PeerName, name)
		}
		q.Peer, q.PeerName = addr, name
	}
	for _, port := range sortedKeys(c.tables["MUX_CABLE"]) {
		row := c.tables["MUX_CABLE"][port]
		text, _ := row["server_ipv4"].(string)
		p, err := parsePrefix(text)
		if err != nil || !p.Addr().Is4() {
			return c.src.FileError("server_ipv4 %q of MUX_CABLE %s is no IPv4 address", textfile.Clip(text), port)
		}
		state, _ := row["state"].(string)
		if !slices.Contains([]string{"", "auto", "manual", "active", "standby", "detach"}, state) {
			return c.src.FileError("state %q of MUX_CABLE %s; want auto, manual, active, standby or detach", textfile.Clip(state), port)
		}
		q.Servers[p.Addr()] = state
	}
	if len(q.Servers) > 0 && !q.Peer.IsValid() {
		return c.src.FileError("MUX_CABLE without PEER_SWITCH; want the address of the other leaf")
	}
	return nil
}

// PortsOf returns the ports with maps of an interface: itself, or the members of a VLAN or port channel, and of port channels in a VLAN.
func (q *QoS) PortsOf(name string) (list []string) {
	members := q.Members[name]
	if q.Ports[name] != nil || len(members) == 0 {
		return []string{name}
	}
	for _, m := range members {
		if q.Ports[m] == nil && m != name && len(q.Members[m]) > 0 {
			list = append(list, q.Members[m]...)
		} else {
			list = append(list, m)
		}
	}
	return list
}

// Reacts reports whether the port stops the queue of a priority when PFC comes.
func (p *PortQoS) Reacts(priority int) bool { return p.Asymmetric || p.Enabled[priority] }

// String describes the priorities with PFC of a port.
func (p *PortQoS) String() string {
	var list []string
	for k, on := range p.Enabled {
		if on {
			list = append(list, fmt.Sprint(k))
		}
	}
	return strings.Join(list, ",")
}
