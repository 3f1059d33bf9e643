package configure

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file writes config_db.json of SONiC.
//
// Source: sonic-net/sonic-swss, orchagent/qosorch.cpp: the fields of PORT_QOS_MAP, among them tc_to_dscp_map.

// mapName is the first word of the names of our maps.
const mapName = "TURNPROOF"

// SONiC returns config_db.json of each switch by its name. Tables that the present file of a switch has stay, apart from the rows of ports
// with cables and hosts in PORT_QOS_MAP.
func (p *Plan) SONiC() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, s := range p.switches {
		tables, err := presentTables(p.fabric.Dumps()[s.u].QoS)
		if err != nil {
			return nil, err
		}
		w := &sonicWriter{p, s, tables, map[string]string{}}
		w.write()
		text, err := json.MarshalIndent(tables, "", "    ")
		if err != nil {
			return nil, err
		}
		files[p.net.SwitchName(s.u)] = append(text, '\n')
	}
	return files, nil
}

// presentTables returns the tables of a config_db.json. There are none if q is nil.
func presentTables(q *dumps.QoS) (map[string]any, error) {
	tables := map[string]any{}
	if q == nil {
		return tables, nil
	}
	return textfile.Read(q.File, nil, func(src *textfile.File) (map[string]any, error) {
		text, err := io.ReadAll(src.Reader)
		if err == nil {
			err = json.Unmarshal(text, &tables)
		}
		return tables, err
	})
}

// table returns a table to write into.
func table(tables map[string]any, name string) map[string]any {
	t, ok := tables[name].(map[string]any)
	if !ok {
		t = map[string]any{}
		tables[name] = t
	}
	return t
}

// sonicWriter writes the tables of a switch.
type sonicWriter struct {
	*Plan
	*switchPlan
	tables map[string]any
	names  map[string]string // of maps, by table and content
}

// put adds a map to a table and returns its name. Equal maps are one.
func (w *sonicWriter) put(of string, entries map[int]int) string {
	m := map[string]any{}
	for k, v := range entries {
		m[strconv.Itoa(k)] = strconv.Itoa(v)
	}
	key := of + fmt.Sprint(m)
	name, ok := w.names[key]
	if !ok {
		name = mapName
		if n := w.count(of); n > 0 {
			name += fmt.Sprint("_", n)
		}
		w.names[key] = name
		table(w.tables, of)[name] = m
	}
	return name
}

// count returns the number of our maps in a table.
func (w *sonicWriter) count(of string) (n int) {
	for key := range w.names {
		if strings.HasPrefix(key, of+"map") {
			n++
		}
	}
	return n
}

// write writes all tables.
func (w *sonicWriter) write() {
	groups, same, queues := map[int]int{0: 0}, map[int]int{}, map[int]int{0: 0}
	for _, c := range w.classes {
		groups[c.number], queues[c.number] = w.Priorities[c.priority], w.Priorities[c.priority]
	}
	var on []string
	for _, pr := range w.Priorities[:w.rules.Priorities] {
		same[pr] = pr
		on = append(on, strconv.Itoa(pr))
	}
	ports := table(w.tables, "PORT_QOS_MAP")
	splitRows(ports)
	row := func(name string, in model.ChannelID, queue string) map[string]any {
		r := rowOf(ports, name) // other fields stay, such as the scheduler
		delete(r, "pfc_to_pg_map")
		delete(r, "tc_to_dscp_map")
		maps.Copy(r, map[string]any{
			"dscp_to_tc_map":   w.put("DSCP_TO_TC_MAP", w.dscps(in)),
			"tc_to_pg_map":     w.put("TC_TO_PRIORITY_GROUP_MAP", groups),
			"tc_to_queue_map":  queue,
			"pfc_to_queue_map": w.put("MAP_PFC_PRIORITY_TO_QUEUE", same),
			"pfc_enable":       strings.Join(on, ","),
		})
		if watched, _ := r["pfcwd_sw_enable"].(string); watched != "" {
			r["pfcwd_sw_enable"] = r["pfc_enable"]
		}
		return r
	}
	for _, name := range w.fabric.HostPorts(w.u) {
		ports[name] = row(name, model.NoChannel, w.put("TC_TO_QUEUE_MAP", queues))
	}
	for _, out := range w.outs {
		to, marks, isMarked := map[int]int{0: 0}, map[int]int{0: 0}, false
		for _, c := range w.classes {
			q := c.after(out)
			to[c.number], marks[c.number] = w.Priorities[q], w.DSCPs[q]
			isMarked = isMarked || q != c.priority
		}
		name := w.port(w.switchPlan, out)
		r := row(name, w.net.Reverse(out), w.put("TC_TO_QUEUE_MAP", to))
		if isMarked || len(w.entering()) > 1 && len(w.fabric.HostPorts(w.u)) > 0 {
			r["tc_to_dscp_map"] = w.put("TC_TO_DSCP_MAP", marks)
		}
		ports[name] = r
	}
}

// splitRows gives each port of a row for several ones, as old releases write them, a row of its own.
func splitRows(rows map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		names := strings.Split(key, ",")
		if len(names) == 1 {
			continue
		}
		for _, name := range names {
			rows[name] = rowOf(rows, name)
		}
		delete(rows, key)
	}
}

// entering returns the DSCPs of frames that hosts send and that get the first priority: those of the options, and those of all priorities,
// so that no frame of a host takes part in a later one.
func (w *sonicWriter) entering() (list []int) {
	list = append(slices.Clone(w.Entering), w.DSCPs[:w.rules.Priorities]...)
	slices.Sort(list)
	return slices.Compact(list)
}

// dscps returns the traffic class of each DSCP of frames that come by a channel. Other frames are in class 0.
func (w *sonicWriter) dscps(in model.ChannelID) map[int]int {
	m := map[int]int{}
	for d := range 64 {
		m[d] = 0
	}
	list := w.of[in]
	if in == model.NoChannel {
		for _, d := range w.entering() {
			m[d] = list[0].number
		}
		return m
	}
	for k, c := range list {
		m[w.DSCPs[k]] = c.number
	}
	return m
}
