package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestLayers: shortest paths on a torus take two layers; the service levels that are written prove
// the tables of a real fabric deadlock-free.
func TestLayers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cert")
	stdout, stderr, code := turnproof(t, "layers", "torus:4x4", "--json", "--certificate", file)
	v := valid(t, "layers.json", stdout)
	if got := fmt.Sprint(v["layers"], " ", v["lower_bound"], " ", v["lower_bound_by"], " ", v["verdict"]); code != exitHolds || got != "2 2 cycle proved" {
		t.Errorf("exit status %d, %s; %s", code, got, stderr)
	}
	checkCertificate(t, file)
	stdout, _, code = turnproof(t, "layers", "torus:4x4", "--routing", "dor")
	if code != exitHolds || !strings.Contains(stdout, "layers:    2\n") || !strings.Contains(stdout, "LASH:") {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	// With 4 VCs nothing is rerouted; how many layers it takes depends on what is found in time.
	for k, want := range map[string]string{"1": "1 true", "2": "2 true", "4": "3 false, 4 false"} {
		stdout, stderr, code = turnproof(t, "layers", "torus:8x8", "--vcs", k, "--seconds", "1", "--json")
		v := valid(t, "layers.json", stdout)
		in, _ := v["within"].(map[string]any)
		if got := fmt.Sprint(in["layers"], " ", fmt.Sprint(in["rerouted"]) != "0"); code != exitHolds || v["verdict"] != "proved" || !strings.Contains(want, got) {
			t.Errorf("--vcs %s: exit status %d, %s, want %s; %s", k, code, got, want, stderr)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"layers", "mesh:3x3", "--routing", "west-first"}, "ways on"},
		{[]string{"layers", "torus:4x4,vcs=2", "--routing", "dor"}, "2 VCs per channel already"},
		{[]string{"layers", "mesh:3x3", "--routing", "dor", "-o", file}, "service levels are of forwarding tables"},
		{[]string{"layers", "mesh:3x3", "--seconds", "0"}, "seconds above 0"},
		{[]string{"layers", "mesh:3x3", "--vcs", "0"}, "0 layers"},
		{[]string{"layers"}, "NETWORK"},
	} {
		if _, stderr, code := turnproof(t, c.args...); code != exitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit status %d, %s", c.args, code, stderr)
		}
	}
}

func TestLayersOfFabric(t *testing.T) {
	sl := filepath.Join(t.TempDir(), "path-sl.txt")
	topology, tables := fabrics+"random16-d4-s2/topology.ibnetdiscover", fabrics+"random16-d4-s2/updn/opensm-lfts.dump.gz"
	if _, _, code := turnproof(t, "check", topology, "-r", tables); code != exitRefuted {
		t.Fatalf("exit status %d: the tables were to have a credit loop", code)
	}
	if stdout, stderr, code := turnproof(t, "layers", topology, "-r", tables, "-o", sl); code != exitHolds {
		t.Fatalf("exit status %d, %s%s", code, stdout, stderr)
	}
	if stdout, stderr, code := turnproof(t, "check", topology, "-r", tables, "--sl", sl); code != exitHolds {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
}
