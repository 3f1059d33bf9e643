package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

func figureOf(t *testing.T, v map[string]any, field string) float64 {
	t.Helper()
	k, ok := v[field].(json.Number)
	if !ok {
		t.Fatalf("%s is %v", field, v[field])
	}
	x, err := k.Float64()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestSimAgainstBookSim compares latency and accepted load with those of BookSim 2, within 2 %, on
// 8x8 networks at 60 and 90 % of saturation.
func TestSimAgainstBookSim(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line              string
		latency, accepted float64
	}{
		{"mesh:8x8,vcs=4 --packet 8 --load 0.2250", 50.8, 0.2261}, {"mesh:8x8,vcs=4 --packet 1 --load 0.2484", 36.1, 0.2485},
		{"mesh:8x8 --packet 8 --load 0.1336", 47.2, 0.1344},
		{"mesh:8x8 --packet 1 --load 0.0844", 36.9, 0.0847}, {"torus:8x8,vcs=2 --packet 8 --load 0.1945", 40.7, 0.1952},
		{"torus:8x8,vcs=2 --packet 1 --load 0.2356", 36.5, 0.2355},
	} {
		if strings.Contains(c.line, "--packet 1 ") && !long() {
			continue // the short run tries only long packets
		}
		stdout, stderr, code := turnproof(t, append([]string{"sim"}, append(strings.Fields(c.line), "-r", "dor", "--model", "booksim", "--buffer",
			"8", "--clocks", "40000", "--json")...)...)
		if code != cli.ExitHolds || stderr != "" {
			t.Fatalf("%s: exit status %d, %s", c.line, code, stderr)
		}
		v := valid(t, "sim.json", stdout)
		if x := figureOf(t, v, "mean_latency"); x < 0.98*c.latency || x > 1.02*c.latency {
			t.Errorf("%s: latency %.2f, BookSim has %.2f", c.line, x, c.latency)
		}
		if x := figureOf(t, v, "accepted"); x < 0.98*c.accepted || x > 1.02*c.accepted {
			t.Errorf("%s: accepted %.4f, BookSim has %.4f", c.line, x, c.accepted)
		}
	}
}

// TestSimReproducible checks that a seed gives the same output with any GOMAXPROCS and in both
// simulators, and that another seed gives another output.
func TestSimReproducible(t *testing.T) {
	run := func(args ...string) string {
		t.Helper()
		stdout, stderr, code := turnproof(t, append([]string{"sim", "random:switches=16,degree=4,hosts=2,seed=3", "-r", "rturn-alpha", "--model",
			"paper", "--packet", "16", "--load", "0.1", "--clocks", "8000", "--json"}, args...)...)
		if code != cli.ExitHolds {
			t.Fatal(stderr)
		}
		v := valid(t, "sim.json", stdout)
		delete(v, "seconds")
		delete(v, "kernel")
		return fmt.Sprint(v)
	}
	a := run()
	t.Setenv("GOMAXPROCS", "1")
	if b := run(); a != b {
		t.Errorf("%s\n%s", a, b)
	}
	if b := run("--flitwise"); a != b {
		t.Errorf("by packets %s\nby flits %s", a, b)
	}
	if b := run("--flitwise", "--check"); a != b {
		t.Errorf("unchecked %s\nchecked %s", a, b)
	}
	if b := run("--seed", "2"); a == b {
		t.Error("two seeds give the same")
	}
}

// TestSimLatencyOfSpec checks that the key latency of a spec does what --link-delay does.
func TestSimLatencyOfSpec(t *testing.T) {
	mean := func(line string) any {
		stdout, stderr, code := turnproof(t, strings.Fields("sim "+line+" -r dor --load 0.2 --clocks 2000 --json")...)
		if code != cli.ExitHolds {
			t.Fatalf("%s: exit status %d, %s", line, code, stderr)
		}
		return valid(t, "sim.json", stdout)["mean_latency"]
	}
	spec, flag, none := mean("mesh:3x3,latency=5"), mean("mesh:3x3 --link-delay 5"), mean("mesh:3x3")
	if spec != flag || spec == none {
		t.Errorf("mean latency %v with the key, %v with the flag, %v without both", spec, flag, none)
	}
}

// TestSimFiles reads a trace, and checks the files of packets, loads and occupancy, and the
// figure.
func TestSimFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("in.txt"), []byte("# three\n7 0 0 5\n8 0 0 1 99\n9 40 3 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, "sim", "mesh:3x3", "-r", "dor", "--traffic", "trace:"+at("in.txt"), "--packet", "2", "--model", "booksim",
		"--packets-out", at("out.txt"), "--loads-out", at("loads.csv"), "--occupancy", at("occupancy.csv"), "--figure", at("load.svg"), "--json")
	if code != cli.ExitHolds || valid(t, "sim.json", stdout)["offered"] != nil {
		t.Fatal(code, stderr)
	}
	// Each switch takes 5 clocks, both ends 2, the second flit 1. The second packet leaves its
	// host 2 clocks later. It is routed another 2 clocks late, when the first packet has left its
	// VC.
	if text, _ := os.ReadFile(at("out.txt")); string(text) != "# id clock source destination arrival\n8 0 0 1 17\n7 0 0 5 23\n9 40 3 3 48\n" {
		t.Errorf("%s", text)
	}
	if text, _ := os.ReadFile(at("loads.csv")); !strings.Contains(string(text), "\"(0,0)\",,,1,\"(1,0)\",4,") {
		t.Errorf("%s", text)
	}
	for _, name := range []string{"occupancy.csv", "load.svg"} {
		if st, err := os.Stat(at(name)); err != nil || st.Size() < 40 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSimDeadlock checks that a run that deadlocks prints the frozen packets and has exit status
// 1.
func TestSimDeadlock(t *testing.T) {
	for _, model := range []string{"paper", "booksim"} {
		stdout, _, code := turnproof(t, "sim", "torus:4x4", "-r", "dor", "--model", model, "--load", "0.9", "--json")
		v := valid(t, "sim.json", stdout)
		if code != cli.ExitRefuted || v["deadlock"] != true || len(v["frozen"].([]any)) < 4 || figureOf(t, v, "deadlock_clock") >= figureOf(t, v, "clocks") {
			t.Errorf("%s: exit status %d, %v in clock %v of %v", model, code, v["deadlock"], v["deadlock_clock"], v["clocks"])
		}
	}
}

// TestSimFrozenFiles checks that a run with a deadlock lists each delivered packet once, in both
// simulators. The recording of occupancy does not change the result.
func TestSimFrozenFiles(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	run := func(args ...string) (map[string]any, string) {
		t.Helper()
		stdout, stderr, code := turnproof(t, append([]string{"sim", "torus:5x5", "-r", "dor", "--load", "0.9", "--packets-out", list, "--json"}, args...)...)
		if code != cli.ExitRefuted {
			t.Fatalf("exit status %d, %s", code, stderr)
		}
		text, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		v := valid(t, "sim.json", stdout)
		if lines := strings.Count(string(text), "\n") - strings.Count(string(text), "#"); float64(lines) != figureOf(t, v, "delivered") {
			t.Errorf("%v: %d packets listed, %v delivered", args, lines, v["delivered"])
		}
		return v, string(text)
	}
	_, packets := run("--model", "paper")
	if _, flits := run("--model", "paper", "--flitwise"); flits != packets {
		t.Error("the simulators list different packets")
	}
	a, _ := run()
	b, _ := run("--occupancy", filepath.Join(t.TempDir(), "o"))
	for _, field := range []string{"clocks", "delivered", "flit_hops", "deadlock_clock"} {
		if a[field] != b[field] {
			t.Errorf("%s: %v, watched %v", field, a[field], b[field])
		}
	}
}

// TestSimKeepsInputs checks that an input file is not overwritten.
func TestSimKeepsInputs(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte("0 1\n1 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	experiment := filepath.Join(dir, "e.yaml")
	if err := os.WriteFile(experiment, []byte("networks: [line:2]\nroutings: [dor]\ntraffics: [uniform]\nloads: [0.1]\nclocks: 100\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"sim line:2 -r dor --load 0.1 --clocks 100 --traffic permutation:" + file + " --packets-out " + file,
		"sweep line:2 -r dor --loads 0.1 --clocks 100 --traffic permutation:" + file + " --csv " + file,
		"sweep " + experiment + " --csv " + experiment + ".journal",
	} {
		if _, stderr, code := turnproof(t, strings.Fields(line)...); code != cli.ExitUsage ||
			!strings.Contains(stderr, "the file is an input of this command") {
			t.Errorf("%s: exit status %d, %s", line, code, stderr)
		}
	}
}

// TestSimFollow: --follow prints the hops of packets and changes no result; a packet of a deadlock is
// still in the network.
func TestSimFollow(t *testing.T) {
	dir := t.TempDir()
	line := []string{"sim", "mesh:4x4,vcs=2", "-r", "dor", "--load", "0.4", "--packet", "4", "--clocks", "3000", "--json"}
	plain, _, _ := turnproof(t, line...)
	file := filepath.Join(dir, "hops.csv")
	followed, stderr, code := turnproof(t, append(line, "--follow", "slowest:5", "--follow-out", file)...)
	if code != cli.ExitHolds {
		t.Fatal(stderr)
	}
	a, b := valid(t, "sim.json", plain), valid(t, "sim.json", followed)
	delete(a, "seconds")
	delete(b, "seconds")
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%v\nwith --follow %v", a, b)
	}
	text, err := os.ReadFile(file)
	if longest := a["max_latency"].(json.Number).String(); err != nil || !strings.HasPrefix(string(text), "packet,source,") || longest == "0" {
		t.Errorf("%v, longest latency %s, %s", err, longest, text)
	}
	ids := "99999"
	for id := range 200 {
		ids += fmt.Sprintf(",%d", id)
	}
	stdout, stderr, code := turnproof(t, "sim", "torus:4x4", "-r", "dor", "--vc-rule", "plain", "--load", "0.6", "--packet", "8", "--clocks", "5000",
		"--follow", ids)
	if code != cli.ExitRefuted || !strings.Contains(stderr, "did not leave a host\nnote: --follow: and ") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	if !strings.Contains(stdout, "packet 1 from h1 to ") || !strings.Contains(stdout, "still in the network") ||
		strings.Index(stdout, "packet 3 from") < strings.Index(stdout, "packet 1 from") {
		t.Errorf("%s", stdout)
	}
}
