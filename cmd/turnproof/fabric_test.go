package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file tests what the administrator of a fabric does: check a folder, repair tables, compare
// two states, and check failures.

const fabric = "../../examples/fabrics/random16-d4-s2"

// dumps returns a new folder with the dumps of a fabric, with the tables of one routing engine.
func dumps(t *testing.T, engine string, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range append(files, "../topology.ibnetdiscover", "../opensm-subnet.lst.gz", "opensm.fdbs.gz", "opensm-lfts.dump.gz", "truth.json") {
		data, err := os.ReadFile(filepath.Join(fabric, engine, f))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFolder checks that a folder gets the same verdict as its files named by flags.
func TestFolder(t *testing.T) {
	t.Parallel()
	for engine, c := range map[string]struct {
		files []string
		code  int
		flags []string
	}{
		"updn":              {nil, cli.ExitRefuted, nil},
		"file-synth-updown": {nil, cli.ExitHolds, nil},
		"dfsssp": {[]string{"path-sl.txt.gz", "path-slset.txt.gz", "opensm-sl2vl.dump.gz"}, cli.ExitHolds,
			[]string{"--sl", filepath.Join(fabric, "dfsssp/path-sl.txt.gz"), "--sl2vl", filepath.Join(fabric, "dfsssp/opensm-sl2vl.dump.gz")}},
	} {
		dir := dumps(t, engine, c.files...)
		stdout, stderr, code := turnproof(t, "check", dir, "--json")
		if code != c.code || stderr != "" {
			t.Errorf("%s: exit status %d, %s", engine, code, stderr)
		}
		named, _, _ := turnproof(t, append([]string{"check", filepath.Join(fabric, "topology.ibnetdiscover"), "-r",
			filepath.Join(fabric, engine, "opensm-lfts.dump.gz"), "--json"}, c.flags...)...)
		a, b := valid(t, "check.json", stdout), valid(t, "check.json", named)
		for _, key := range []string{"verdict", "dependencies", "used_vcs", "pairs", "entries", "method"} {
			if a[key] != b[key] {
				t.Errorf("%s: %s is %v in the folder, %v by name", engine, key, a[key], b[key])
			}
		}
		if notes := len(a["notes"].([]any)); notes < 2 {
			t.Errorf("%s: the files left aside are not named: %v", engine, a["notes"])
		}
	}
	// A routing by name replaces the tables in the folder.
	if _, stderr, code := turnproof(t, "check", dumps(t, "updn"), "-r", "updown"); code != cli.ExitHolds {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	if _, stderr, code := turnproof(t, "check", t.TempDir()); code != cli.ExitUsage || !strings.Contains(stderr, "neither a topology") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}

// TestMend repairs a loop by changing two entries. The new tables are proved, and all other
// entries are unchanged.
func TestMend(t *testing.T) {
	dir := dumps(t, "updn")
	mended := filepath.Join(t.TempDir(), "mended.lfts")
	stdout, stderr, code := turnproof(t, "check", dir, "--mend", mended, "--json")
	if code != cli.ExitRefuted || stderr != "" {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	m := valid(t, "check.json", stdout)["mend"].(map[string]any)
	if changes := m["changes"].([]any); len(changes) != 2 || m["optimal"] != true || m["lower_bound"] != json.Number("2") {
		t.Errorf("%v", m)
	}
	if _, _, code := turnproof(t, "check", filepath.Join(dir, "topology.ibnetdiscover"), "-r", mended); code != cli.ExitHolds {
		t.Errorf("exit status %d of the mended tables", code)
	}
	stdout, _, code = turnproof(t, "compare", filepath.Join(dir, "opensm-lfts.dump.gz"), mended, "--network",
		filepath.Join(dir, "topology.ibnetdiscover"), "--json")
	d := valid(t, "compare.json", stdout)
	if code != cli.ExitHolds || len(d["changed_entries"].([]any)) != 2 || d["old_verdict"] != "refuted" || d["verdict"] != "proved" {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	stdout, _, _ = turnproof(t, "check", dir, "--mend", mended)
	_, rest, _ := strings.Cut(stdout, "\nMended")
	golden(t, "check-mend.txt", strings.ReplaceAll("Mended"+rest, mended, "mended.lfts"))
	// Proved tables are not changed.
	other := filepath.Join(t.TempDir(), "other.lfts")
	if _, _, code := turnproof(t, "check", dumps(t, "file-synth-updown"), "--mend", other); code != cli.ExitHolds {
		t.Errorf("exit status %d", code)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("tables were written though nothing was to be mended")
	}
	if _, stderr, code := turnproof(t, "check", "mesh:3x3", "-r", "minimal", "--mend", other); code != cli.ExitUsage ||
		!strings.Contains(stderr, "--mend changes forwarding tables") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}

// TestCompareEngines compares the tables of two routing engines, and a network with one that lacks
// a cable.
func TestCompareEngines(t *testing.T) {
	stdout, _, code := turnproof(t, "compare", dumps(t, "updn"), dumps(t, "dfsssp", "path-sl.txt.gz", "opensm-sl2vl.dump.gz"), "--json")
	d := valid(t, "compare.json", stdout)
	if code != cli.ExitHolds || d["changed_levels"] == json.Number("0") || d["changed_ways"] == json.Number("0") {
		t.Errorf("exit status %d, %v changed paths, %v changed levels", code, d["changed_ways"], d["changed_levels"])
	}
	if _, stderr, code := turnproof(t, "compare", dumps(t, "updn"), filepath.Join(fabric, "updn/opensm.fdbs.gz")); code != cli.ExitUsage ||
		!strings.Contains(stderr, "--network") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}

// TestFail checks routings after each failure of a link or switch.
func TestFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line                      string
		code                      int
		tried, proved, refuted, u string
	}{
		{"check mesh:4x4 -r updown --fail links:1", cli.ExitHolds, "24", "24", "0", "0"},
		{"check mesh:4x4 -r dor --fail switches:1", cli.ExitRefuted, "16", "0", "16", "0"}, // even a corner switch is on the path of other pairs
		{"check line:4 -r lturn-alpha --fail links:1", cli.ExitRefuted, "3", "0", "0", "3"},
		{"check torus:4x4,vcs=2 -r nf+1 --fail links:1", cli.ExitRefuted, "32", "0", "32", "0"},
	} {
		stdout, stderr, code := turnproof(t, append(strings.Fields(c.line), "--json")...)
		if code != c.code || stderr != "" {
			t.Errorf("%s: exit status %d, %s", c.line, code, stderr)
		}
		f, ok := valid(t, "check.json", stdout)["failures"].(map[string]any)
		if !ok {
			continue
		}
		for key, want := range map[string]string{"tried": c.tried, "proved": c.proved, "refuted": c.refuted, "unrouted": c.u} {
			if f[key] != json.Number(want) {
				t.Errorf("%s: %s is %v, want %s", c.line, key, f[key], want)
			}
		}
	}
	stdout, _, _ := turnproof(t, strings.Fields("check mesh:4x4 -r dor --fail switches:1")...)
	_, rest, _ := strings.Cut(stdout, "\nEach of")
	golden(t, "check-fail.txt", "Each of"+rest)
	for _, line := range []string{"check mesh:4x4 -r dor --fail links:2", "check " + dumps(t, "updn") + " --fail links:1"} {
		if stdout, stderr, code := turnproof(t, strings.Fields(line)...); code != cli.ExitRefuted || !strings.Contains(stdout, "lose packets), 0 undecided") {
			t.Errorf("%s: exit status %d, %s%s", line, code, stdout, stderr)
		}
	}
}

// TestClasses checks classes of messages, and runs the checker on the certificates.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		line string
		code int
		vcs  string
	}{
		{"check mesh:4x4,vcs=2 -r dor --classes request,reply", cli.ExitHolds, "4"},
		{"check mesh:4x4,vcs=2 -r dor --classes request+reply", cli.ExitRefuted, "2"},
		{"check torus:4x4,vcs=3 -r duato --switching wormhole --classes request,forward,reply", cli.ExitHolds, "9"},
		{"check " + fabric + "/file-synth-updown --classes request,reply", cli.ExitHolds, "2"},
	} {
		file := filepath.Join(t.TempDir(), "c.cert")
		stdout, stderr, code := turnproof(t, append(strings.Fields(c.line), "--json", "--certificate", file)...)
		if code != c.code || stderr != "" {
			t.Errorf("%s: exit status %d, %s", c.line, code, stderr)
		}
		if m := valid(t, "check.json", stdout)["messages"].(map[string]any); m["vcs"] != json.Number(c.vcs) {
			t.Errorf("%s: %v", c.line, m)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		read, err := cert.Read(f)
		if err == nil {
			err = cert.Check(read)
		}
		if err != nil || read.Claims[len(read.Claims)-1].Claim != cert.ClaimMessages {
			t.Errorf("%s: %v", c.line, err)
		}
		_ = f.Close()
	}
	stdout, _, _ := turnproof(t, strings.Fields("check mesh:4x4 -r dor --classes request+reply")...)
	golden(t, "check-classes.txt", stdout)
	if _, stderr, code := turnproof(t, "check", "mesh:4x4", "-r", "dor", "--classes", "request"); code != cli.ExitUsage || !strings.Contains(stderr, "--classes") {
		t.Errorf("one class: exit status %d, %s", code, stderr)
	}
}
