package configure

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file gives the frames in tunnels of dual ToR a lossless priority of their own. A leaf that is on standby for a server sends its frames in a
// tunnel to the other leaf: down, then up again. In the priority in which they came they close a circle.
//
// Source: sonic-net/SONiC, doc/qos/tunnel_dscp_remapping.md.

// Remap says that the frames of a priority have another one while they are in a tunnel, and which DSCP outside.
type Remap struct{ From, To, DSCP int }

// numbers of SONiC.
const (
	numDSCPs = 64
	numTCs   = 8
)

// Tunnels is the configuration of a fabric with dual ToR.
type Tunnels struct {
	fabric  *ethernet.Found
	Present []int // the priorities with PFC at some port
}

// NewTunnels returns an error if the maps of a port are not of the usual form: each lossless priority has one traffic class, one queue and one
// group, of its own number.
func NewTunnels(fabric *ethernet.Found) (*Tunnels, error) {
	t := &Tunnels{fabric: fabric}
	t.Present, _ = fabric.Lossless()
	for _, sw := range fabric.Dumps() {
		for _, name := range slices.Sorted(maps.Keys(sw.QoS.Ports)) {
			p := sw.QoS.Ports[name]
			if why := t.unusual(p); why != "" {
				return nil, fmt.Errorf("%s: %s: %s", sw.QoS.File, name, why)
			}
			if p.TCToDSCP != nil {
				return nil, fmt.Errorf("%s: %s has tc_to_dscp_map, which cannot be combined with the maps of tunnels", sw.QoS.File, name)
			}
		}
	}
	return t, nil
}

// unusual returns what is not of the usual form at a port.
func (t *Tunnels) unusual(p *dumps.PortQoS) string {
	for _, k := range t.Present {
		for tc := range numTCs {
			isOwn := valueAt(p.TCToQueue, tc) == k && valueAt(p.TCToGroup, tc) == k
			isSome := valueAt(p.TCToQueue, tc) == k || valueAt(p.TCToGroup, tc) == k
			if slices.Contains(p.DSCPToTC, tc) && (tc == k && !isOwn || tc != k && isSome) {
				return fmt.Sprintf("priority %d and traffic class %d: want a traffic class, a queue and a group of the number of each lossless priority", k, tc)
			}
		}
		if p.Enabled[k] && (p.PFCToQueue[k] != k || p.PFCToGroup[k] != k) {
			return fmt.Sprintf("PFC of priority %d stops another queue or group; want those of its number", k)
		}
	}
	return ""
}

// valueAt looks a traffic class up. One without an entry is 0.
func valueAt(m []int, tc int) int {
	if tc < 0 || tc >= len(m) || m[tc] < 0 {
		return 0
	}
	return m[tc]
}

// DSCPOf returns the smallest DSCP of a lossless priority at some port.
func (t *Tunnels) DSCPOf(priority int) int {
	for d := range numDSCPs {
		for _, sw := range t.fabric.Dumps() {
			for _, p := range sw.QoS.Ports {
				if p.DSCPToTC[d] == priority {
					return d
				}
			}
		}
	}
	return priority
}

// Carries returns the DSCPs of frames that may be dropped and use the queue or the group of a priority at some port.
func (t *Tunnels) Carries(priority int) (list []int) {
	for _, sw := range t.fabric.Dumps() {
		for d := range numDSCPs {
			for _, p := range sw.QoS.Ports {
				if uses(sw.QoS, p.DSCPToTC[d], priority) && !slices.Contains(list, d) {
					list = append(list, d)
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

// uses reports whether a traffic class has the queue or the group of a priority at some port of a switch.
func uses(q *dumps.QoS, tc, priority int) bool {
	for _, p := range q.Ports {
		if valueAt(p.TCToQueue, tc) == priority || valueAt(p.TCToGroup, tc) == priority {
			return true
		}
	}
	return false
}

// SONiC returns config_db.json of each switch by its name. The present tables stay, apart from the maps of ports and of the tunnel.
func (t *Tunnels) SONiC(list []Remap) (map[string][]byte, error) {
	files := map[string][]byte{}
	for u, sw := range t.fabric.Dumps() {
		w := &tunnelWriter{Tunnels: t, u: u, q: sw.QoS, list: list, class: map[int]int{}}
		tables, err := presentTables(sw.QoS)
		if err != nil {
			return nil, err
		}
		w.tables = tables
		if err := w.write(); err != nil {
			return nil, fmt.Errorf("%s: %w", sw.Name, err)
		}
		text, err := json.MarshalIndent(w.tables, "", "    ")
		if err != nil {
			return nil, err
		}
		files[sw.Name] = append(text, '\n')
	}
	return files, nil
}

// tunnelWriter writes the tables of a switch.
type tunnelWriter struct {
	*Tunnels
	u      int
	q      *dumps.QoS
	list   []Remap
	tables map[string]any
	class  map[int]int // the traffic class of a priority that is new
}

// write chooses traffic classes and writes all maps.
func (w *tunnelWriter) write() error {
	if err := w.chooseClasses(); err != nil {
		return err
	}
	withCables := map[string]bool{}
	for _, name := range w.fabric.CablePorts(model.SwitchID(w.u)) {
		withCables[name] = true
	}
	rows := table(w.tables, "PORT_QOS_MAP")
	present := maps.Clone(rows)
	for _, name := range slices.Sorted(maps.Keys(w.q.Ports)) {
		row := rowOf(present, name)
		w.port(row, w.q.Ports[name], withCables[name])
		rows[name] = row
	}
	for key := range present {
		if key != "global" && w.q.Ports[key] == nil {
			delete(rows, key) // a row of several ports has become one for each
		}
	}
	if w.q.Peer.IsValid() {
		w.tunnel()
	}
	return nil
}

// chooseClasses chooses a traffic class for each new priority: its number, or another one that no frame has.
func (w *tunnelWriter) chooseClasses() error {
	used := map[int]bool{}
	for _, p := range w.q.Ports {
		for d := range numDSCPs {
			used[w.dscpToTC(p, d)] = true
		}
	}
	for _, x := range w.list {
		if _, ok := w.class[x.To]; ok || slices.Contains(w.Present, x.To) {
			continue
		}
		k := x.To
		for tries := 0; used[k] && tries < numTCs; tries++ {
			k = (k + 1) % numTCs
		}
		if used[k] {
			return fmt.Errorf("no traffic class is left for priority %d", x.To)
		}
		used[k], w.class[x.To] = true, k
	}
	return nil
}

// dscpToTC returns the traffic class of a DSCP, after frames that may be dropped have left the new priorities.
func (w *tunnelWriter) dscpToTC(p *dumps.PortQoS, d int) int {
	tc := p.DSCPToTC[d]
	for _, x := range w.list {
		if !slices.Contains(w.Present, x.To) && uses(w.q, tc, x.To) {
			return p.DSCPToTC[0]
		}
	}
	return tc
}

// port writes the maps of a port.
func (w *tunnelWriter) port(row map[string]any, p *dumps.PortQoS, hasCable bool) {
	tc := make([]int, numDSCPs)
	for d := range tc {
		tc[d] = w.dscpToTC(p, d)
	}
	queue, group, stop := slices.Clone(p.TCToQueue), slices.Clone(p.TCToGroup), slices.Clone(p.PFCToQueue)
	pfc := slices.Clone(p.PFCToGroup)
	on := p.Enabled
	for _, x := range w.list {
		k, isNew := w.class[x.To]
		if !isNew {
			continue
		}
		queue[k], group[k], stop[x.To], pfc[x.To] = x.To, x.To, x.To, x.To
		if hasCable {
			tc[x.DSCP], on[x.To] = k, true
		}
	}
	text := ""
	for k, is := range on {
		if is && text != "" {
			text += ","
		}
		if is {
			text += strconv.Itoa(k)
		}
	}
	row["pfc_enable"] = text
	for _, m := range []struct {
		table, field string
		now, old     []int
	}{{"DSCP_TO_TC_MAP", "dscp_to_tc_map", tc, p.DSCPToTC}, {"TC_TO_QUEUE_MAP", "tc_to_queue_map", queue, p.TCToQueue},
		{"TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg_map", group, p.TCToGroup}, {"MAP_PFC_PRIORITY_TO_QUEUE", "pfc_to_queue_map", stop, p.PFCToQueue},
		{"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "pfc_to_pg_map", pfc, p.PFCToGroup}} {
		if !slices.Equal(m.now, m.old) {
			row[m.field] = putMap(w.tables, m.table, mapName, m.now)
		}
	}
}

// tunnel writes the maps of the tunnel: pipe mode, in which the frame keeps its own DSCP inside.
func (w *tunnelWriter) tunnel() {
	queue, dscp, group := make([]int, numTCs), make([]int, numTCs), make([]int, numTCs)
	var host *dumps.PortQoS // of frames that come out of the tunnel
	for _, name := range slices.Sorted(maps.Keys(w.q.Ports)) {
		if p := w.q.Ports[name]; host == nil || slices.Contains(w.fabric.HostPorts(model.SwitchID(w.u)), name) {
			host = p
		}
	}
	tc := make([]int, numDSCPs)
	for d := range tc {
		tc[d] = w.dscpToTC(host, d)
	}
	for k := range numTCs {
		of := k
		if w.isNew(k) { // frames of hosts that have the DSCP of tunnels may be dropped in one
			of = tc[0]
		}
		queue[k], group[k] = valueAt(host.TCToQueue, of), valueAt(host.TCToGroup, of)
		for _, x := range w.list {
			if x.From == k {
				queue[k], group[k], dscp[k] = x.To, x.To, x.DSCP
			}
		}
	}
	tunnels := table(w.tables, "TUNNEL")
	name := "MuxTunnel0"
	if _, ok := tunnels[w.q.Tunnel.Name]; ok {
		name = w.q.Tunnel.Name
	}
	row, _ := tunnels[name].(map[string]any)
	if row == nil {
		row = map[string]any{}
	}
	tunnels[name] = row
	row["dscp_mode"] = "pipe"
	const own = mapName + "_TUNNEL"
	row["encap_tc_to_queue_map"] = putMap(w.tables, "TC_TO_QUEUE_MAP", own, queue)
	row["encap_tc_color_to_dscp_map"] = putMap(w.tables, "TC_TO_DSCP_MAP", own, dscp)
	row["decap_dscp_to_tc_map"] = putMap(w.tables, "DSCP_TO_TC_MAP", own, tc)
	row["decap_tc_to_pg_map"] = putMap(w.tables, "TC_TO_PRIORITY_GROUP_MAP", own, group)
}

// putMap adds a map to a table and returns its name, which begins with prefix. An equal map is taken.
func putMap(tables map[string]any, of, prefix string, entries []int) string {
	m := map[string]any{}
	for k, v := range entries {
		if v >= 0 && (k < numTCs || v > 0 || len(entries) > 2*numTCs) {
			m[strconv.Itoa(k)] = strconv.Itoa(v)
		}
	}
	t := table(tables, of)
	for n := 0; ; n++ {
		name := prefix
		if n > 0 {
			name += fmt.Sprint("_", n)
		}
		if t[name] == nil {
			t[name] = m
		}
		if known, ok := t[name].(map[string]any); ok && maps.Equal(known, m) {
			return name
		}
	}
}

// isNew reports whether a traffic class is that of a new priority.
func (w *tunnelWriter) isNew(tc int) bool {
	for _, k := range w.class {
		if k == tc {
			return true
		}
	}
	return false
}

// rowOf returns a copy of the row of a port. Old releases have a row for several ports.
func rowOf(rows map[string]any, name string) map[string]any {
	for key, v := range rows {
		row, ok := v.(map[string]any)
		if ok && key != "global" && slices.Contains(strings.Split(key, ","), name) {
			return maps.Clone(row)
		}
	}
	return map[string]any{}
}
