package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestLayers checks that shortest paths on a torus need two layers. It also checks that the
// service levels written for a real fabric prove its tables deadlock-free.
func TestLayers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cert")
	stdout, stderr, code := turnproof(t, "layers", "torus:4x4", "--json", "--certificate", file)
	v := valid(t, "layers.json", stdout)
	if got := fmt.Sprint(v["layers"], " ", v["lower_bound"], " ", v["lower_bound_by"], " ", v["verdict"]); code != cli.ExitHolds || got != "2 2 cycle proved" {
		t.Errorf("exit status %d, %s; %s", code, got, stderr)
	}
	checkCertificate(t, file)
	stdout, _, code = turnproof(t, "layers", "torus:4x4", "--routing", "dor")
	if code != cli.ExitHolds || !strings.Contains(stdout, "layers:    2\n") || !strings.Contains(stdout, "LASH:") {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	// With 4 VCs no path is rerouted. The number of layers found depends on the time.
	for k, want := range map[string]string{"1": "1 true", "2": "2 true", "4": "3 false, 4 false"} {
		if k == "4" && !long() {
			continue
		}
		stdout, stderr, code = turnproof(t, "layers", "torus:8x8", "--vcs", k, "--seconds", "0.3", "--json")
		v := valid(t, "layers.json", stdout)
		in, _ := v["within"].(map[string]any)
		if got := fmt.Sprint(in["layers"], " ", fmt.Sprint(in["rerouted"]) != "0"); code != cli.ExitHolds || v["verdict"] != "proved" ||
			!strings.Contains(want, got) {
			t.Errorf("--vcs %s: exit status %d, %s, want %s; %s", k, code, got, want, stderr)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"layers", "mesh:3x3", "--routing", "west-first", "--vcs", "2"}, "2 next hops"},
		{[]string{"layers", "mesh:3x3", "--routing", "../../examples/routing-programs/published/o1turn.mesh.star", "--vcs", "2"}, "draws one of several paths"},
		{[]string{"layers", "torus:4x4,vcs=2", "--routing", "dor", "--vcs", "2"}, "2 VCs per channel already"},
		{[]string{"layers", "mesh:3x3,vcs=2", "--routing", "minimal", "--per", "pair"}, "2 VCs per channel already"},
		{[]string{"layers", "mesh:3x3", "--per", "pair", "--vcs", "2"}, "does not go with --per"},
		{[]string{"layers", "mesh:3x3", "--per", "link"}, "known are path, pair, rise, hop"},
		{[]string{"layers", "mesh:12x12", "--routing", "minimal", "--per", "rise"}, "more than 1048576 paths"},
		{[]string{"layers", "mesh:3x3", "--seconds", "0"}, "seconds above 0"},
		{[]string{"layers", "mesh:3x3", "--vcs", "0"}, "0 layers"},
		{[]string{"layers"}, "NETWORK"},
	} {
		if _, stderr, code := turnproof(t, c.args...); code != cli.ExitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit status %d, %s", c.args, code, stderr)
		}
	}
}

// TestLayersReadBack checks that check, sim and table read the file of --output. It covers
// routings by name, shortest paths, and routes that were forced into fewer layers.
func TestLayersReadBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "paths.json")
	for _, c := range []struct {
		args []string
		vcs  string
	}{
		{[]string{"torus:4x4", "-r", "dor"}, "2"},
		{[]string{"torus:4x4"}, "2"},
		{[]string{"torus:4x4", "--vcs", "1"}, "1"},
		{[]string{"complete:4"}, "1"},
		{[]string{"mesh:3x3,hosts=2", "-r", "dor"}, "1"},
	} {
		stdout, stderr, code := turnproof(t, append(append([]string{"layers"}, c.args...), "-o", file, "--json")...)
		v := valid(t, "layers.json", stdout)
		if code != cli.ExitHolds || fmt.Sprint(v["layers"]) != c.vcs && v["within"] == nil {
			t.Fatalf("%v: exit status %d, layers %v, want %s; %s", c.args, code, v["layers"], c.vcs, stderr)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `"vcs": `+c.vcs+",") || fmt.Sprint(strings.Count(string(text), `"from"`)) != fmt.Sprint(v["pairs"]) {
			t.Errorf("%v: %.200s", c.args, text)
		}
		stdout, _, code = turnproof(t, "check", c.args[0], "-r", file, "--json")
		if v := valid(t, "check.json", stdout); code != cli.ExitHolds || v["verdict"] != "proved" {
			t.Errorf("check %v: exit status %d, %s", c.args, code, v["verdict"])
		}
		if stdout, _, code := turnproof(t, "sim", c.args[0], "-r", file, "--load", "0.1", "--clocks", "2000", "--json"); code != cli.ExitHolds ||
			!strings.Contains(stdout, `"dropped": 0,`) {
			t.Errorf("sim %v: exit status %d, %s", c.args, code, stdout)
		}
		if stdout, _, code := turnproof(t, "table", c.args[0], "-r", file, "--kind", "turns"); code != cli.ExitHolds || strings.Count(stdout, "\n") < 2 {
			t.Errorf("table %v: exit status %d, %s", c.args, code, stdout)
		}
	}
}

func TestLayersOfFabric(t *testing.T) {
	sl := filepath.Join(t.TempDir(), "path-sl.txt")
	topology, tables := fabrics+"random16-d4-s2/topology.ibnetdiscover", fabrics+"random16-d4-s2/updn/opensm-lfts.dump.gz"
	if _, _, code := turnproof(t, "check", topology, "-r", tables); code != cli.ExitRefuted {
		t.Fatalf("exit status %d: the tables were to have a credit loop", code)
	}
	if stdout, stderr, code := turnproof(t, "layers", topology, "-r", tables, "-o", sl); code != cli.ExitHolds {
		t.Fatalf("exit status %d, %s%s", code, stdout, stderr)
	}
	if stdout, stderr, code := turnproof(t, "check", topology, "-r", tables, "--sl", sl); code != cli.ExitHolds {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
}

// TestLayersOfSets finds VCs for sets of paths, by each rule. Its files are read by check, sim and table, and the checker
// accepts the certificates with their lower bounds.
func TestLayersOfSets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	walks := filepath.Join(dir, "walks.json")
	text := `{"s0": {"s2": [["s0", "s1", "s2"], ["s0", "s2"]], "s1": [["s0", "s2", "s1"]]}, "s1": {"s0": ["s1", "s2", "s0"], "s2": ["s1", "s0", "s2"]},
"s2": {"s1": [[3, ["s2", "s0", "s1"]], [1, ["s2", "s1"]]], "s0": ["s2", "s0"]}}`
	if err := os.WriteFile(walks, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ network, routing, per, want string }{
		{"complete:3", walks, "path", "2 2 true"},
		{"complete:3", walks, "pair", "2 2 true"},
		{"complete:3", walks, "rise", "2 2 true"},
		{"complete:3", walks, "hop", "2 2 true"},
		{"mesh:3x3", "west-first", "pair", "1 1 true"},
		{"mesh:3x3", "minimal", "path", "2 2 true"},
		{"torus:3x3", "minimal", "pair", "2 2 true"},
		{"hypercube:3", "minimal", "pair", "3 3 true"},
		{"hypercube:3", "minimal", "rise", "2 2 true"},
		{"slimfly:5,vcs=2", "slimfly-minimal", "rise", "2 2 true"},
		{"mesh:3x3", "../../examples/routing-programs/published/o1turn.mesh.star", "path", "2 2 true"},
		{"torus:4x4", "dor", "rise", "2 2 true"},
	} {
		args := []string{c.network, "-r", c.routing, "--per", c.per}
		file, evidence := filepath.Join(dir, "routes.json"), filepath.Join(dir, "cert")
		if c.per == "pair" && c.routing != walks {
			file = filepath.Join(dir, "routes.csv")
		}
		stdout, stderr, code := turnproof(t, append(append([]string{"layers"}, args...), "-o", file, "--certificate", evidence, "--json")...)
		v := valid(t, "layers.json", stdout)
		if got := fmt.Sprint(v["layers"], " ", v["lower_bound"], " ", v["lower_bound_certified"]); code != cli.ExitHolds || got != c.want ||
			v["verdict"] != "proved" {
			t.Errorf("%v: exit status %d, %s, want %s; %s", args, code, got, c.want, stderr)
			continue
		}
		checkCertificate(t, evidence)
		network, _, _ := strings.Cut(c.network, ",")
		if stdout, stderr, code := turnproof(t, "check", network, "-r", file); code != cli.ExitHolds {
			t.Errorf("check %v: exit status %d, %s%s", args, code, stdout, stderr)
		}
		if stdout, stderr, code := turnproof(t, "sim", network, "-r", file, "--load", "0.2", "--clocks", "2000",
			"--json"); code != cli.ExitHolds ||
			!strings.Contains(stdout, `"dropped": 0,`) {
			t.Errorf("sim %v: exit status %d, %s%s", args, code, stdout, stderr)
		}
		if stdout, _, code := turnproof(t, "table", network, "-r", file, "--kind", "input-hops", "--format", "verilog"); code != cli.ExitHolds ||
			!strings.Contains(stdout, "endpackage") {
			t.Errorf("table %v: exit status %d, %.200s", args, code, stdout)
		}
	}
}

// TestLayersWithoutVCs checks a pair whose paths close a cycle, and files that hold no paths.
func TestLayersWithoutVCs(t *testing.T) {
	dir := t.TempDir()
	const rest = `"s1": {"s0": ["s1", "s0"], "s2": ["s1", "s2"]}, "s2": {"s1": ["s2", "s1"], "s0": ["s2", "s0"]}}`
	for i, c := range []struct {
		text, per, want string
		status          int
	}{
		{`{"s0": {"s1": [["s0", "s1", "s2", "s0", "s2", "s1"]], "s2": ["s0", "s2"]}, ` + rest, "path", "", cli.ExitHolds},
		{`{"s0": {"s1": [["s0", "s1", "s2", "s0", "s2", "s1"], ["s0", "s2", "s0", "s1"]], "s2": ["s0", "s2"]}, ` + rest, "pair",
			"the paths from h0 to h1 close a dependency cycle", cli.ExitRefuted},
		{`{"s0": {"s1": ["s0", "s1"]}}`, "path", "has no route", cli.ExitUsage},
		{`{"s0": {"s1": ["s0", "s2"]}}`, "rise", "the path from s0 to s1", cli.ExitUsage},
		{`{}`, "path", "no path in it", cli.ExitUsage},
		{`{"s0": {"s1": [["s0", "s1", "s2", "s0", "s1"]]}}`, "hop", "returns to VC", cli.ExitUsage},
	} {
		file := filepath.Join(dir, fmt.Sprint(i, ".json"))
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if stdout, stderr, code := turnproof(t, "layers", "complete:3", "-r", file, "--per", c.per); code != c.status || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s, %s: exit status %d, want %d; %s%s", c.text, c.per, code, c.status, stdout, stderr)
		}
	}
	file := filepath.Join(dir, "1.json")
	if stdout, stderr, code := turnproof(t, "layers", "complete:3", "-r", file, "--per", "pair", "--json"); code != cli.ExitRefuted || stdout != "" ||
		!strings.Contains(stderr, "close a dependency cycle") {
		t.Errorf("--json: exit status %d; %s%s", code, stdout, stderr)
	}
	if _, stderr, code := turnproof(t, "layers", "complete:1", "-r", "minimal"); code != cli.ExitUsage {
		t.Errorf("one host: exit status %d; %s", code, stderr)
	}
}
