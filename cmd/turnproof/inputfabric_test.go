package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/unpack"
)

// fabricFolder copies files of a bundled fabric into a new folder.
func fabricFolder(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		copyDump(t, dir, f, func(s string) string { return s })
	}
	return dir
}

// copyDump copies a file to dir, decompressed and changed by change.
func copyDump(t *testing.T, dir, file string, change func(string) string) {
	t.Helper()
	path := filepath.Join("..", "..", "examples", "fabrics", file)
	if _, err := os.Stat(path); err != nil {
		path += ".gz"
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := unpack.Reader(bufio.NewReader(bytes.NewReader(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), []byte(change(text.String())), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pathRecords returns a function that converts service levels to the format of saquery.
func pathRecords(dir string) func(string) string {
	topology, _ := os.ReadFile(filepath.Join(dir, "topology.ibnetdiscover"))
	lids := map[string]string{} // by adapter GUID
	for _, m := range regexp.MustCompile(`(?m)^Ca.*"H-0*([0-9a-f]+)".*\n.*# lid (\d+)`).FindAllStringSubmatch(string(topology), -1) {
		lids[m[1]] = m[2]
	}
	return func(s string) string {
		return regexp.MustCompile(`(?m)^0x0*([0-9a-f]+) (\d+) (\d+)$`).ReplaceAllStringFunc(s, func(line string) string {
			f := strings.Fields(line)
			slid := lids[strings.TrimLeft(strings.TrimPrefix(f[0], "0x"), "0")]
			return fmt.Sprintf("PathRecord dump:\n\t\tservice_id..............0x0000000000000000\n"+
				"\t\tdgid....................fe80::10:1\n\t\tdlid....................%s\n"+
				"\t\tslid....................%s\n\t\tsl......................0x%s",
				f[1], slid, f[2])
		})
	}
}

// used returns the number of virtual channels in use, and the premises by name.
func used(t *testing.T, stdout string) (vcs int, premises map[string]string) {
	t.Helper()
	var out struct {
		UsedVCs  int `json:"used_vcs"`
		Premises []struct{ Name, Value, Source string }
		Inputs   []struct{ Name, SHA256 string }
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil {
		t.Fatal(err, stdout)
	}
	premises = map[string]string{}
	for _, p := range out.Premises {
		premises[p.Name] = p.Value + " (" + p.Source + ")"
	}
	for _, in := range out.Inputs {
		if len(in.SHA256) != 64 {
			t.Errorf("%+v", in)
		}
	}
	if len(out.Inputs) < 3 {
		t.Errorf("inputs %+v", out.Inputs)
	}
	return out.UsedVCs, premises
}

// TestLevels checks verdicts and premises for different knowledge of service levels and VLs.
func TestLevels(t *testing.T) {
	t.Parallel()
	const fabric, lanes = "random16-d4-s2/lash/", "3 data VLs"
	files := []string{"random16-d4-s2/topology.ibnetdiscover", fabric + "opensm-lfts.dump", fabric + "opensm-sl2vl.dump", fabric + "path-sl.txt"}
	whole := fabricFolder(t, files...)
	stdout, stderr, code := turnproof(t, "check", whole, "--json")
	if code != cli.ExitHolds {
		t.Fatal(code, stderr)
	}
	vcs, premises := used(t, stdout)
	if premises["service levels"] != "by path; any for 2288 pairs that the file leaves out (path-sl.txt)" || premises["SL to VL"] != "by switch and ports, "+lanes+" (opensm-sl2vl.dump)" {
		t.Errorf("%v", premises)
	}
	named, _, code := turnproof(t, "check", whole, "-r", filepath.Join(whole, "opensm-lfts.dump"), "--json")
	if k, _ := used(t, named); code != cli.ExitHolds || k != vcs {
		t.Errorf("the table named: status %d, %d virtual channels, want %d", code, k, vcs)
	}
	records := fabricFolder(t, files[:3]...)
	copyDump(t, records, files[3], pathRecords(records))
	stdout, stderr, code = turnproof(t, "check", records, "--json")
	if code != cli.ExitHolds {
		t.Fatal("path records:", code, stderr)
	}
	if k, _ := used(t, stdout); k != vcs {
		t.Errorf("path records: %d virtual channels, want %d", k, vcs)
	}
	stdout, _, code = turnproof(t, "check", fabricFolder(t, files[:3]...), "--json")
	if code != cli.ExitUndecided || !strings.Contains(stdout, "no file tells the service levels of the paths") || !strings.Contains(stdout, "saquery -p") {
		t.Errorf("no service levels: status %d, %s", code, stdout)
	}
	stdout, _, code = turnproof(t, "check", fabricFolder(t, files[0], files[1], files[3]), "--json")
	if _, premises = used(t, stdout); code == 2 ||
		!regexp.MustCompile(`^VL = SL at every switch, which has \d+ data VLs \(assumed\)$`).MatchString(premises["SL to VL"]) {
		t.Errorf("no SL-to-VL tables: status %d, %v", code, premises)
	}
}

// TestLevelsAny checks that a proof for any service levels is printed as such.
func TestLevelsAny(t *testing.T) {
	const fabric = "mesh3x3/torus-2QoS/"
	dir := fabricFolder(t, "mesh3x3/topology.ibnetdiscover", fabric+"opensm-lfts.dump", fabric+"opensm-sl2vl.dump")
	stdout, stderr, code := turnproof(t, "check", dir, "--json")
	if code != cli.ExitHolds {
		t.Fatal(code, stderr)
	}
	if vcs, premises := used(t, stdout); vcs != 96 || !strings.HasPrefix(premises["service levels"], "any that has a data VL") {
		t.Errorf("%d virtual channels, %v", vcs, premises)
	}
}

// TestNoLIDs checks that a dump without LIDs, from before the subnet manager ran, is an error.
func TestNoLIDs(t *testing.T) {
	dir := t.TempDir()
	copyDump(t, dir, "mesh3x3/topology.ibnetdiscover", func(s string) string {
		return regexp.MustCompile(`\blid \d+`).ReplaceAllString(s, "lid 0")
	})
	_, stderr, code := turnproof(t, "check", filepath.Join(dir, "topology.ibnetdiscover"), "-r", "updown")
	if code != 2 || !strings.Contains(stderr, "none of the 18 hosts") || !strings.Contains(stderr, "LID") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("status %d, %q", code, stderr)
	}
}

// TestConvertFits checks that the network and the tables written for a spec fit together.
func TestConvertFits(t *testing.T) {
	for _, to := range []string{"ibnetdiscover", "subnet"} {
		dir := t.TempDir()
		for _, line := range [][]string{
			{"convert", "mesh:3x3,hosts=2", "--to", to, "-o", filepath.Join(dir, "net")},
			{"table", "mesh:3x3,hosts=2", "-r", "updown", "--kind", "next-hops", "--format", "opensm", "-o", filepath.Join(dir, "lfts"), "-q"},
		} {
			if _, stderr, code := turnproof(t, line...); code != 0 || stderr != "" {
				t.Fatal(line, code, stderr)
			}
		}
		stdout, stderr, code := turnproof(t, "check", dir)
		if code != cli.ExitHolds || stderr != "" || !strings.Contains(stdout, "306 pairs of hosts") {
			t.Errorf("%s: status %d, %s%s", to, code, stdout, stderr)
		}
	}
}

// TestCompareLIDs checks that hosts with swapped LIDs are listed, and that their paths are
// unchanged.
func TestCompareLIDs(t *testing.T) {
	files := []string{"mesh3x3/topology.ibnetdiscover", "mesh3x3/minhop/opensm-lfts.dump"}
	old, now := fabricFolder(t, files...), t.TempDir()
	swap := func(a, b string) func(string) string {
		return func(s string) string { return strings.NewReplacer(a, b, b, a).Replace(s) }
	}
	copyDump(t, now, files[0], func(s string) string { return swap(" lid 1 ", " lid 5 ")(s) })
	copyDump(t, now, files[1], func(s string) string { return swap("\n0x0001 ", "\n0x0005 ")(s) })
	stdout, stderr, code := turnproof(t, "compare", old, now)
	if code != cli.ExitHolds && code != cli.ExitRefuted || strings.Count(stdout, "LID moved") != 2 ||
		!strings.Contains(stdout, "2 LIDs lead to another host") || !strings.Contains(stdout, "0 of 306 pairs of hosts take another path") {
		t.Errorf("status %d, %s%s", code, stdout, stderr)
	}
}
