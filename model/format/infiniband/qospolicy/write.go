package qospolicy

import (
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
)

// This file writes service levels (SL) as a QoS policy of OpenSM (opensm -Q -Y FILE; doc/QoS_management_in_OpenSM.txt of OpenSM 3.3):
// groups of ports by GUID, and rules that give the paths from a group to a group a QoS level. OpenSM takes the first rule that fits.
// Paths without a rule have SL 0. Sources with the same destinations on an SL share a rule.

// policyRule gives an SL to the paths from each source to each destination.
type policyRule struct {
	level         int
	sources, dest []uint64 // port GUIDs, in order
}

// Write writes the SLs of the paths between hosts as a QoS policy. It fails if a path has several SLs, if LIDs of one port have
// different ones, or if a switch maps an SL to another virtual lane than that of its number: OpenSM sets one map for all ports.
func Write(w io.Writer, t *model.Table) error {
	if err := mapsToItself(t); err != nil {
		return err
	}
	rules, err := policyRules(t)
	if err != nil {
		return err
	}
	names, groups := map[string]string{}, []string(nil)
	group := func(ports []uint64) string {
		key := guidList(ports)
		if names[key] == "" {
			names[key] = fmt.Sprintf("g%d", len(groups))
			groups = append(groups, key)
		}
		return names[key]
	}
	var text strings.Builder
	used := []int{}
	for _, r := range rules {
		fmt.Fprintf(&text, "\tqos-match-rule\n\t\tsource: %s\n\t\tdestination: %s\n\t\tqos-level-name: SL%d\n\tend-qos-match-rule\n", group(r.sources),
			group(r.dest), r.level)
		if !slices.Contains(used, r.level) {
			used = append(used, r.level)
		}
	}
	slices.Sort(used)
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("# Service levels of %d switches and %d hosts, written by turnproof. Load it by opensm -Q -Y FILE.\n\nport-groups\n", t.Network().NumSwitches(),
		t.Network().NumHosts())
	for i, ports := range groups {
		p("\tport-group\n\t\tname: g%d\n\t\tport-guid: %s\n\tend-port-group\n", i, ports)
	}
	p("end-port-groups\n\nqos-levels\n\tqos-level\n\t\tname: DEFAULT\n\t\tsl: 0\n\tend-qos-level\n")
	for _, level := range used {
		p("\tqos-level\n\t\tname: SL%d\n\t\tsl: %d\n\tend-qos-level\n", level, level)
	}
	p("end-qos-levels\n\nqos-match-rules\n")
	_, err = fmt.Fprintf(w, "%send-qos-match-rules\n", text.String())
	return err
}

// guidList writes GUIDs as a list.
func guidList(ports []uint64) string {
	words := make([]string, len(ports))
	for i, guid := range ports {
		words[i] = fmt.Sprintf("0x%016x", guid)
	}
	return strings.Join(words, ",")
}

// policyRules returns the rules for all SLs but 0.
func policyRules(t *model.Table) (rules []policyRule, err error) {
	n := t.Network()
	byDest := map[string]int{} // by SL and destinations: the rule
	for h := range model.HostID(n.NumHosts()) {
		var dests [model.MaxClasses][]uint64
		known := map[model.HostID]int{}
		for d := range model.DestID(t.Destinations()) {
			to := t.DestinationHost(d)
			set := t.ClassesOf(h, d)
			if to == h || set == 0 || int(to) >= n.NumHosts() {
				continue
			}
			level := bits.TrailingZeros16(uint16(set))
			if set&(set-1) != 0 {
				return nil, fmt.Errorf("paths from %s to %s have several service levels; a QoS policy gives one", n.HostLabel(h), n.HostLabel(to))
			}
			if old, ok := known[to]; ok && old != level {
				return nil, fmt.Errorf("paths from %s to %s have service level %d and, to another LID, %d; a QoS policy knows ports", n.HostLabel(h),
					n.HostLabel(to), old, level)
			} else if !ok {
				known[to] = level
				dests[level] = append(dests[level], infiniband.PortGUIDOf(n, to))
			}
		}
		for level, list := range dests {
			if level == 0 || len(list) == 0 {
				continue
			}
			slices.Sort(list)
			key := fmt.Sprint(level, list)
			i, ok := byDest[key]
			if !ok {
				i = len(rules)
				byDest[key] = i
				rules = append(rules, policyRule{level: level, dest: list})
			}
			rules[i].sources = append(rules[i].sources, infiniband.PortGUIDOf(n, h))
		}
	}
	return rules, nil
}

// mapsToItself returns an error if a switch maps an SL that is used to another virtual lane than that of its number.
func mapsToItself(t *model.Table) error {
	n := t.Network()
	if t.VCMap() == nil {
		return nil
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, a := range n.Out(u) {
			for _, b := range n.Out(u) {
				if n.Kind(b) != model.SwitchToSwitch || a == b {
					continue
				}
				for k := range model.Class(t.Classes()) {
					if vl := t.HopVC(n.Reverse(a), b, k); vl != int(k) {
						return fmt.Errorf("%s maps SL %d to VL %d from port %d to port %d; OpenSM loads one map for all ports, so want VL = SL",
							n.SwitchLabel(u), k, vl, n.TailPort(a), n.TailPort(b))
					}
				}
			}
		}
	}
	return nil
}
