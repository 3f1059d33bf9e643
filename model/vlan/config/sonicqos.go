package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/vlan"
)

// This file writes the tables that make priorities lossless on a SONiC switch.
//
// The priority of a frame (PCP of its tag) selects a traffic class. The class selects an output
// queue and a priority group, which is the input buffer. PFC pauses the priorities of a group
// that has headroom. Here all these maps are the identity, except that all lossy priorities
// share one group.
//
// Sources: sonic-buildimage, src/sonic-yang-models: sonic-dot1p-tc-map, sonic-tc-queue-map,
// sonic-tc-priority-group-map, sonic-pfc-priority-queue-map,
// sonic-pfc-priority-priority-group-map, sonic-port-qos-map, sonic-buffer-pg,
// sonic-cable-length; files/build_templates/qos_config.j2; sonic-swss, cfgmgr/buffermgr.cpp for
// the keys of priority groups.

// mapName is the name of the maps. It differs from names that the switch may use already.
const mapName = "TURNPROOF"

func (p *plan) sonicQoS(t tables, ports []port) {
	lossless := p.Priorities()
	for priority := range vlan.MaxPriority + 1 {
		n := fmt.Sprint(priority)
		t.set("DOT1P_TO_TC_MAP", mapName, n, n)
		t.set("TC_TO_QUEUE_MAP", mapName, n, n)
		t.set("MAP_PFC_PRIORITY_TO_QUEUE", mapName, n, n)
		if p.PFCToPG && slices.Contains(lossless, priority) {
			t.set("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", mapName, n, n)
		}
		t.set("TC_TO_PRIORITY_GROUP_MAP", mapName, n, fmt.Sprint(priorityGroup(priority, lossless)))
	}
	enable := strings.ReplaceAll(strings.Trim(fmt.Sprint(lossless), "[]"), " ", ",")
	for _, at := range ports {
		name := p.sonicPort(at.number)
		for _, field := range []string{"dot1p_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map"} {
			t.set("PORT_QOS_MAP", name, field, mapName)
		}
		if p.PFCToPG {
			t.set("PORT_QOS_MAP", name, "pfc_to_pg_map", mapName)
		}
		t.set("PORT_QOS_MAP", name, "pfc_enable", enable)
		if p.Cable != "" {
			t.set("CABLE_LENGTH", "AZURE", name, p.Cable)
		}
		if p.BufferProfile != "" {
			for _, r := range ranges(lossless) {
				t.set("BUFFER_PG", name+"|"+r, "profile", p.BufferProfile)
			}
		}
	}
}

// priorityGroup returns the group of a priority: its own if the priority is lossless, else the
// group of the lowest lossy priority.
func priorityGroup(priority int, lossless []int) int {
	if slices.Contains(lossless, priority) {
		return priority
	}
	group := 0
	for slices.Contains(lossless, group) {
		group++
	}
	return group
}

// ranges formats ascending numbers like buffermgrd: 0, 3 and 4 give 0 and 3-4.
func ranges(list []int) (text []string) {
	for i := 0; i < len(list); {
		end := i
		for end+1 < len(list) && list[end+1] == list[end]+1 {
			end++
		}
		r := fmt.Sprint(list[i])
		if end > i {
			r += fmt.Sprintf("-%d", list[end])
		}
		text = append(text, r)
		i = end + 1
	}
	return text
}
