package main

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// This file tests circles of frames over cables where frames are dropped.

// losslessPort has PFC of priority 3, and all maps to themselves.
func losslessPort() drawnPort {
	return drawnPort{tc: identityWith(), queue: identityWith(), group: identityWith(), stop: identityWith(), on: [8]bool{3: true}}
}

// TestCableWithoutPFC checks that a ring is proved if one of its cables has no PFC, at one end or at both.
func TestCableWithoutPFC(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ off, want string }{
		{"", "REFUTED    deadlock-free"}, {"0:swp1", "PROVED     deadlock-free"}, {"1:swp2", "PROVED     deadlock-free"},
		{"0:swp1 1:swp2", "PROVED     deadlock-free"},
	} {
		f, dir := ringEthernet(), t.TempDir()
		f.writeKinds(t, dir, "zebra lldp")
		writeQoS(t, dir, f, ringPorts(f, func(u int, name string) drawnPort {
			p := losslessPort()
			p.on[3] = c.off == "" || !strings.Contains(c.off, fmt.Sprint(u, ":", name))
			return p
		}))
		stdout, stderr, _ := turnproof(t, "check", dir)
		if !strings.Contains(stdout, c.want) {
			t.Errorf("without PFC at %q: want %s\n%s%s", c.off, c.want, stdout, stderr)
		}
		if c.off == "" {
			continue
		}
		page := filepath.Join(t.TempDir(), "page.html")
		_, stderr, _ = turnproof(t, "report", dir, "-o", page)
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "leads over a hop where frames do not wait") {
			t.Errorf("without PFC at %q: the page does not say what the circle is (%v): %s", c.off, err, stderr)
		}
	}
}

// leafRing is a clockwise ring of 4 switches with a leaf each. Every switch has hosts, and no cable of a leaf has PFC.
func leafRing() (f *drawnEthernet, list []*drawnQoS) {
	f = &drawnEthernet{n: 8, homes: map[netip.Prefix][]int{}}
	for u := range 8 {
		f.routes = append(f.routes, map[netip.Prefix][]int{})
		f.homes[netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(u), 0}), 24)] = []int{u}
		ports := map[string]drawnPort{}
		for _, name := range []string{"host", "swp1", "swp2", "swp3"} {
			ports[name] = losslessPort()
		}
		off := ports["swp3"]
		off.on[3] = false
		ports["swp3"] = off
		list = append(list, &drawnQoS{port: ports, peer: -1})
	}
	for u := range 4 {
		f.cables = append(f.cables, [4]int{u, 1, (u + 1) % 4, 2}, [4]int{u, 3, u + 4, 3})
	}
	for p, homes := range f.homes {
		for u := range 8 {
			switch home := homes[0]; {
			case u == home:
			case u >= 4 || home == u+4:
				f.routes[u][p] = []int{3}
			default:
				f.routes[u][p] = []int{1}
			}
		}
	}
	return f, list
}

// TestStatedFrames checks a ring that frames close which were lossless on all hops, and then the frames alone that may have been dropped before:
// these leave the verdict open.
func TestStatedFrames(t *testing.T) {
	f, list := leafRing()
	dir := t.TempDir()
	f.writeKinds(t, dir, "zebra lldp")
	writeQoS(t, dir, f, list)
	flows := func(from, to int) string {
		var words []string
		for u := from; u < to; u++ {
			for v := from; v < to; v++ {
				if u != v {
					words = append(words, fmt.Sprintf("10.0.%d.0/24:10.0.%d.0/24", u, v))
				}
			}
		}
		return "--flows=" + strings.Join(words, ",")
	}
	for _, c := range []struct{ flag, want string }{
		{"--waiting=one", "REFUTED"}, {"--waiting=any", "REFUTED"}, {flows(0, 4), "REFUTED"}, {flows(4, 8), "UNDECIDED"},
		{"--flows=10.0.4.0/24:10.0.5.0/24", "PROVED"},
	} {
		stdout, stderr, _ := turnproof(t, "check", dir, c.flag)
		if !strings.Contains(stdout, fmt.Sprintf("\n%-10s deadlock-free", c.want)) {
			t.Errorf("%s: want %s\n%s%s", c.flag, c.want, stdout, stderr)
		}
	}
}

// TestLongWays checks frames that take 34 hops without PFC, beside switches on no path whose routes form a loop.
func TestLongWays(t *testing.T) {
	const n = 36
	f, list := &drawnEthernet{n: n + 2, homes: map[netip.Prefix][]int{}}, []*drawnQoS{}
	first, last := netip.MustParsePrefix("10.0.0.0/24"), netip.MustParsePrefix("10.0.1.0/24")
	f.homes[first], f.homes[last] = []int{0}, []int{n - 1}
	for u := range f.n {
		f.routes = append(f.routes, map[netip.Prefix][]int{})
		off := losslessPort()
		off.on[3] = false
		list = append(list, &drawnQoS{port: map[string]drawnPort{"host": losslessPort(), "swp1": off, "swp2": off}, peer: -1})
		if u > 0 {
			f.cables = append(f.cables, [4]int{u - 1, 1, u, 2})
		}
		if u < n {
			f.routes[u][first], f.routes[u][last] = []int{2}, []int{1}
		}
	}
	delete(f.routes[0], first)
	delete(f.routes[n-1], last)
	f.routes[n][last], f.routes[n+1][last] = []int{1}, []int{2}
	dir := t.TempDir()
	f.writeKinds(t, dir, "zebra lldp")
	writeQoS(t, dir, f, list)
	stdout, stderr, _ := turnproof(t, "check", dir)
	for _, want := range []string{"PROVED     deadlock-free", "PROVED     connected", "PROVED     livelock-free"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("want %s\n%s%s", want, stdout, stderr)
		}
	}
}

// TestRandomCablesWithoutPFC compares verdicts with the judge on random fabrics where some ports have no PFC.
func TestRandomCablesWithoutPFC(t *testing.T) {
	t.Parallel()
	cases := longtest.Cases(30, 2000)
	count := map[string]int{}
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 79))
		f, _, _ := drawDual(r, false)
		dir := t.TempDir()
		f.writeKinds(t, dir, "zebra lldp")
		list, odd := make([]*drawnQoS, f.n), 2+r.IntN(8)
		for u := range list {
			list[u] = &drawnQoS{port: map[string]drawnPort{"host": losslessPort()}, peer: -1}
		}
		for _, c := range f.cables {
			for _, end := range [][2]int{{c[0], c[1]}, {c[2], c[3]}} {
				p := losslessPort()
				p.on[3] = r.IntN(odd) > 0
				list[end[0]].port[fmt.Sprint("swp", end[1])] = p
			}
		}
		writeQoS(t, dir, f, list)
		truth := judgeEthernet(t, dir)
		want := decided(judgeQoS(truth, list, false, -1), judgeQoS(truth, list, true, -1))
		stdout, stderr, code := turnproof(t, "check", dir, "--json", "--assume", "outside,dumps")
		if stdout == "" {
			t.Fatalf("seed %d: exit status %d, %s", seed, code, stderr)
		}
		free := fmt.Sprint(valid(t, "check.json", stdout)["deadlock_free"])
		if count[free+" for "+want]++; free != want && !(free == "<nil>" && want == "true") {
			t.Errorf("seed %d: deadlock_free is %s, and %s by the judge", seed, free, want)
		}
	}
	if count["<nil> for true"] > cases/20 || count["true for true"] < cases/6 || count["false for false"] < cases/20 {
		t.Errorf("verdicts %v: too few are decided", count)
	}
	t.Log(count)
}
