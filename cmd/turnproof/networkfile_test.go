package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine/sweep"
)

// fileOf writes a file into a new folder and returns its path.
func fileOf(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const yamlSquare = "# a square\nschema: turnproof.network/1\ngrid: {sides: [2, 2], wrap: [false, false]}\nswitches: [{}, {}, {}, {}]\n" +
	"links:\n  - {a: 0, b: 1}\n  - {a: 0, b: 2}\n  - {a: 1, b: 3}\n  - {a: 2, b: 3}\n"

// TestSweepNetworkYAML checks that sweep does not take a network in YAML for an experiment.
func TestSweepNetworkYAML(t *testing.T) {
	stdout, stderr, code := turnproof(t, "sweep", fileOf(t, "net.yaml", yamlSquare), "-r", "updown", "--loads", "0.1", "--clocks", "2000")
	if code != cli.ExitHolds || strings.Count(stdout, "\n") != 2 {
		t.Errorf("exit status %d, %s%s", code, stderr, stdout)
	}
}

// TestExperimentIsNoNetwork checks the error for an experiment file in place of a network.
func TestExperimentIsNoNetwork(t *testing.T) {
	for _, k := range sweep.Keys() {
		value := "[x]"
		if k.Name == "links" {
			value = "links.csv" // a list belongs to a network
		}
		path := fileOf(t, "ex.yaml", "# experiment\n"+k.Name+": "+value+"\n")
		_, stderr, code := turnproof(t, "check", path, "-r", "updown")
		if code != cli.ExitUsage || !strings.Contains(stderr, "experiment") || !strings.Contains(stderr, "turnproof sweep") {
			t.Errorf("%s: exit status %d, %s", k.Name, code, stderr)
		}
	}
}

// TestNothingToJudge checks that a network without pairs of hosts is an error and not a proof.
func TestNothingToJudge(t *testing.T) {
	for _, network := range []string{"mesh:1x1", "mesh:2x2,hosts=0", fileOf(t, "none.edges", "hosts none\n0 1\n1 2\n")} {
		for _, line := range [][]string{
			{"check", network, "-r", "updown"}, {"check", network, "-r", "updown", "--json"}, {"check", network, "-r", "updown", "--switching", "wormhole"},
			{"report", network, "-r", "updown", "-o", filepath.Join(t.TempDir(), "r.html")},
			{"sim", network, "-r", "updown", "--load", "0.1"}, {"sweep", network, "-r", "updown", "--loads", "0.1"},
		} {
			stdout, stderr, code := turnproof(t, line...)
			if code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, "host") {
				t.Errorf("%v: exit status %d, stdout %q, stderr %q", line, code, stdout, stderr)
			}
		}
	}
}

// TestCableNames checks a ring in a DOT file without hosts. Each switch gets one host, which a
// note and a premise say. The cycle shows the port names of the file.
func TestCableNames(t *testing.T) {
	const ring = `graph {
  "leaf1":"swp1" -- "leaf2":"swp2"; "leaf2":"swp1" -- "leaf3":"swp2"; "leaf3":"swp1" -- "leaf4":"swp2"; "leaf4":"swp1" -- "leaf1":"swp2";
}`
	path := fileOf(t, "ring.dot", ring)
	stdout, stderr, code := turnproof(t, "check", path, "-r", "minimal")
	if code != cli.ExitRefuted || !strings.Contains(stdout, "leaf1 port swp1 -> leaf2 port swp2") ||
		!strings.Contains(stdout, "hosts: one at each of 4 switches, since no node is called a host (assumed)") {
		t.Errorf("exit status %d, %s%s", code, stderr, stdout)
	}
	if !strings.Contains(stderr, "--hosts PATTERN chooses") {
		t.Errorf("no note: %s", stderr)
	}
	stdout, _, code = turnproof(t, "check", path, "-r", "minimal", "--hosts", "at:leaf1,leaf2")
	if code != cli.ExitHolds || !strings.Contains(stdout, "hosts: one at each of 2 switches that match leaf1,leaf2 (--hosts)") {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	for _, network := range []string{"ring:4", fileOf(t, "n.yaml", yamlSquare)} {
		if _, stderr, code = turnproof(t, "check", network, "-r", "updown", "--hosts", "x"); code != cli.ExitUsage ||
			!strings.Contains(stderr, "--hosts applies to") {
			t.Errorf("%s: exit status %d, %s", network, code, stderr)
		}
	}
	for _, line := range [][]string{{"convert", path, "--to", "json"}, {"table", path, "-r", "updown"}, {"turns", path, "-m", "updown"}} {
		if _, stderr, code := turnproof(t, append(line, "--hosts", "at:leaf1,leaf3")...); code != cli.ExitHolds {
			t.Errorf("%v: exit status %d, %s", line, code, stderr)
		}
	}
}
