package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// This file compares check with a judge of its own on fabrics with QoS maps of SONiC. The judge walks every frame with its DSCP over all
// choices, and knows two states of a frame on a cable: in a lossless priority group, or one that may be dropped.

// drawnQoS is the maps of a switch, by port; a port without a name of its own is "host".
type drawnQoS struct {
	port               map[string]drawnPort
	tcToDSCP, tcQueue  []int // of its tunnel; nil without maps
	decapTC, decapTCPG []int
	uniform            bool
	peer               int // -1 without a tunnel
	servers            []string
	state              string
}

// drawnPort is the maps of a port. A map has 8 entries.
type drawnPort struct {
	tc, queue, group, stop []int
	on                     [8]bool
	toGroup                []int // of PFC priorities; nil without a map
	mark                   []int // DSCPs of frames that leave, by class; nil without a map
	asymmetric             bool  // PFC of all priorities stops the port
}

// groupOf returns the group of a PFC priority.
func (p drawnPort) groupOf(priority int) int {
	if p.toGroup == nil {
		return priority
	}
	return p.toGroup[priority]
}

// drawMap draws a map of 8 classes: usually each to itself.
func drawMap(r *rand.Rand, odd int) []int {
	m := make([]int, 8)
	for i := range m {
		m[i] = i
		if r.IntN(odd) == 0 {
			m[i] = r.IntN(8)
		}
	}
	return m
}

// drawQoS draws the maps of all switches. homes are two switches with a prefix, or nil.
func drawQoS(r *rand.Rand, f *drawnEthernet, homes []int, server string) []*drawnQoS {
	kinds := []drawnPort{}
	odd := []int{1 << 30, 20, 6}[r.IntN(3)]
	for range 1 + r.IntN(2) {
		p := drawnPort{tc: drawMap(r, odd), queue: drawMap(r, odd), group: drawMap(r, odd), stop: drawMap(r, odd)}
		for k := 1; k < 8; k++ {
			p.on[k] = r.IntN(odd) > 0 && k < 5
		}
		p.asymmetric = odd < 1<<30 && r.IntN(4) == 0
		if r.IntN(3) == 0 {
			p.mark = drawMap(r, odd)
			if r.IntN(2) == 0 { // as rules of Tagger do
				p.mark = slices.Clone(p.tc)
				p.mark[r.IntN(8)] = r.IntN(8)
			}
		}
		kinds = append(kinds, p)
	}
	list := make([]*drawnQoS, f.n)
	for u := range list {
		q := &drawnQoS{port: map[string]drawnPort{"host": kinds[r.IntN(len(kinds))]}, peer: -1}
		f.cable(u, func(port int, _, _ string, _, _ int) { q.port[fmt.Sprint("swp", port)] = kinds[r.IntN(len(kinds))] })
		list[u] = q
	}
	if homes != nil {
		isRemapped, uniform := r.IntN(2) == 0, r.IntN(2) == 0
		for i, u := range homes {
			q := list[u]
			q.peer, q.servers, q.uniform = homes[1-i], []string{server}, uniform
			q.state = []string{"auto", "auto", "auto", "active", "standby"}[r.IntN(5)]
			if isRemapped {
				q.tcToDSCP, q.tcQueue = []int{0, 5, 6, 2, 1, 0, 0, 0}, []int{0, 5, 6, 2, 1, 0, 0, 0}
				q.decapTC, q.decapTCPG = drawMap(r, odd), []int{0, 5, 6, 2, 1, 0, 0, 0}
				if r.IntN(2) == 0 {
					q.tcToDSCP, q.tcQueue, q.decapTCPG = drawMap(r, 3), drawMap(r, 3), drawMap(r, 3)
				}
			}
		}
		if list[homes[0]].state == "standby" && list[homes[1]].state == "standby" { // nothing would be proved
			list[homes[1]].state = "active"
		}
	}
	return list
}

// writeQoS writes config_db.json of all switches.
func writeQoS(t *testing.T, dir string, f *drawnEthernet, list []*drawnQoS) {
	t.Helper()
	for u, q := range list {
		doc := object{"DEVICE_METADATA": object{}}
		put := func(table, name string, m []int) string {
			entries := object{}
			for k, v := range m {
				entries[fmt.Sprint(k)] = fmt.Sprint(v)
			}
			config(doc, table)[name] = entries
			return name
		}
		ports := object{}
		for name, p := range q.port {
			on := []string{}
			for k, x := range p.on {
				if x {
					on = append(on, fmt.Sprint(k))
				}
			}
			row := object{"dscp_to_tc_map": put("DSCP_TO_TC_MAP", name, p.tc), "tc_to_queue_map": "[TC_TO_QUEUE_MAP|" + put("TC_TO_QUEUE_MAP", name, p.queue) + "]",
				"tc_to_pg_map": put("TC_TO_PRIORITY_GROUP_MAP", name, p.group), "pfc_to_queue_map": put("MAP_PFC_PRIORITY_TO_QUEUE", name, p.stop),
				"pfc_enable": strings.Join(on, ",")}
			if p.mark != nil {
				row["tc_to_dscp_map"] = put("TC_TO_DSCP_MAP", name, p.mark)
			}
			if p.toGroup != nil {
				row["pfc_to_pg_map"] = put("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", name, p.toGroup)
			}
			if p.asymmetric {
				config(doc, "PORT")[name] = object{"pfc_asym": "on"}
			}
			if name != "host" {
				ports[name] = row
				continue
			}
			for _, prefix := range sortedPrefixes(f.homes) {
				ports[fmt.Sprint("vlan", prefix.Addr().As4()[2])] = row
			}
		}
		doc["PORT_QOS_MAP"] = ports
		if q.peer >= 0 {
			doc["PEER_SWITCH"] = object{fmt.Sprint("sw", q.peer): object{"address_ipv4": fmt.Sprintf("10.254.0.%d", q.peer)}}
			doc["MUX_CABLE"] = object{"Ethernet0": object{"server_ipv4": q.servers[0] + "/32", "state": q.state}}
			row := object{"dscp_mode": map[bool]string{true: "uniform", false: "pipe"}[q.uniform]}
			if q.tcToDSCP != nil {
				row["encap_tc_color_to_dscp_map"] = put("TC_TO_DSCP_MAP", "T", q.tcToDSCP)
				row["encap_tc_to_queue_map"] = put("TC_TO_QUEUE_MAP", "T", q.tcQueue)
				row["decap_dscp_to_tc_map"] = put("DSCP_TO_TC_MAP", "T", q.decapTC)
				row["decap_tc_to_pg_map"] = put("TC_TO_PRIORITY_GROUP_MAP", "T", q.decapTCPG)
			}
			doc["TUNNEL"] = object{"MuxTunnel0": row}
		}
		text, err := json.Marshal(doc)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("sw%d", u), "config_db.json"), append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// frame is a frame at a switch.
type frame struct {
	sw           string
	port         string // by which it came, or host
	by           string // its channel and group, or empty if it may be dropped or comes from a host
	dscp, inside int
	end          int // the end of its tunnel, or -1
	lost         bool
}

// unlisted is a DSCP that no map lists.
const unlisted = 8

// classOf returns the traffic class of a DSCP: 0 without an entry.
func classOf(m []int, dscp int) int {
	if dscp == unlisted {
		return 0
	}
	return m[dscp]
}

// judgeQoS returns the dependencies of lossless groups, by walking every frame. surely leaves out frames that may have been dropped before,
// and waits for groups in which a frame is not. Frames enter in priority group only, or in any if that is negative.
func judgeQoS(e *etherTruth, list []*drawnQoS, surely bool, only int) map[string][]string {
	next := map[string][]string{}
	has := map[string]bool{}
	homes := map[netip.Prefix][]string{}
	for name, sw := range e.switches {
		for p := range sw.homes {
			homes[p] = append(homes[p], name)
		}
	}
	number := func(name string) int {
		var u int
		_, _ = fmt.Sscanf(name, "sw%d", &u)
		return u
	}
	step := func(f frame, to netip.Prefix, ends []string, visit func(frame)) {
		u := number(f.sw)
		q, sw := list[u], e.switches[f.sw]
		in := q.port[f.port]
		tc := classOf(in.tc, f.dscp)
		route := to
		fresh := false
		if f.end == u {
			return // delivered to the server
		}
		leave := func(f frame, route netip.Prefix, fresh bool) {
			p, ok := sw.longest(route)
			if !ok || sw.homes[p] && f.end < 0 {
				return
			}
			for _, dev := range sw.routes[p] {
				peer, ok := sw.peer[dev]
				if !ok {
					continue
				}
				out, v := q.port[dev], number(peer[0])
				queue := out.queue[tc]
				if fresh && q.tcQueue != nil {
					queue = q.tcQueue[tc]
				}
				there := list[v].port[peer[1]]
				f := f
				if out.mark != nil {
					f.dscp = out.mark[tc]
				}
				own := there.group[classOf(there.tc, f.dscp)]
				if f.end == v {
					d, m, g := f.inside, there.tc, there.group
					if list[v].uniform {
						d = f.dscp
					}
					if list[v].decapTC != nil {
						m, g = list[v].decapTC, list[v].decapTCPG
					}
					own = g[classOf(m, d)]
				}
				channel := fmt.Sprintf("%s:%s>%s:%s", f.sw, dev, peer[0], peer[1])
				by, stopped := "", false
				for pr := range 8 {
					stopped = stopped || (out.on[pr] || out.asymmetric) && there.on[pr] && there.groupOf(pr) == own && out.stop[pr] == queue
				}
				lost := surely && (f.lost || !stopped)
				for pr := range 8 {
					if !out.on[pr] && !out.asymmetric || !there.on[pr] || lost || surely && there.groupOf(pr) != own {
						continue
					}
					vertex := fmt.Sprint(channel, "/", there.groupOf(pr))
					if out.stop[pr] == queue && f.by != "" && !has[f.by+","+vertex] {
						has[f.by+","+vertex] = true
						next[f.by] = append(next[f.by], vertex)
					}
					if there.groupOf(pr) == own { // also if this group does not stop the queue of the frame
						by = vertex
					}
				}
				visit(frame{peer[0], peer[1], by, f.dscp, f.inside, f.end, lost})
			}
		}
		if f.end >= 0 {
			route = netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 254, 0, byte(f.end)}), 32)
		} else if q.peer >= 0 && slices.Contains(ends, f.sw) && to.Contains(netip.MustParseAddr(q.servers[0])) {
			if q.state == "active" {
				return
			}
			outer := 0
			if q.tcToDSCP != nil {
				outer = q.tcToDSCP[tc]
			} else if q.uniform {
				outer = f.dscp
			}
			f.dscp, f.inside, f.end, fresh = outer, f.dscp, q.peer, true
			route = netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 254, 0, byte(q.peer)}), 32)
		}
		leave(f, route, fresh)
	}
	for to, ends := range homes {
		for from, starts := range homes {
			if from == to {
				continue
			}
			seen := map[frame]bool{}
			var todo []frame
			visit := func(f frame) {
				if !seen[f] {
					seen[f] = true
					todo = append(todo, f)
				}
			}
			for _, s := range starts {
				for d := range unlisted + 1 {
					if only < 0 || enters(list, d, only) {
						visit(frame{s, "host", "", d, -1, -1, false})
					}
				}
			}
			for len(todo) > 0 {
				f := todo[0]
				todo = todo[1:]
				step(f, to, ends, visit)
			}
		}
	}
	return next
}

// config returns a table of a configuration.
func config(doc object, table string) object {
	if doc[table] == nil {
		doc[table] = object{}
	}
	return doc[table].(object)
}

// enters reports whether frames with a DSCP are in a lossless group at a port of hosts.
func enters(list []*drawnQoS, dscp, group int) bool {
	return slices.ContainsFunc(list, func(q *drawnQoS) bool {
		p := q.port["host"]
		for pr, on := range p.on {
			if on && p.groupOf(pr) == group && p.group[classOf(p.tc, dscp)] == group {
				return true
			}
		}
		return false
	})
}

// comparePriorities compares the verdicts about single priorities with the judge.
func comparePriorities(t *testing.T, seed uint64, got map[string]any, truth *etherTruth, list []*drawnQoS, isDoubtful bool, count map[string]int) {
	t.Helper()
	found := listAt(got, "ethernet", "priorities")
	for _, p := range found {
		group := slices.IndexFunc([]string{"0", "1", "2", "3", "4", "5", "6", "7"}, func(g string) bool { return g == fmt.Sprint(at(p, "priority_group")) })
		free := fmt.Sprint(at(p, "deadlock_free"))
		want := decided(judgeQoS(truth, list, false, group), judgeQoS(truth, list, true, group))
		if free != want && !(free == "<nil>" && (want == "true" || isDoubtful)) {
			t.Errorf("seed %d: priority group %d: deadlock_free is %s, and %s by the judge", seed, group, free, want)
		}
		if free != fmt.Sprint(got["deadlock_free"]) {
			count["a priority unlike the whole"]++
		}
	}
	for group := range 8 {
		isThere := slices.ContainsFunc(found, func(p any) bool { return fmt.Sprint(at(p, "priority_group")) == fmt.Sprint(group) })
		if is := slices.ContainsFunc([]int{0, 1, 2, 3, 4, 5, 6, 7, unlisted}, func(d int) bool { return enters(list, d, group) }); is != isThere {
			t.Errorf("seed %d: priority group %d is named: %v, and %v by the judge", seed, group, isThere, is)
		}
	}
}

// decided returns deadlock_free by all dependencies, and by those that are certain.
func decided(all, sure map[string][]string) string {
	switch {
	case !hasCycle(all):
		return "true"
	case hasCycle(sure):
		return "false"
	}
	return "<nil>"
}

// marks reports whether a port sets DSCPs.
func (q *drawnQoS) marks() bool {
	for _, p := range q.port {
		if p.mark != nil {
			return true
		}
	}
	return false
}

// drawDual draws a fabric with a host prefix for each switch, and with a dual-ToR pair that share a server if isDual is set.
func drawDual(r *rand.Rand, isDual bool) (f *drawnEthernet, pair []int, server string) {
	f, server = drawEthernet(r), "10.0.200.7"
	f.homes = map[netip.Prefix][]int{}
	f.routes = f.routes[:0]
	for range f.n {
		f.routes = append(f.routes, map[netip.Prefix][]int{})
	}
	for u := range f.n {
		f.homes[netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(u), 0}), 24)] = []int{u}
	}
	if isDual {
		v := r.IntN(f.n - 1)
		pair = []int{v, v + 1}
		f.homes[netip.MustParsePrefix("10.0.200.0/24")] = pair
		for _, u := range pair {
			p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 254, 0, byte(u)}), 32)
			f.draw(r, p, []int{u})
			f.complete(p, u)
			f.loopbacks = append(f.loopbacks, u)
		}
	}
	for _, p := range sortedPrefixes(f.homes) {
		f.draw(r, p, f.homes[p])
	}
	return f, pair, server
}

// complete gives a route to a prefix of home to each switch without one, or whose route drops. Without routes to the ends of tunnels nothing is proved.
func (f *drawnEthernet) complete(p netip.Prefix, home int) {
	reached := map[int]bool{home: true}
	for range f.n {
		for _, c := range f.cables {
			for _, side := range [][3]int{{c[0], c[1], c[2]}, {c[2], c[3], c[0]}} {
				if !reached[side[0]] && reached[side[2]] {
					reached[side[0]] = true
					if list := f.routes[side[0]][p]; len(list) == 0 || slices.Contains(list, -1) {
						f.routes[side[0]][p] = []int{side[1]}
					}
				}
			}
		}
	}
}

// TestRandomPriorities compares verdicts with the judge on random fabrics and random maps, with dual-ToR pairs.
func TestRandomPriorities(t *testing.T) {
	t.Parallel()
	cases := longtest.Cases(50, 3000)
	count := map[string]int{}
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 77))
		f, pair, server := drawDual(r, r.IntN(2) == 0)
		dir := t.TempDir()
		f.writeKinds(t, dir, "zebra lldp")
		list := drawQoS(r, f, pair, server)
		writeQoS(t, dir, f, list)
		truth := judgeEthernet(t, dir)
		next, sure := judgeQoS(truth, list, false, -1), judgeQoS(truth, list, true, -1)
		stdout, stderr, code := turnproof(t, "check", dir, "--json", "--assume", "outside,dumps")
		if stdout == "" && strings.Contains(stderr, "no DSCP selects") {
			count["lossy"]++
			continue
		}
		if stdout == "" {
			t.Fatalf("seed %d: exit status %d, %s", seed, code, stderr)
		}
		got := valid(t, "check.json", stdout)
		free := fmt.Sprint(got["deadlock_free"])
		want := decided(next, sure)
		isMarked := slices.ContainsFunc(list, (*drawnQoS).marks)
		comparePriorities(t, seed, got, truth, list, isMarked && pair != nil, count)
		if free != want && !(free == "<nil>" && (want == "true" || isMarked && pair != nil)) {
			t.Fatalf("seed %d: deadlock_free is %s, and %s by the judge\n%s", seed, free, want, stdout)
		}
		if count[free]++; free != want {
			count["less than the judge"]++
		}
	}
	if count["true"] < cases/10 || count["false"] < cases/20 || count["<nil>"] > cases/4 || count["lossy"] > cases/3 {
		t.Errorf("verdicts %v: too one-sided", count)
	}
	t.Log(count)
}
