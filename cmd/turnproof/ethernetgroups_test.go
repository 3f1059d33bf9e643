package main

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// This file tests priority groups that hold frames of several queues, and maps of PFC priorities to groups.

// identityWith returns the map of 8 classes to themselves, with changes: pairs of a class and its value.
func identityWith(pairs ...int) []int {
	m := []int{0, 1, 2, 3, 4, 5, 6, 7}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

// ringEthernet is a ring of 4 switches with a host prefix each: frames go up to two hops upwards, or one hop downwards. It deadlocks in each
// priority that is lossless everywhere.
func ringEthernet() *drawnEthernet {
	f := &drawnEthernet{n: 4, homes: map[netip.Prefix][]int{}}
	for u := range f.n {
		f.cables = append(f.cables, [4]int{u, 1, (u + 1) % f.n, 2})
		f.routes = append(f.routes, map[netip.Prefix][]int{})
	}
	for u := range f.n {
		p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(u), 0}), 24)
		f.homes[p] = []int{u}
		for far, port := range []int{1, 1, 2} {
			f.routes[(u+f.n-far-1)%f.n][p] = []int{port}
		}
	}
	return f
}

// ringPorts returns equal maps for all ports of ringEthernet, as the function says for a switch and port.
func ringPorts(f *drawnEthernet, port func(u int, name string) drawnPort) []*drawnQoS {
	list := make([]*drawnQoS, f.n)
	for u := range list {
		list[u] = &drawnQoS{port: map[string]drawnPort{}, peer: -1}
		for _, name := range []string{"host", "swp1", "swp2"} {
			list[u].port[name] = port(u, name)
		}
	}
	return list
}

// wrongWord returns the verdict that the judge excludes.
func wrongWord(t *testing.T, dir string, list []*drawnQoS) string {
	t.Helper()
	if hasCycle(judgeQoS(judgeEthernet(t, dir), list, false, -1)) {
		return "PROVED     deadlock-free"
	}
	return "REFUTED    deadlock-free"
}

// TestSharedGroups checks rings where a group holds frames that it does not stop, and where priorities have other groups.
func TestSharedGroups(t *testing.T) {
	plain := drawnPort{tc: identityWith(), queue: identityWith(), group: identityWith(), stop: identityWith(), on: [8]bool{3: true}}
	for _, c := range []struct {
		name string
		port func(u int, name string) drawnPort
		want string
	}{
		{"plain", func(int, string) drawnPort { return plain }, "REFUTED "},
		{"classes 3 and 4 in group 3, and queue 3 has one of them", func(u int, _ string) drawnPort {
			p := plain
			p.group, p.queue = identityWith(4, 3), identityWith()
			if u >= 2 {
				p.queue = identityWith(3, 4, 4, 3)
			}
			return p
		}, ""},
		{"PFC 3 is for group 4", func(int, string) drawnPort {
			p := plain
			p.group, p.toGroup = identityWith(3, 4, 4, 3), identityWith(3, 4, 4, 3)
			return p
		}, "REFUTED "},
		{"PFC 3 is for group 5, and group 3 is another", func(int, string) drawnPort {
			p := plain
			p.group, p.toGroup = identityWith(3, 5, 5, 0, 6, 3), identityWith(3, 5, 5, 3)
			return p
		}, "REFUTED "},
		{"PFC 3 is for a group of a class that waits nowhere", func(int, string) drawnPort {
			p := plain
			p.toGroup = identityWith(3, 5, 5, 3)
			return p
		}, "PROVED     deadlock-free"},
	} {
		f, dir := ringEthernet(), t.TempDir()
		f.writeKinds(t, dir, "zebra lldp")
		list := ringPorts(f, c.port)
		writeQoS(t, dir, f, list)
		stdout, stderr, _ := turnproof(t, "check", dir)
		if wrong := wrongWord(t, dir, list); !strings.Contains(stdout, c.want) || strings.Contains(stdout, wrong) {
			t.Errorf("%s: want %s, not %s\n%s%s", c.name, c.want, wrong, stdout, stderr)
		}
	}
}

// TestUnmappedPriorities checks that an enabled priority without an entry makes the verdict doubtful.
func TestUnmappedPriorities(t *testing.T) {
	p := drawnPort{tc: identityWith(), queue: identityWith(), group: identityWith(), stop: identityWith(), on: [8]bool{3: true}, toGroup: []int{0, 1, 2}}
	f, dir := ringEthernet(), t.TempDir()
	f.writeKinds(t, dir, "zebra lldp")
	writeQoS(t, dir, f, ringPorts(f, func(int, string) drawnPort { return p }))
	if stdout, stderr, _ := turnproof(t, "check", dir); !strings.Contains(stdout, "UNDECIDED  deadlock-free  pfc_to_pg_map has no entry for priority 3") {
		t.Errorf("%s%s", stdout, stderr)
	}
}

// TestLongPortTable checks that config_db.json with a long table of ports before the maps is not left out.
func TestLongPortTable(t *testing.T) {
	f, dir := ringEthernet(), t.TempDir()
	f.writeKinds(t, dir, "zebra lldp")
	p := drawnPort{tc: identityWith(), queue: identityWith(), group: identityWith(), stop: identityWith(), on: [8]bool{3: true}}
	writeQoS(t, dir, f, ringPorts(f, func(int, string) drawnPort { return p }))
	ports := []string{}
	for i := range 100 {
		ports = append(ports, fmt.Sprintf("\n  \"Ethernet%d\": {\"lanes\": \"%d\", \"alias\": \"etp%d\", \"mtu\": \"9100\"}", i, i, i))
	}
	for u := range f.n {
		change(t, fmt.Sprintf("%s/sw%d/config_db.json", dir, u), "{", "{ \"PORT\": {"+strings.Join(ports, ",")+"},\n")
	}
	if stdout, stderr, _ := turnproof(t, "check", dir); !strings.Contains(stdout, "lossless priorities: priorities 3:") {
		t.Errorf("%s%s", stdout, stderr)
	}
}

// TestTurnedFrames checks frames that go back by the cable by which they came, and may be dropped there.
func TestTurnedFrames(t *testing.T) {
	plain := drawnPort{tc: identityWith(), queue: identityWith(), group: identityWith(), stop: identityWith(), on: [8]bool{3: true}}
	f, dir := ringEthernet(), t.TempDir()
	p := netip.MustParsePrefix("10.0.2.0/24")
	f.routes[0][p], f.routes[1][p] = []int{1}, []int{1, 2} // a circle of two switches
	f.writeKinds(t, dir, "zebra lldp")
	list := ringPorts(f, func(u int, name string) drawnPort {
		q := plain
		if u == 1 && name == "swp2" {
			q.tc, q.group = identityWith(3, 5), identityWith(5, 3)
		}
		return q
	})
	writeQoS(t, dir, f, list)
	stdout, stderr, _ := turnproof(t, "check", dir)
	simulated, _, _ := turnproof(t, "check", dir, "--simulate")
	if strings.Contains(simulated, "UNDECIDED  deadlock-free") && strings.Contains(simulated, "deadlock reached in") &&
		!strings.Contains(simulated, "the doubt about deadlock-free is about this deadlock, too") {
		t.Errorf("no caveat about the simulation:\n%s", simulated)
	}
	if wrong := wrongWord(t, dir, list); !strings.Contains(stdout, "  deadlock-free") || strings.Contains(stdout, wrong) {
		t.Errorf("not %s\n%s%s", wrong, stdout, stderr)
	}
}

// TestRandomGroups compares verdicts with the judge on rings whose ports differ in maps and priorities.
func TestRandomGroups(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 78))
		odd := []int{4, 8, 16}[r.IntN(3)]
		f, dir := ringEthernet(), t.TempDir()
		f.writeKinds(t, dir, "zebra lldp")
		shared, swapped := r.IntN(3) == 0, identityWith(3, 4, 4, 3)
		list := ringPorts(f, func(int, string) drawnPort {
			p := drawnPort{tc: identityWith(), queue: identityWith(), group: identityWith(), stop: identityWith(), on: [8]bool{3: true, 4: true}}
			if shared {
				p.group, p.on[4] = identityWith(4, 3), false
			}
			for _, m := range []*[]int{&p.tc, &p.queue, &p.toGroup} {
				if r.IntN(odd) == 0 {
					*m = slices.Clone(swapped)
				}
			}
			if r.IntN(odd) == 0 {
				p.tc = identityWith(3, 0)
			}
			if r.IntN(odd) == 0 {
				p.on[3] = false
			}
			return p
		})
		writeQoS(t, dir, f, list)
		stdout, stderr, code := turnproof(t, "check", dir, "--json")
		if stdout == "" {
			t.Fatalf("seed %d: exit status %d, %s", seed, code, stderr)
		}
		free := fmt.Sprint(valid(t, "check.json", stdout)["deadlock_free"])
		truth := judgeEthernet(t, dir)
		want := decided(judgeQoS(truth, list, false, -1), judgeQoS(truth, list, true, -1))
		if free != want && !(free == "<nil>" && want == "true") {
			t.Errorf("seed %d: deadlock_free is %s, and %s by the judge", seed, free, want)
		}
		count[free+" for "+want]++
	}
	if count["true for true"] < 24 || count["false for false"] < 2 {
		t.Errorf("verdicts %v: too few are decided", count)
	}
	t.Log(count)
}
