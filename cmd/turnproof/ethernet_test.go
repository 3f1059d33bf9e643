package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file compares check with the judge of Ethernet folders: on snapshots of labs of real routers, if TURNPROOF_ROCE names a folder
// of them, and on random fabrics.

// graphOf returns the channels and dependencies between switches of a folder, written as in dependencies.csv.
func graphOf(t *testing.T, dir string) (channels, dependencies map[string]bool) {
	t.Helper()
	in, err := resolve.Load(context.Background(), resolve.Request{Network: dir, NeedsRouting: true})
	if err != nil {
		t.Fatal(err)
	}
	g, err := cdg.Build(context.Background(), in.Rel)
	if err != nil {
		t.Fatal(err)
	}
	n := in.Net
	name := func(v model.VCID) string {
		c, _ := n.Channel(v)
		return fmt.Sprintf("%s:%s>%s:%s", n.SwitchName(n.Tail(c)), n.PortName(n.Tail(c), n.TailPort(c)), n.SwitchName(n.Head(c)),
			n.PortName(n.Head(c), n.HeadPort(c)))
	}
	isHosts := func(text string) bool { return strings.Contains(text, "/") } // a switch that stands for a host prefix
	channels, dependencies = map[string]bool{}, map[string]bool{}
	for v := range model.VCID(n.NumLinkVCs()) {
		if g.Used(v) && !isHosts(name(v)) {
			channels[name(v)] = true
		}
		for _, w := range g.Next(v) {
			if text := name(v) + "," + name(w); !isHosts(text) {
				dependencies[text] = true
			}
		}
	}
	return channels, dependencies
}

// agreeWithJudge compares check with the judge on a folder.
func agreeWithJudge(t *testing.T, dir string, isMultihomed bool) *etherTruth {
	t.Helper()
	want := judgeEthernet(t, dir)
	stdout, stderr, code := turnproof(t, "check", dir, "--json", "--assume", "outside,dumps")
	if stdout == "" {
		t.Fatalf("%s: exit status %d, %s", dir, code, stderr)
	}
	got := valid(t, "check.json", stdout)
	channels, dependencies := graphOf(t, dir)
	if d := cmp.Diff(want.channels, channels) + cmp.Diff(want.dependencies, dependencies); d != "" {
		t.Errorf("%s: channels and dependencies, judge and program:\n%s", dir, d)
	}
	cycle := want.shortestCycle()
	for key, w := range map[string]any{
		"pairs": want.pairs, "unreachable_pairs": want.lost, "pathless_pairs": want.pathless, "deadlock_free": cycle == 0,
		"connected": want.lost == 0, "livelock_free": !want.circling,
	} {
		if fmt.Sprint(got[key]) != fmt.Sprint(w) {
			t.Errorf("%s: %s is %v, and %v by the judge", dir, key, got[key], w)
		}
	}
	if n := len(got["cycle"].([]any)); n != cycle {
		t.Errorf("%s: a cycle of %d, and %d by the judge", dir, n, cycle)
	}
	if !isMultihomed && fmt.Sprint(got["dependencies"]) != fmt.Sprint(len(want.dependencies)) {
		t.Errorf("%s: %v dependencies, and %d by the judge", dir, got["dependencies"], len(want.dependencies))
	}
	return want
}

// TestLabs compares the verdicts about labs of real routers with their truth, and with the judge.
func TestLabs(t *testing.T) {
	root := os.Getenv("TURNPROOF_ROCE")
	if root == "" {
		t.Skip("TURNPROOF_ROCE names no folder of labs")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no lab in %s (%v)", root, err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) { compareLab(t, dir, file) })
	}
}

// compareLab compares one lab.
func compareLab(t *testing.T, dir, file string) {
	var truth struct {
		Pairs, Channels, Dependencies int
		Cyclic                        bool
		Cycle                         int `json:"shortest_cycle_length"`
		Unreachable                   []string
		Some                          []string `json:"pairs_with_a_dropping_or_circling_choice"`
		Valleys                       *int64   `json:"valley_paths"`
		ValleyPairs                   *int64   `json:"pairs_with_valley_paths"`
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	e := agreeWithJudge(t, filepath.Join(dir, "dumps"), false)
	if got := [...]int{e.pairs, len(e.channels), len(e.dependencies), e.shortestCycle(), e.pathless, e.lost}; got != [...]int{truth.Pairs, truth.Channels,
		truth.Dependencies, truth.Cycle, len(truth.Unreachable), len(truth.Unreachable) + len(truth.Some)} {
		t.Errorf("pairs, channels, dependencies, cycle, pathless, lost: %v, truth %+v", got, truth)
	}
	stdout, _, _ := turnproof(t, "check", filepath.Join(dir, "dumps"), "--json")
	var got struct {
		Ethernet struct {
			Paths *int64 `json:"valley_paths"`
			Pairs *int64 `json:"pairs_with_valley_paths"`
		}
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(truth.Valleys, got.Ethernet.Paths) + cmp.Diff(truth.ValleyPairs, got.Ethernet.Pairs); d != "" {
		t.Errorf("valley paths, and pairs with them: %s", d)
	}
	list, err := os.Open(filepath.Join(dir, "dependencies.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = list.Close() }()
	rows, err := csv.NewReader(list).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, r := range rows[1:] {
		want[r[0]+","+r[1]] = true
	}
	if d := cmp.Diff(want, e.dependencies); d != "" {
		t.Error(d)
	}
}

// TestRandomEthernet compares check with the judge on random fabrics: parallel cables, failed links, wrong next hops, loops, routes that
// drop, longer and shorter prefixes, host prefixes at two switches.
func TestRandomEthernet(t *testing.T) {
	t.Parallel()
	cyclic, lost, circling := 0, 0, 0
	cases := longtest.Cases(30, 2000)
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 50))
		f := drawEthernet(r)
		dir := f.write(t, r)
		e := agreeWithJudge(t, dir, f.multihomed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		if e.shortestCycle() > 0 {
			cyclic++
		}
		if e.lost > 0 {
			lost++
		}
		if e.circling {
			circling++
		}
	}
	if cyclic < cases/10 || cyclic > cases*9/10 || lost < cases/10 || lost == cases || circling < cases/20 {
		t.Errorf("of %d fabrics %d deadlock, %d lose frames, %d circle: too few to tell", cases, cyclic, lost, circling)
	}
}

// drawnEthernet is a random fabric.
type drawnEthernet struct {
	by         string // the protocol of the routes; if empty, bgp
	n          int
	cables     [][4]int // switch, port, switch, port
	homes      map[netip.Prefix][]int
	routes     []map[netip.Prefix][]int // by switch: ports; -1 drops
	loopbacks  []int                    // switches with an address 10.254.0.N
	multihomed bool
	aggregates map[netip.Prefix]map[int]bool // of BGP, by prefix and switch: true if summary-only
}

// drawEthernet draws a fabric.
func drawEthernet(r *rand.Rand) *drawnEthernet {
	f := &drawnEthernet{n: 3 + r.IntN(5), homes: map[netip.Prefix][]int{}}
	ports := make([]int, f.n)
	join := func(a, b int) {
		ports[a]++
		ports[b]++
		f.cables = append(f.cables, [4]int{a, ports[a], b, ports[b]})
	}
	for u := 1; u < f.n; u++ {
		join(u, r.IntN(u))
	}
	for range r.IntN(f.n + 2) {
		if a, b := r.IntN(f.n), r.IntN(f.n); a != b {
			join(a, b)
		}
	}
	prefix := func(i, bits int) netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(i), 0}), bits)
	}
	for u := range f.n {
		for k := range 1 + r.IntN(2) {
			if r.IntN(4) > 0 || u < 2 {
				f.homes[prefix(2*u+k, 24)] = []int{u}
			}
		}
	}
	if r.IntN(4) == 0 {
		v := r.IntN(f.n - 1)
		f.homes[prefix(200, 24)], f.multihomed = []int{v, v + 1}, true
	}
	for range f.n {
		f.routes = append(f.routes, map[netip.Prefix][]int{})
	}
	for _, p := range sortedPrefixes(f.homes) {
		f.draw(r, p, f.homes[p])
		if r.IntN(6) == 0 { // a longer prefix with routes of its own
			q := netip.PrefixFrom(p.Addr(), 25+r.IntN(8))
			f.draw(r, q, f.homes[p])
			for _, u := range f.homes[p] {
				delete(f.routes[u], q)
			}
		}
	}
	switch p := prefix(0, 12+r.IntN(5)); r.IntN(4) {
	case 0: // a shorter one, as for a summary
		f.draw(r, p, []int{r.IntN(f.n)})
	case 1: // hosts in it, as behind a firewall
		v := r.IntN(f.n)
		f.homes[p] = []int{v}
		if v > 0 && r.IntN(2) == 0 {
			f.homes[p], f.multihomed = []int{v - 1, v}, true
		}
		f.draw(r, p, f.homes[p])
	}
	return f
}

// draw draws routes to a prefix: shortest paths over the cables that are left, and some wrong next hops.
func (f *drawnEthernet) draw(r *rand.Rand, p netip.Prefix, homes []int) {
	far := make([]int, f.n)
	for u := range far {
		far[u] = f.n
	}
	for _, u := range homes {
		far[u] = 0
	}
	isUp := make([]bool, len(f.cables))
	for i := range isUp {
		isUp[i] = r.IntN(8) > 0
	}
	for range f.n {
		for i, c := range f.cables {
			if isUp[i] {
				far[c[0]], far[c[2]] = min(far[c[0]], far[c[2]]+1), min(far[c[2]], far[c[0]]+1)
			}
		}
	}
	for u := range f.n {
		var list []int
		for i, c := range f.cables {
			for _, side := range [][3]int{{c[0], c[1], c[2]}, {c[2], c[3], c[0]}} {
				if side[0] == u && !slices.Contains(homes, u) && (isUp[i] && far[side[2]] < far[u] || r.IntN(25) == 0) {
					list = append(list, side[1])
				}
			}
		}
		switch {
		case slices.Contains(homes, u) || r.IntN(40) == 0:
			list = nil
		case r.IntN(30) == 0:
			list = append(list[:0], -1)
		}
		if list != nil {
			f.routes[u][p] = list
		}
	}
}

// write writes the dumps of a fabric, of kinds that are drawn.
func (f *drawnEthernet) write(t *testing.T, r *rand.Rand) string {
	t.Helper()
	dir := t.TempDir()
	f.writeKinds(t, dir, []string{"zebra", "kernel", "zebra kernel"}[r.IntN(3)]+[]string{" lldp", " addresses", " lldp addresses"}[r.IntN(3)])
	return dir
}

// writeKinds writes dumps of the given kinds.
func (f *drawnEthernet) writeKinds(t *testing.T, dir, kinds string) {
	t.Helper()
	for u := range f.n {
		sub := filepath.Join(dir, fmt.Sprintf("sw%d", u))
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, k := range []struct {
			kind, file string
			content    func(u int) any
		}{{"zebra", "show_ip_route.json", f.zebra}, {"kernel", "ip_route.json", f.kernel}, {"addresses", "ip_addr.json", f.addresses}, {"lldp", "lldp.json", f.lldp}} {
			if !strings.Contains(kinds, k.kind) {
				continue
			}
			text, err := json.Marshal(k.content(u))
			if err == nil {
				err = os.WriteFile(filepath.Join(sub, k.file), append(text, '\n'), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// vlanOf returns the interface of a host prefix.
func vlanOf(p netip.Prefix) string {
	if p.Bits() < 24 {
		return "vlan999"
	}
	return fmt.Sprint("vlan", p.Addr().As4()[2])
}

// cable returns address, port and far end of each cable of a switch.
func (f *drawnEthernet) cable(u int, visit func(port int, own, other string, v, farPort int)) {
	for i, c := range f.cables {
		a, b := fmt.Sprintf("10.255.%d.%d", i/128, i%128*2), fmt.Sprintf("10.255.%d.%d", i/128, i%128*2+1)
		if c[0] == u {
			visit(c[1], a, b, c[2], c[3])
		}
		if c[2] == u {
			visit(c[3], b, a, c[0], c[1])
		}
	}
}

func sortedPrefixes(m map[netip.Prefix][]int) []netip.Prefix {
	return slices.SortedFunc(mapKeys(m), func(a, b netip.Prefix) int { return a.Addr().Compare(b.Addr()) })
}

type object = map[string]any

func (f *drawnEthernet) gateways(u int) map[int]string {
	list := map[int]string{}
	f.cable(u, func(port int, _, other string, _, _ int) { list[port] = other })
	return list
}

// dropsBy returns the protocol of a route that drops.
func (f *drawnEthernet) dropsBy(u int, p netip.Prefix) string {
	if _, isAggregate := f.aggregates[p][u]; isAggregate {
		return "bgp"
	}
	return "static"
}

func (f *drawnEthernet) zebra(u int) any {
	doc := object{}
	gateway := f.gateways(u)
	route := func(p, protocol string, hops []any) {
		doc[p] = []any{object{"prefix": p, "protocol": protocol, "selected": true, "nexthops": hops, "vrfName": "default"}}
	}
	for _, p := range sortedPrefixes(f.routes[u]) {
		list := f.routes[u][p]
		var hops []any
		protocol := "bgp"
		if f.by != "" {
			protocol = f.by
		}
		for _, port := range list {
			if port < 0 {
				protocol = f.dropsBy(u, p)
				hops = append(hops, object{"fib": true, "unreachable": true, "blackhole": true, "active": true})
			} else {
				hops = append(hops, object{"fib": true, "ip": gateway[port], "interfaceName": fmt.Sprint("swp", port), "active": true})
			}
		}
		route(p.String(), protocol, hops)
	}
	for _, p := range sortedPrefixes(f.homes) {
		homes := f.homes[p]
		if slices.Contains(homes, u) {
			route(p.String(), "connected", []any{object{"fib": true, "directlyConnected": true, "interfaceName": vlanOf(p)}})
		}
	}
	if slices.Contains(f.loopbacks, u) {
		route(fmt.Sprintf("10.254.0.%d/32", u), "connected", []any{object{"fib": true, "directlyConnected": true, "interfaceName": "lo"}})
	}
	f.cable(u, func(port int, own, _ string, _, _ int) {
		p := netip.PrefixFrom(netip.MustParseAddr(own), 31).Masked().String()
		route(p, "connected", []any{object{"fib": true, "directlyConnected": true, "interfaceName": fmt.Sprint("swp", port)}})
	})
	return doc
}

func (f *drawnEthernet) kernel(u int) any {
	doc := []any{}
	gateway := f.gateways(u)
	for _, p := range sortedPrefixes(f.routes[u]) {
		list := f.routes[u][p]
		var hops []any
		for _, port := range list {
			if port < 0 {
				doc = append(doc, object{"type": "blackhole", "dst": p.String(), "protocol": f.dropsBy(u, p), "flags": []any{}})
			} else {
				hops = append(hops, object{"gateway": gateway[port], "dev": fmt.Sprint("swp", port), "flags": []any{}})
			}
		}
		if hops != nil {
			doc = append(doc, object{"dst": p.String(), "nexthops": hops, "flags": []any{}})
		}
	}
	for _, p := range sortedPrefixes(f.homes) {
		homes := f.homes[p]
		if slices.Contains(homes, u) {
			doc = append(doc, object{"dst": p.String(), "dev": vlanOf(p), "scope": "link", "flags": []any{}})
		}
	}
	f.cable(u, func(port int, own, _ string, _, _ int) {
		doc = append(doc, object{"dst": netip.PrefixFrom(netip.MustParseAddr(own), 31).Masked().String(), "dev": fmt.Sprint("swp", port), "flags": []any{}})
	})
	return doc
}

func (f *drawnEthernet) addresses(u int) any {
	doc := []any{}
	add := func(name, addr string, bits int) {
		doc = append(doc, object{"ifindex": len(doc) + 1, "ifname": name, "operstate": "UP", "address": "02:00:00:00:00:01",
			"addr_info": []any{object{"family": "inet", "local": addr, "prefixlen": bits}}})
	}
	for _, p := range sortedPrefixes(f.homes) {
		homes := f.homes[p]
		if slices.Contains(homes, u) {
			add(vlanOf(p), p.Addr().Next().String(), p.Bits())
		}
	}
	f.cable(u, func(port int, own, _ string, _, _ int) { add(fmt.Sprint("swp", port), own, 31) })
	return doc
}

func (f *drawnEthernet) lldp(u int) any {
	one := func(v any) []any { return []any{object{"value": v}} }
	list := []any{}
	f.cable(u, func(port int, _, _ string, v, farPort int) {
		list = append(list, object{"name": fmt.Sprint("swp", port),
			"chassis": []any{object{"id": []any{object{"type": "mac", "value": fmt.Sprintf("02:00:00:00:01:%02x", v)}}, "name": one(fmt.Sprint("sw", v)),
				"capability": []any{object{"type": "Router", "enabled": true}}}},
			"port": []any{object{"id": []any{object{"type": "ifname", "value": fmt.Sprint("swp", farPort)}}}}})
	})
	return object{"lldp": []any{object{"interface": list}}}
}

// TestLabsFreeze simulates the flows of each loop of the labs until the fabric freezes, and the same fabrics with the rules of priorities.
func TestLabsFreeze(t *testing.T) {
	root := os.Getenv("TURNPROOF_ROCE")
	if root == "" {
		t.Skip("TURNPROOF_ROCE names no folder of labs")
	}
	dirs, err := filepath.Glob(filepath.Join(root, "*", "dumps"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no lab in %s (%v)", root, err)
	}
	frozen := 0
	for _, dir := range dirs {
		isCyclic := judgeEthernet(t, dir).shortestCycle() > 0
		_, stderr, code := turnproof(t, "sim", dir, "--ethernet", "pfc", "--traffic", "cycle")
		if want := map[bool]int{true: 1, false: 2}[isCyclic]; code != want {
			t.Errorf("%s: exit status %d, want %d; %s", dir, code, want, stderr)
		}
		if code == 1 {
			frozen++
		}
		out := filepath.Join(t.TempDir(), "new")
		turnproof(t, "priorities", dir, "--sonic", out)
		for _, seed := range []string{"1", "2", "3"} {
			stdout, stderr, code := turnproof(t, "sim", out, "--ethernet", "pfc,flows=16,servers=8,ms=20", "--seed", seed)
			if code != 0 || !strings.Contains(stdout, " 0 lost") {
				t.Errorf("%s with the rules, seed %s: exit status %d\n%s%s", dir, seed, code, stdout, stderr)
			}
		}
	}
	t.Logf("%d of %d labs freeze", frozen, len(dirs))
}
