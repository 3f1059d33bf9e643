package main

import (
	"fmt"
	"math/rand/v2"
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
	}
}

// TestRandomCablesWithoutPFC compares verdicts with the judge on random fabrics where some ports have no PFC.
func TestRandomCablesWithoutPFC(t *testing.T) {
	cases := longtest.Cases(60, 2000)
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
