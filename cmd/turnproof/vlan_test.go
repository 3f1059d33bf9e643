package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

const vlanStory = "../../examples/vlan-ethernet/"

// TestVLANMeshes checks definition 4 and theorem 1 of the VLAN Ethernet paper.
func TestVLANMeshes(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]string{
		"mesh:4x4": "4", "mesh:8x8": "8", "mesh:4x4x4": "16", "mesh:16x16": "16", "mesh:2x5": "2", "mesh:5x2": "2",
	} {
		if spec == "mesh:16x16" && !long() {
			continue
		}
		file := filepath.Join(t.TempDir(), "cert")
		stdout, stderr, code := turnproof(t, "vlan", spec, "--seconds", "0.2", "--json", "--certificate", file)
		v := valid(t, "vlan.json", stdout)
		got := fmt.Sprint(v["vlans"], v["verdict"], v["deadlock_free"], v["connected"], v["shortest"], v["cdg_acyclic"], v["method"], v["spanning"])
		if wanted := fmt.Sprint(want, "proved", true, true, true, true, "lines", want); code != cli.ExitHolds || got != wanted {
			t.Errorf("%s: exit status %d, %s, want %s; %s", spec, code, got, wanted, stderr)
		}
		checkCertificate(t, file)
	}
}

// TestVLANSwapped checks that two VLANs swapped in the file are refuted with a cycle.
func TestVLANSwapped(t *testing.T) {
	dir := t.TempDir()
	for _, spec := range []string{"mesh:4x4", "mesh:8x8", "mesh:4x4x4"} {
		file := filepath.Join(dir, "vlans.json")
		if _, stderr, code := turnproof(t, "vlan", spec, "--seconds", "0.1", "-o", file); code != cli.ExitHolds {
			t.Fatalf("%s: exit status %d, %s", spec, code, stderr)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		valid(t, "vlans.json", string(text))
		swapped := strings.NewReplacer(`"id": 2,`, `"id": 3,`, `"id": 3,`, `"id": 2,`).Replace(string(text))
		if err := os.WriteFile(file, []byte(swapped), 0o644); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := turnproof(t, "check", spec, "-r", file, "--switching", "saf")
		if code != cli.ExitRefuted || !strings.Contains(stdout, "Credit loop of 4 channels") || !strings.Contains(stdout, "in VLAN 3") {
			t.Errorf("%s, swapped: exit status %d, %s%s", spec, code, stdout, stderr)
		}
		stdout, _, code = turnproof(t, "vlan", spec, "-r", file, "--seconds", "0.1", "--json")
		v := valid(t, "vlan.json", stdout)
		if code != cli.ExitRefuted || fmt.Sprint(v["deadlock_free"], v["connected"]) != "false true" {
			t.Errorf("%s, swapped: exit status %d, %s", spec, code, stdout)
		}
	}
}

// TestVLANFabric makes, writes and checks VLANs for L-turn on real fabrics.
func TestVLANFabric(t *testing.T) {
	dir := t.TempDir()
	topology, file := fabrics+"random16-d4-s2/topology.ibnetdiscover", filepath.Join(dir, "vlans.json")
	stdout, stderr, code := turnproof(t, "vlan", topology, "-r", "lturn-alpha", "--seconds", "0.2", "-o", file, "--json",
		"--linux", filepath.Join(dir, "linux"), "--sonic", filepath.Join(dir, "sonic"), "--figure", filepath.Join(dir, "vlans.svg"))
	v := valid(t, "vlan.json", stdout)
	if code != cli.ExitHolds || fmt.Sprint(v["deadlock_free"], v["cdg_acyclic"]) != "true true" {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	if stdout, stderr, code := turnproof(t, "check", topology, "-r", file); code != cli.ExitHolds {
		t.Errorf("read back: exit status %d, %s%s", code, stdout, stderr)
	}
	for folder, want := range map[string]int{"linux": 16 + 64 + 1, "sonic": 2*16 + 64 + 1} {
		if list, err := os.ReadDir(filepath.Join(dir, folder)); err != nil || len(list) != want {
			t.Errorf("%s: %d files, want %d (%v)", folder, len(list), want, err)
		}
	}
	// Without their service levels, the tables of OpenSM have cycles. Priorities replace service
	// levels.
	tables := fabrics + "random16-d4-s2/dfsssp/opensm-lfts.dump.gz"
	if _, _, code := turnproof(t, "vlan", topology, "-r", tables, "--seconds", "0.1"); code != cli.ExitRefuted {
		t.Errorf("without priorities: exit status %d", code)
	}
	stdout, stderr, code = turnproof(t, "vlan", topology, "-r", tables, "--priorities", "3,4", "--seconds", "0.2", "--json")
	if v := valid(t, "vlan.json", stdout); code != cli.ExitHolds || fmt.Sprint(v["priorities"], v["deadlock_free"]) != "[3 4] true" {
		t.Errorf("with priorities: exit status %d, %s%s", code, stdout, stderr)
	}
}

// TestVLANEdges checks that given VLANs which lose frames are refuted, that large meshes are fast,
// and that switches without communicating hosts are accepted.
func TestVLANEdges(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(vlanStory + "acyclic.json")
	if err != nil {
		t.Fatal(err)
	}
	lossy := filepath.Join(dir, "lossy.json")
	if err := os.WriteFile(lossy, []byte(strings.Replace(string(text), `{"id": 2,`, `{"id": 2, "static": {"s0": {"h2": 9}},`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, "vlan", vlanStory+"ring.yaml", "-r", lossy, "--json")
	if v := valid(t, "vlan.json", stdout); code != cli.ExitRefuted || v["connected"] != false || v["deadlock_free"] != true {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	stdout, stderr, code = turnproof(t, "vlan", "mesh:10x9", "--seconds", "0.1", "--json")
	if v := valid(t, "vlan.json", stdout); code != cli.ExitHolds || fmt.Sprint(v["vlans"], " ", v["search"], " ",
		figureOf(t, v, "lower_bound") >= 3) != "9 9 true" {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	for _, args := range [][]string{{"mesh:2x1", "--prune"}, {"mesh:2", "--method", "search"}, {"star:4", "-r", "updown", "--prune"},
		{"random:switches=8,degree=3,parallel=true", "-r", "updown", "--untagged"}} {
		stdout, stderr, code := turnproof(t, append([]string{"vlan", "--seconds", "0.1"}, args...)...)
		if fine := code == cli.ExitHolds || strings.Contains(stderr, "takes untagged frames into one"); !fine {
			t.Errorf("%v: exit status %d, %s%s", args, code, stdout, stderr)
		}
	}
	// On a ring, two priorities need no more VLANs than one.
	stdout, _, code = turnproof(t, "vlan", "torus:6", "-r", "dor", "--priorities", "3,4", "--seconds", "0.5", "--json", "--simulate")
	if v := valid(t, "vlan.json", stdout); code != cli.ExitHolds || fmt.Sprint(v["vlans"], " ", v["lower_bound"], " ", v["priorities"]) != "2 2 [3 4]" {
		t.Errorf("exit status %d, %s", code, stdout)
	}
}

// TestVLANRing checks both assignments for the ring of the paper. One is proved and runs at full
// rate; the other is refuted and deadlocks.
func TestVLANRing(t *testing.T) {
	for file, want := range map[string]string{"acyclic.json": "proved true false", "cyclic.json": "refuted false true"} {
		stdout, _, code := turnproof(t, "vlan", vlanStory+"ring.yaml", "-r", vlanStory+file, "--seconds", "0.1", "--json", "--simulate")
		v := valid(t, "vlan.json", stdout)
		if s, _ := v["simulated"].(map[string]any); s["deadlock"] != (file == "cyclic.json") || s["control"] != "pause" {
			t.Errorf("%s: %v", file, v["simulated"])
		}
		args := []string{"sim", vlanStory + "ring.yaml", "-r", vlanStory + file, "--ethernet", "pause,host=820", "--flows", "h1:h6,h3:h4,h5:h2,h7:h0", "--json"}
		stdout, _, simCode := turnproof(t, args...)
		w := valid(t, "sim-ethernet.json", stdout)
		if got := fmt.Sprint(v["verdict"], " ", v["deadlock_free"], " ", w["deadlock"]); got != want || code != simCode {
			t.Errorf("%s: %s, want %s; exit status %d and %d", file, got, want, code, simCode)
		}
		if frozen, _ := w["frozen"].([]any); len(frozen) != 4 && w["deadlock"] == true {
			t.Errorf("%d channels frozen", len(frozen))
		}
		if text, _, _ := turnproof(t, args[:len(args)-1]...); (w["deadlock"] == true) != strings.Contains(text, "FROZEN since") {
			t.Errorf("%s: %s", file, text)
		}
	}
	stdout, _, code := turnproof(t, "sim", "mesh:4x4", "-r", "vlan-dor", "--ethernet", "pfc", "--traffic", "transpose", "--load", "0.5", "--json")
	if v := valid(t, "sim-ethernet.json", stdout); code != cli.ExitHolds || fmt.Sprint(v["lost"]) != "0" {
		t.Errorf("exit status %d, %s", code, stdout)
	}
}

// TestReproduceVLAN checks that short runs of tables 1 and 2 decide their claims as the full runs do.
func TestReproduceVLAN(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"vlan/table-1": "holds holds holds holds open", "vlan/table-2": "holds holds fails holds"} {
		stdout, stderr, code := turnproof(t, "reproduce", name, "--quick", "--json")
		if code != cli.ExitHolds {
			t.Fatal(stderr)
		}
		var verdicts []string
		for _, c := range valid(t, "reproduce.json", stdout)["claims"].([]any) {
			verdicts = append(verdicts, fmt.Sprint(c.(map[string]any)["verdict"]))
		}
		if got := strings.Join(verdicts, " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
