package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// This file judges what the command priorities writes. It reads config_db.json with encoding/json, and walks every frame.

// readDrawn reads the maps of a switch. The ports of hosts are interfaces of VLANs.
func readDrawn(t *testing.T, file string) *drawnQoS {
	t.Helper()
	doc := readJSON(t, file)
	q := &drawnQoS{port: map[string]drawnPort{}, peer: -1}
	entries := func(row any, field, table string, size int) []int {
		if at(row, field) == nil {
			return nil
		}
		m := make([]int, size)
		name := strings.TrimSuffix(strings.TrimPrefix(at(row, field).(string), "["+table+"|"), "]") // references of old releases
		found, isThere := at(doc, table, name).(map[string]any)
		if !isThere {
			t.Fatalf("%s: %s %s is not in %s", file, field, name, table)
		}
		for k, v := range found {
			i, err := strconv.Atoi(k)
			x, err2 := strconv.Atoi(v.(string))
			if err != nil || err2 != nil {
				t.Fatalf("%s: %s of %v has %q", file, field, table, k)
			}
			m[i] = x
		}
		return m
	}
	for name, row := range object1(at(doc, "PEER_SWITCH")) {
		if _, err := fmt.Sscanf(name, "sw%d", &q.peer); err != nil {
			t.Fatalf("%s: peer %s: %v", file, name, row)
		}
	}
	for _, row := range object1(at(doc, "MUX_CABLE")) {
		q.servers, q.state = []string{strings.TrimSuffix(at(row, "server_ipv4").(string), "/32")}, at(row, "state").(string)
	}
	for _, row := range object1(at(doc, "TUNNEL")) {
		q.uniform = at(row, "dscp_mode") == "uniform"
		q.tcToDSCP, q.tcQueue = entries(row, "encap_tc_color_to_dscp_map", "TC_TO_DSCP_MAP", 8), entries(row, "encap_tc_to_queue_map", "TC_TO_QUEUE_MAP", 8)
		q.decapTC, q.decapTCPG = entries(row, "decap_dscp_to_tc_map", "DSCP_TO_TC_MAP", 64), entries(row, "decap_tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", 8)
	}
	rows := object1(at(doc, "PORT_QOS_MAP"))
	for name, row := range rows {
		p := drawnPort{tc: entries(row, "dscp_to_tc_map", "DSCP_TO_TC_MAP", 64), queue: entries(row, "tc_to_queue_map", "TC_TO_QUEUE_MAP", 8),
			group: entries(row, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", 8), stop: entries(row, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", 8),
			mark: entries(row, "tc_to_dscp_map", "TC_TO_DSCP_MAP", 8)}
		for _, word := range strings.Split(at(row, "pfc_enable").(string), ",") {
			k, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			p.on[k] = true
		}
		q.port[name] = p
		if strings.HasPrefix(strings.ToLower(name), "vlan") {
			q.port["host"] = p
		}
	}
	if _, ok := q.port["host"]; !ok { // without hosts, no frame begins here
		q.port["host"] = drawnPort{tc: make([]int, 64), queue: make([]int, 8), group: make([]int, 8), stop: make([]int, 8)}
	}
	return q
}

// object1 returns the members of an object, or none.
func object1(v any) object {
	m, _ := v.(object)
	return m
}

// TestRandomRules writes the rules for random fabrics, and judges the folder: no circle of groups, and no lossless frame that can be dropped.
func TestRandomRules(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(longtest.Cases(20, 2000)) {
		r := rand.New(rand.NewPCG(seed, 91))
		f := drawEthernet(r)
		if seed%4 == 0 {
			f = ringEthernet()
		}
		root := t.TempDir()
		dir, out := filepath.Join(root, "dumps"), filepath.Join(root, "new")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		f.writeKinds(t, dir, "zebra lldp")
		stdout, stderr, code := turnproof(t, "priorities", dir, "--json", "--sonic", out, "--assume", "outside,dumps", "--seconds", "2")
		if code == 2 {
			if !strings.Contains(stderr, "circle") && !strings.Contains(stderr, "traffic classes") {
				t.Fatalf("seed %d: %s", seed, stderr)
			}
			count["refused"]++
			continue
		}
		got := valid(t, "priorities.json", stdout)
		truth := judgeEthernet(t, dir)
		if (fmt.Sprint(got["at_least"]) == "1") != (truth.shortestCycle() == 0) {
			t.Errorf("seed %d: at least %v priorities, and the judge finds a cycle of %d", seed, got["at_least"], truth.shortestCycle())
		}
		if got["priorities"] == nil {
			count["none"]++
			continue
		}
		var list []*drawnQoS
		for u := range f.n {
			list = append(list, readDrawn(t, filepath.Join(out, fmt.Sprint("sw", u), "config_db.json")))
		}
		truth = judgeEthernet(t, out)
		all, sure := judgeQoS(truth, list, false, -1), judgeQoS(truth, list, true, -1)
		for _, next := range []map[string][]string{all, sure} {
			for _, x := range next {
				slices.Sort(x)
			}
		}
		if hasCycle(all) || !maps.EqualFunc(all, sure, slices.Equal[[]string]) {
			t.Errorf("seed %d: the folder that is written has a circle (%v), or lossless frames that can be dropped", seed, hasCycle(all))
		}
		for _, c := range listAt(got, "claims") {
			if at(c, "claim") == "deadlock-free" && at(c, "verdict") != "proved" {
				t.Errorf("seed %d: %v", seed, c)
			}
		}
		count[fmt.Sprint(got["priorities"])]++
	}
	if count["1"] == 0 || count["2"] == 0 {
		t.Errorf("cases %v: too one-sided", count)
	}
	t.Log(count)
}

// dualLeaves returns spines and leaves with a prefix each. The first two leaves also share a prefix with servers.
func dualLeaves(spines, leaves int) *drawnEthernet {
	f := &drawnEthernet{n: leaves + spines, homes: map[netip.Prefix][]int{}, loopbacks: []int{0, 1}}
	for range f.n {
		f.routes = append(f.routes, map[netip.Prefix][]int{})
	}
	for l := range leaves {
		for s := range spines {
			f.cables = append(f.cables, [4]int{l, s + 1, leaves + s, l + 1})
		}
	}
	add := func(p netip.Prefix, homes ...int) {
		for u := range f.n {
			switch {
			case slices.Contains(homes, u):
			case u < leaves:
				for s := range spines {
					f.routes[u][p] = append(f.routes[u][p], s+1)
				}
			default:
				for _, l := range homes {
					f.routes[u][p] = append(f.routes[u][p], l+1)
				}
			}
		}
	}
	for l := range leaves {
		p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(l), 0}), 24)
		f.homes[p] = []int{l}
		add(p, l)
	}
	shared := netip.MustParsePrefix("10.0.200.0/24")
	f.homes[shared] = []int{0, 1}
	add(shared, 0, 1)
	for _, u := range f.loopbacks {
		add(netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 254, 0, byte(u)}), 32), u)
	}
	return f
}

// TestRandomTunnels lets priorities choose maps for the tunnels of random fabrics with dual ToR, and judges the folder that it writes.
func TestRandomTunnels(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for seed := range uint64(longtest.Cases(10, 1000)) {
		r := rand.New(rand.NewPCG(seed, 92))
		f, pair, server := drawDual(r, true)
		if seed%2 == 0 {
			f = dualLeaves(1+r.IntN(2), 2+r.IntN(2))
			pair = []int{0, 1}
		}
		root := t.TempDir()
		dir, out := filepath.Join(root, "dumps"), filepath.Join(root, "new")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		f.writeKinds(t, dir, "zebra lldp")
		list := drawQoS(r, f, pair, server)
		for _, q := range list {
			for name, p := range q.port {
				p.tc, p.queue, p.group, p.stop = drawMap(r, 1<<30), drawMap(r, 1<<30), drawMap(r, 1<<30), drawMap(r, 1<<30)
				p.on, p.mark, p.tc[5+r.IntN(3)] = [8]bool{3: true, 4: true}, nil, 1
				q.port[name] = p
			}
			q.tcToDSCP, q.tcQueue, q.decapTC, q.decapTCPG = nil, nil, nil, nil
		}
		writeQoS(t, dir, f, list)
		args := []string{"priorities", dir, "--json", "--sonic", out, "--assume", "outside,dumps"}
		args = append(args, [][]string{nil, {"--lossless", "3,4,2,6"}, {"--lossless", "3,4,6"}, {"--lossless", "3,4,7,2", "--dscp", "50,51"}}[r.IntN(4)]...)
		stdout, stderr, code := turnproof(t, args...)
		if stdout == "" {
			if !strings.Contains(stderr, "DSCP ") && !strings.Contains(stderr, "no priority is left") {
				t.Fatalf("seed %d: exit status %d, %s", seed, code, stderr)
			}
			count["refused"]++
			continue
		}
		got := valid(t, "priorities.json", stdout)
		truth := judgeEthernet(t, dir)
		isCyclic := hasCycle(judgeQoS(truth, list, true, -1))
		isFree := !hasCycle(judgeQoS(truth, list, false, -1))
		if got["priorities"] == nil {
			if isFree {
				count["missed"]++ // circles through frames that may be dropped, for which nothing waits (see package ethernet, qos.go)
			}
			count["none"]++
			continue
		}
		if isCyclic && at(got, "tunnels") == nil {
			t.Errorf("seed %d: a circle, and no maps for tunnels", seed)
		}
		list = nil
		for u := range f.n {
			list = append(list, readDrawn(t, filepath.Join(out, fmt.Sprint("sw", u), "config_db.json")))
		}
		for _, x := range listAt(got, "tunnels") {
			to, err := strconv.Atoi(fmt.Sprint(at(x, "becomes")))
			dscp, err2 := strconv.Atoi(fmt.Sprint(at(x, "dscp")))
			if err != nil || err2 != nil {
				t.Fatal(x)
			}
			for u, q := range list {
				for name, p := range q.port {
					if strings.HasPrefix(name, "swp") && (!p.on[to] || p.group[p.tc[dscp]] != to || p.queue[p.tc[dscp]] != to) {
						t.Errorf("seed %d: frames of tunnels with DSCP %d are not in priority %d at sw%d:%s", seed, dscp, to, u, name)
					}
				}
			}
		}
		if all := judgeQoS(judgeEthernet(t, out), list, false, -1); hasCycle(all) {
			t.Errorf("seed %d: the folder that is written has a circle", seed)
		}
		for _, c := range listAt(got, "claims") {
			if at(c, "claim") == "deadlock-free" && at(c, "verdict") != "proved" {
				t.Errorf("seed %d: %v", seed, c)
			}
		}
		count[fmt.Sprint(got["priorities"])]++
	}
	if count["2"] == 0 || count["3"]+count["4"] == 0 {
		t.Errorf("cases %v: too one-sided", count)
	}
	t.Log(count)
}
