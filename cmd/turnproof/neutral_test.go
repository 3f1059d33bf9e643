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

// checked returns the dependencies and the verdicts that check prints as JSON.
func checked(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := turnproof(t, append([]string{"check", "--json"}, args...)...)
	if code == cli.ExitUsage {
		t.Fatal(stderr)
	}
	var j struct {
		Dependencies int
		Claims       []struct{ Claim, Verdict string }
	}
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(j)
}

// TestNeutralRoundTrip writes routings as tables of hops and paths, and checks what is read back.
func TestNeutralRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ network, routing, kinds string }{
		{"mesh:3x3", "west-first", "input-hops"},
		{"mesh:3x3", "dor", "input-hops paths"},
		{"torus:4x4,vcs=2", "dor", "input-hops paths"},
		{"torus:4x4,vcs=3", "duato", "input-hops"},
		{"torus:3x3", "minimal", "input-hops"},
		{"dragonfly:a=4,h=1,p=1,vcs=3", "dragonfly-valiant", "input-hops"},
		{"random:switches=10,degree=3,seed=2", "turn-addition,paths=table", "next-hops input-hops paths"},
		{"random:switches=10,degree=3,seed=2", "updown,paths=drawn", "input-hops"},
	} {
		want := checked(t, c.network, "-r", c.routing)
		for _, kind := range strings.Fields(c.kinds) {
			for _, format := range []string{"csv", "json"} {
				file := filepath.Join(t.TempDir(), "table")
				if _, stderr, code := turnproof(t, "table", c.network, "-r", c.routing, "--kind", kind, "--format", format, "-o", file); code != cli.ExitHolds {
					t.Fatal(stderr)
				}
				if got := checked(t, c.network, "-r", file); got != want {
					t.Errorf("%s, %s, %s as %s: %s, want %s", c.network, c.routing, kind, format, got, want)
				}
			}
		}
	}
}

// TestNeutralTables checks tables by nodes, also for some of the pairs. No packet arrives at a host without a row.
func TestNeutralTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	ring, clockwise := "a,b\n", "node,destination,next\n"
	for i := range 5 {
		ring += fmt.Sprintf("n%d,n%d\n", i, (i+1)%5)
		for k := range 4 {
			clockwise += fmt.Sprintf("n%d,n%d,n%d\n", i, (i+k+1)%5, (i+1)%5)
		}
	}
	edges, table := write("edges.csv", ring), write("next-hops.csv", clockwise)
	for _, c := range []struct {
		flows, want string
		code        int
	}{
		{"", "REFUTED    deadlock-free", cli.ExitRefuted},
		{"n0:n2,n1:n3,n2:n4", "PROVED     deadlock-free", cli.ExitHolds},
		{write("pairs.csv", "source,destination\nn0,n2\nn1,n3\nn2,n4\nn3,n0\nn4,n1\n"), "REFUTED    deadlock-free", cli.ExitRefuted},
		{write("pairs.json", `[{"source": "n0", "destination": "n1"}]`), "flows: 1 pair of hosts (pairs.json)", cli.ExitHolds},
		{"n0:n9", "no node \"n9\" in the network", cli.ExitUsage},
		{filepath.Join(dir, "none.csv"), "no such file", cli.ExitUsage},
	} {
		args := []string{"check", edges, "-r", table}
		if c.flows != "" {
			args = append(args, "--flows", c.flows)
		}
		stdout, stderr, code := turnproof(t, args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("--flows %q: exit status %d, %s%s", c.flows, code, stdout, stderr)
		}
	}
	short := write("short.csv", "node,destination,next\nn0,n1,n1\n")
	if stdout, _, code := turnproof(t, "check", edges, "-r", short); code != cli.ExitRefuted || !strings.Contains(stdout, "19 of 20 pairs of source and destination are not connected") {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	for _, args := range [][]string{
		{"sim", "mesh:3x3", "-r", "dor", "--load", "0.1", "--flows", "h0:h1", "--traffic", "transpose"},
	} {
		if stdout, stderr, code := turnproof(t, args...); code != cli.ExitUsage || !strings.Contains(stderr, "--flows") {
			t.Errorf("%v: exit status %d, %s%s", args, code, stdout, stderr)
		}
	}
	stdout, stderr, code := turnproof(t, "sim", "mesh:3x3", "-r", "dor", "--load", "0.1", "--clocks", "2000", "--flows", "h0:h8,h8:h0")
	if code != cli.ExitHolds || !strings.Contains(stdout, "traffic flows") {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
}
