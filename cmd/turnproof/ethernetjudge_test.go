package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This file is a judge of folders with dumps of Ethernet switches. It reads the dumps with encoding/json, finds the longest prefix by
// trying all routes, and walks each pair of host prefixes. It shares no code with the program.
//
// It knows less than the program: ports are interfaces, hosts are the prefixes of vlan and Vlan interfaces.

// judgedSwitch is what the dumps of a switch state.
type judgedSwitch struct {
	name   string
	routes map[netip.Prefix][]string // the interfaces of the next hops
	homes  map[netip.Prefix]bool     // connected prefixes with hosts
	drops  map[netip.Prefix]bool     // some next hop drops
	peer   map[string][2]string      // by interface: switch and interface at the other end
}

// etherTruth is what the judge finds. Channels and dependencies are written as in dependencies.csv.
type etherTruth struct {
	switches               map[string]*judgedSwitch
	pairs                  int
	channels, dependencies map[string]bool
	next                   map[string][]string
	pathless, lost         int // pairs none of whose choices arrive; pairs some of whose choices do not
	circling               bool
}

// readJSON decodes a file, compressed or not. It returns nil if there is none.
func readJSON(t testing.TB, path string) any {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		if file, err = os.Open(path + ".gz"); err != nil {
			return nil
		}
	}
	defer func() { _ = file.Close() }()
	var r io.Reader = file
	if strings.HasSuffix(file.Name(), ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	var v any
	if err := json.NewDecoder(r).Decode(&v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

// at follows keys and indices into a JSON value.
func at(v any, path ...any) any {
	for _, k := range path {
		switch k := k.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				return nil
			}
			v = l[k]
		}
	}
	return v
}

func listAt(v any, path ...any) []any {
	l, _ := at(v, path...).([]any)
	return l
}

// judgeEthernet judges a folder with a subfolder for each switch.
func judgeEthernet(t testing.TB, dir string) *etherTruth {
	t.Helper()
	e := &etherTruth{switches: map[string]*judgedSwitch{}, channels: map[string]bool{}, dependencies: map[string]bool{}, next: map[string][]string{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range entries {
		sw := &judgedSwitch{x.Name(), map[netip.Prefix][]string{}, map[netip.Prefix]bool{}, map[netip.Prefix]bool{}, map[string][2]string{}}
		e.switches[x.Name()] = sw
		sw.readRoutes(t, filepath.Join(dir, x.Name()))
		sw.readLLDP(t, filepath.Join(dir, x.Name()))
	}
	e.shareSubnets(t, dir)
	e.walkAll()
	return e
}

// readRoutes reads the routes of zebra, or else of the kernel.
func (s *judgedSwitch) readRoutes(t testing.TB, dir string) {
	t.Helper()
	add := func(prefix, dev string, isConnected, drops bool) {
		if prefix == "default" {
			prefix = "0.0.0.0/0"
		}
		p := netip.MustParsePrefix(prefix)
		if isConnected && strings.Contains(strings.ToLower(dev), "vlan") {
			s.homes[p] = true
		}
		if _, ok := s.routes[p]; !ok {
			s.routes[p] = nil
		}
		if !isConnected && !drops {
			s.routes[p] = append(s.routes[p], dev)
		}
		s.drops[p] = s.drops[p] || drops || isConnected && !s.homes[p]
	}
	if doc, ok := readJSON(t, filepath.Join(dir, "show_ip_route.json")).(map[string]any); ok {
		for prefix, routes := range doc {
			for _, r := range listAt(routes) {
				for _, h := range listAt(r, "nexthops") {
					if at(r, "selected") == true && at(h, "fib") == true {
						dev, _ := at(h, "interfaceName").(string)
						add(prefix, dev, at(h, "ip") == nil && dev != "", at(h, "blackhole") == true)
					}
				}
			}
		}
		return
	}
	for _, r := range listAt(readJSON(t, filepath.Join(dir, "ip_route.json"))) {
		hops := listAt(r, "nexthops")
		if hops == nil {
			hops = []any{r}
		}
		for _, h := range hops {
			if slices.Contains(listAt(h, "flags"), any("linkdown")) {
				continue
			}
			dev, _ := at(h, "dev").(string)
			add(at(r, "dst").(string), dev, at(h, "gateway") == nil && at(h, "via") == nil && dev != "", at(r, "type") == "blackhole")
		}
	}
}

// readLLDP reads the form json0 of lldpd.
func (s *judgedSwitch) readLLDP(t testing.TB, dir string) {
	t.Helper()
	for _, i := range listAt(readJSON(t, filepath.Join(dir, "lldp.json")), "lldp", 0, "interface") {
		name, _ := at(i, "name").(string)
		other, _ := at(i, "chassis", 0, "name", 0, "value").(string)
		port, _ := at(i, "port", 0, "id", 0, "value").(string)
		if at(i, "port", 0, "id", 0, "type") == "mac" {
			port, _ = at(i, "port", 0, "descr", 0, "value").(string)
		}
		s.peer[name] = [2]string{other, port}
	}
}

// shareSubnets joins the interfaces in one /31, if there is no LLDP.
func (e *etherTruth) shareSubnets(t testing.TB, dir string) {
	t.Helper()
	first := map[netip.Prefix][2]string{}
	for _, name := range slices.Sorted(mapKeys(e.switches)) {
		for _, i := range listAt(readJSON(t, filepath.Join(dir, name, "ip_addr.json"))) {
			for _, a := range listAt(i, "addr_info") {
				if at(a, "prefixlen") != 31.0 || at(i, "operstate") == "DOWN" {
					continue
				}
				p := netip.PrefixFrom(netip.MustParseAddr(at(a, "local").(string)), 31).Masked()
				here := [2]string{name, at(i, "ifname").(string)}
				if there, ok := first[p]; ok {
					e.switches[here[0]].peer[here[1]], e.switches[there[0]].peer[there[1]] = there, here
				}
				first[p] = here
			}
		}
	}
}

func mapKeys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// longest returns the longest prefix of a switch that contains all of p.
func (s *judgedSwitch) longest(p netip.Prefix) (best netip.Prefix, ok bool) {
	for q := range s.routes {
		if q.Bits() <= p.Bits() && q.Contains(p.Addr()) && (!ok || q.Bits() > best.Bits()) {
			best, ok = q, true
		}
	}
	return best, ok
}

// walkAll walks all pairs. Destinations of one host prefix that have the same next hops at all switches are one.
func (e *etherTruth) walkAll() {
	homes := map[netip.Prefix][]string{}
	routed := map[netip.Prefix]bool{}
	for _, name := range slices.Sorted(mapKeys(e.switches)) {
		for p := range e.switches[name].homes {
			homes[p] = append(homes[p], name)
		}
		for p := range e.switches[name].routes {
			routed[p] = true
		}
	}
	for h := range homes {
		known := map[string]bool{}
		for p := range routed {
			if innermost(homes, p) != h {
				continue
			}
			text := ""
			for _, name := range slices.Sorted(mapKeys(e.switches)) {
				q, ok := e.switches[name].longest(p)
				devs := slices.Clone(e.switches[name].routes[q])
				slices.Sort(devs)
				text += fmt.Sprint(name, ok, slices.Compact(devs), e.switches[name].drops[q], e.switches[name].homes[q], ";")
			}
			if known[text] {
				continue
			}
			known[text] = true
			for from, starts := range homes {
				if from != h {
					e.walk(starts, p, homes[h])
				}
			}
		}
	}
}

// innermost returns the longest host prefix that contains all of p.
func innermost(homes map[netip.Prefix][]string, p netip.Prefix) (best netip.Prefix) {
	for h := range homes {
		if h.Bits() <= p.Bits() && h.Contains(p.Addr()) && (!best.IsValid() || h.Bits() > best.Bits()) {
			best = h
		}
	}
	return best
}

// place is where a frame is: at a switch, by a channel or from its host.
type place struct{ sw, by string }

// walk walks one pair over all choices.
func (e *etherTruth) walk(starts []string, to netip.Prefix, ends []string) {
	e.pairs++
	arrives, drops := false, false
	next := map[place][]place{}
	var todo []place
	visit := func(p place) {
		if _, ok := next[p]; !ok {
			next[p] = nil
			todo = append(todo, p)
		}
	}
	for _, s := range starts {
		visit(place{s, ""})
	}
	for len(todo) > 0 {
		here := todo[0]
		todo = todo[1:]
		sw := e.switches[here.sw]
		q, ok := sw.longest(to)
		switch {
		case !ok:
			drops = true
			continue
		case sw.homes[q] && slices.Contains(ends, here.sw):
			arrives = true
			continue
		case sw.homes[q], sw.drops[q]:
			drops = true
		}
		for _, dev := range sw.routes[q] {
			peer, ok := sw.peer[dev]
			if !ok {
				drops = true
				continue
			}
			channel := fmt.Sprintf("%s:%s>%s:%s", here.sw, dev, peer[0], peer[1])
			e.channels[channel] = true
			if here.by != "" && !e.dependencies[here.by+","+channel] {
				e.dependencies[here.by+","+channel] = true
				e.next[here.by] = append(e.next[here.by], channel)
			}
			next[here] = append(next[here], place{peer[0], channel})
			visit(place{peer[0], channel})
		}
	}
	circles := hasCycle(next)
	e.circling = e.circling || circles
	if !arrives {
		e.pathless++
	}
	if !arrives || drops || circles {
		e.lost++
	}
}

// hasCycle removes vertices without successors until none is left.
func hasCycle[K comparable](next map[K][]K) bool {
	left := map[K]bool{}
	for k := range next {
		left[k] = true
	}
	for {
		removed := false
		for k := range left {
			if !slices.ContainsFunc(next[k], func(n K) bool { return left[n] }) {
				delete(left, k)
				removed = true
			}
		}
		if !removed {
			return len(left) > 0
		}
	}
}

// shortestCycle returns the length of the shortest cycle of dependencies, or 0.
func (e *etherTruth) shortestCycle() int {
	best := 0
	for start := range e.channels {
		depth := map[string]int{start: 0}
		for todo := []string{start}; len(todo) > 0; todo = todo[1:] {
			for _, c := range e.next[todo[0]] {
				if _, seen := depth[c]; !seen {
					depth[c] = depth[todo[0]] + 1
					todo = append(todo, c)
				}
				if c == start && (best == 0 || depth[todo[0]]+1 < best) {
					best = depth[todo[0]] + 1
				}
			}
		}
	}
	return best
}
