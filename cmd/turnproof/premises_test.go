package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/verify/smt"
)

// adaptiveProgram is minimal adaptive on VC 0 and negative-first on VC 1. It is deadlock-free if
// buffers hold whole packets, but not under wormhole switching.
const adaptiveProgram = `family = mesh(n, m)
vcs = 2
escape = [1]

def route(cur, dst, inp):
    out = [(a, 0) for a in productive(cur, dst)]
    negative = []
    if dst.x < cur.x: negative.append((W, 1))
    if dst.y < cur.y: negative.append((S, 1))
    if dst.x >= cur.x and dst.y >= cur.y:
        if dst.x > cur.x: negative.append((E, 1))
        if dst.y > cur.y: negative.append((N, 1))
    return out + negative
`

// writeProgram writes adaptiveProgram into a new folder.
func writeProgram(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "esc.star")
	if err := os.WriteFile(file, []byte(adaptiveProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestDisciplinesDiffer checks a routing that is proved for virtual cut-through and refuted for
// wormhole switching. check prints both verdicts, and sim prints a warning.
func TestDisciplinesDiffer(t *testing.T) {
	if !smt.Available() {
		t.Skip("built without Z3")
	}
	file := writeProgram(t)
	// TestDocsPrint runs prove for the same program, from docs/premises.md.
	for _, line := range [][]string{{"check", "mesh:4x4", "-r", file}} {
		stdout, stderr, code := turnproof(t, line...)
		if code != cli.ExitRefuted {
			t.Errorf("%v: exit status %d, want 1; %s", line, code, stderr)
		}
		for _, want := range []string{"PROVED     deadlock-free  vct, saf: ", "REFUTED    deadlock-free  wormhole: "} {
			if !strings.Contains(stdout, want) {
				t.Errorf("%v does not print %q", line, want)
			}
		}
	}
	_, stderr, _ := turnproof(t, "sim", "mesh:4x4", "-r", file, "--load", "0.1", "--clocks", "1000")
	if !strings.Contains(stderr, "warning: the routing is proved deadlock-free under vct, saf, but the proof does not cover this run under wormhole") {
		t.Errorf("sim does not warn: %q", stderr)
	}
	if _, stderr, _ := turnproof(t, "sim", "mesh:4x4", "-r", file, "--load", "0.1", "--clocks", "1000", "--switching", "vct"); stderr != "" {
		t.Errorf("sim warns of a run that the proof covers: %q", stderr)
	}
}

// drawnRun returns random arguments that check and sim share.
func drawnRun(r *rand.Rand, program string) (args []string) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	network := pick("mesh:3x3,vcs=2", "mesh:4x4", "torus:4x4", "torus:4x4,vcs=2", "torus:3x3,vcs=3", "ring:5,vcs=2", "hypercube:3", "complete:5",
		fmt.Sprintf("random:switches=9,degree=3,seed=%d", 1+r.IntN(9)))
	routing := pick("minimal", "dor", "west-first", "odd-even", "updown", "lturn-alpha", "turn-addition", "duato", "simple-adaptive",
		"negative-first", "nf+1", "duato-nonminimal,misroutes=1", program)
	args = []string{network, "-r", routing}
	if word := pick("", "vct", "saf", "wormhole"); word != "" {
		args = append(args, "--switching", word)
	}
	args = append(args, "--packet", pick("1", "4", "8", "16"), "--buffer", pick("4", "8", "16"))
	if r.IntN(4) == 0 {
		args = append(args, "--atomic")
	}
	return args
}

// TestProvedNeverFreezes simulates routings that check proves. They must not deadlock at a load
// far above saturation.
func TestProvedNeverFreezes(t *testing.T) {
	t.Parallel()
	runs := longtest.Share(4800, 40)
	program, r := writeProgram(t), rand.New(rand.NewPCG(24, 1))
	proved, cyclic, frozen := 0, 0, 0
	for k := range runs {
		line := drawnRun(r, program)
		stdout, _, code := turnproof(t, append([]string{"check", "--json"}, line...)...)
		if code == cli.ExitUsage {
			continue // the routing does not fit the network, or the packets do not fit the buffers
		}
		check := valid(t, "check.json", stdout)
		stdout, stderr, code := turnproof(t, append([]string{"sim", "--json", "--load", "0.9", "--clocks", "3000", "--seed", fmt.Sprint(k)}, line...)...)
		if code == cli.ExitUsage {
			t.Errorf("check takes %v, sim does not: %s", line, stderr)
			continue
		}
		sim := valid(t, "sim.json", stdout)
		if sim["deadlock"] == true {
			frozen++
		}
		if check["deadlock_free"] != true {
			continue
		}
		if proved++; check["cdg_acyclic"] == false {
			cyclic++
		}
		if sim["deadlock"] == true {
			t.Errorf("check %v: proved; sim of the same arguments froze in clock %v", line, sim["deadlock_clock"])
		}
	}
	if proved < runs/5 || cyclic < 2 || frozen < 2 {
		t.Errorf("the cases do not tell: %d proved, %d of them with a cyclic graph, %d runs froze", proved, cyclic, frozen)
	}
}

// TestPremisesOfSizes checks how the sizes of packets and buffers change verdicts.
func TestPremisesOfSizes(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		line []string
		code int
		want string
	}{
		{[]string{"torus:4x4,vcs=3", "-r", "duato", "--packet", "1", "--buffer", "8"}, cli.ExitRefuted,
			"is given to the next packet while flits of others are in it, even if it is full (--packet, --buffer)"},
		{[]string{"torus:4x4,vcs=3", "-r", "duato", "--packet", "16", "--buffer", "8", "--atomic"}, cli.ExitHolds,
			"a VC takes a new packet only when it is empty (--packet, --buffer, --atomic)"},
		{[]string{"torus:4x4,vcs=3", "-r", "duato", "--packet", "16", "--buffer", "8", "--switching", "vct"}, cli.ExitUsage,
			"a buffer must hold whole packets"},
		{[]string{"mesh:3x3", "-r", "dor", "--packet", "16"}, cli.ExitUsage, "--packet and --buffer go together"},
	} {
		stdout, stderr, code := turnproof(t, append([]string{"check"}, x.line...)...)
		if code != x.code || !strings.Contains(stdout+stderr, x.want) {
			t.Errorf("%v: exit status %d, want %d; no %q in\n%s%s", x.line, code, x.code, x.want, stdout, stderr)
		}
	}
	// Duato's routing can deadlock if the head of a packet may queue behind another packet in a
	// buffer, however large the buffer is.
	for _, sizes := range [][]string{{"--packet", "8", "--buffer", "8"}, {"--packet", "8", "--buffer", "16"}} {
		line := append([]string{"mesh:6x6,vcs=2", "-r", "duato", "--switching", "wormhole"}, sizes...)
		stdout, _, code := turnproof(t, append([]string{"check", "--json"}, line...)...)
		if j := valid(t, "check.json", stdout); code == cli.ExitHolds || j["deadlock_free"] == true {
			t.Errorf("%v: an escape is a proof although packets share VCs", sizes)
		}
		stdout, _, _ = turnproof(t, append([]string{"sim", "--load", "0.9", "--clocks", "20000", "--json"}, line...)...)
		if valid(t, "sim.json", stdout)["deadlock"] != true {
			t.Errorf("%v: the run does not freeze, so it shows nothing", sizes)
		}
	}
}

// TestStrictFlag checks --strict, and --assume, which accepts single premises.
func TestStrictFlag(t *testing.T) {
	for _, x := range []struct {
		line []string
		code int
		want string
	}{
		{[]string{"--strict"}, cli.ExitUndecided, "the input does not state: messages"},
		{[]string{"--strict", "--assume", "messages"}, cli.ExitHolds, "messages: independent (--assume)"},
		{[]string{"--strict", "--assume", "all"}, cli.ExitHolds, "flows: all pairs of hosts (--assume)"},
		{[]string{"--assume", "mesages"}, cli.ExitUsage, "--assume: no premise mesages"},
	} {
		stdout, stderr, code := turnproof(t, append([]string{"check", "mesh:3x3", "-r", "dor"}, x.line...)...)
		if code != x.code || !strings.Contains(stdout+stderr, x.want) {
			t.Errorf("%v: exit status %d, want %d; no %q in\n%s%s", x.line, code, x.code, x.want, stdout, stderr)
		}
	}
}

// TestSwitchingOfInput checks that sim and sweep take the switching discipline of the input, as
// check does.
func TestSwitchingOfInput(t *testing.T) {
	fabric := "../../examples/fabrics/mesh3x3/topology.ibnetdiscover"
	for _, x := range []struct {
		network, want string
		more          []string
	}{
		{fabric, "vct", nil}, {"mesh:3x3", "wormhole", nil}, {"mesh:3x3", "vct", []string{"--model", "paper"}},
		{fabric, "wormhole", []string{"--switching", "wormhole"}},
	} {
		sim, _, _ := turnproof(t, append([]string{"sim", x.network, "-r", "updown", "--load", "0.1", "--clocks", "500", "--json"}, x.more...)...)
		sweep, _, _ := turnproof(t, append([]string{"sweep", x.network, "-r", "updown", "--loads", "0.1", "--clocks", "500", "--json"}, x.more...)...)
		if got := valid(t, "sim.json", sim)["switching"]; got != x.want {
			t.Errorf("sim %s %v: %v, want %s", x.network, x.more, got, x.want)
		}
		point := valid(t, "sweep.json", sweep)["results"].([]any)[0].(map[string]any)
		if got := point["switching"]; got != x.want {
			t.Errorf("sweep %s %v: %v, want %s", x.network, x.more, got, x.want)
		}
	}
}

// TestFailedSwitchNamesHosts checks that the hosts of a failed switch are named.
func TestFailedSwitchNamesHosts(t *testing.T) {
	line := []string{"check", "mesh:2x3,hosts=2", "-r", "updown", "--fail", "switches:1"}
	stdout, _, _ := turnproof(t, line...)
	if want := "without (0,0) (its hosts h0, h1 are lost): "; !strings.Contains(stdout, want) {
		t.Errorf("no %q in\n%s", want, stdout)
	}
	stdout, _, _ = turnproof(t, append(line, "--json")...)
	list := valid(t, "check.json", stdout)["failures"].(map[string]any)["list"].([]any)
	for _, x := range list {
		if hosts := x.(map[string]any)["lost_hosts"].([]any); len(hosts) != 2 {
			t.Errorf("%v", x)
		}
	}
	if len(list) != 6 {
		t.Errorf("%d failures", len(list))
	}
}

// TestCompareSaysWhatItLeftOut checks that compare says what it claims for the time of the change.
func TestCompareSaysWhatItLeftOut(t *testing.T) {
	dir := t.TempDir()
	for _, state := range []string{"old", "new"} {
		topology, err := os.ReadFile("../../examples/fabrics/mesh3x3/topology.ibnetdiscover")
		if err != nil {
			t.Fatal(err)
		}
		text, _, code := turnproof(t, "table", "../../examples/fabrics/mesh3x3/topology.ibnetdiscover", "-r", "updown,paths=table", "--kind",
			"next-hops", "--format", "opensm")
		if code != 0 {
			t.Fatal(text)
		}
		folder := filepath.Join(dir, state)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(filepath.Join(folder, "topology.ibnetdiscover"), topology, 0o644),
			os.WriteFile(filepath.Join(folder, "lfts.dump"), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	stdout, stderr, code := turnproof(t, "compare", filepath.Join(dir, "old"), filepath.Join(dir, "new"))
	if code != 0 || strings.Contains(stdout, "\nPROVED") || !strings.Contains(stdout,
		"During the change, entries replaced in any order: PROVED: old and new entries together have no cycle of dependencies and no loop.\n"+
			"The new state is PROVED. ") {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
}
