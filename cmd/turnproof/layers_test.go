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
		stdout, stderr, code = turnproof(t, "layers", "torus:8x8", "--vcs", k, "--seconds", "1", "--json")
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
		{[]string{"layers", "mesh:3x3", "--routing", "west-first"}, "2 next hops"},
		{[]string{"layers", "mesh:3x3", "--routing", "../../examples/routing-programs/published/o1turn.mesh.star"}, "draws one of several paths"},
		{[]string{"layers", "torus:4x4,vcs=2", "--routing", "dor"}, "2 VCs per channel already"},
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
