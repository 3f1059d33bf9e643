package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestRerouteBefore: what was there before a cable or a host went is not passed over. Packets that block each other may be left from before,
// and packets to a host that is gone follow old entries.
func TestRerouteBefore(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	run := func(args ...string) {
		t.Helper()
		if _, stderr, code := turnproof(t, args...); code != cli.ExitHolds {
			t.Fatalf("%v: exit status %d, %s", args, code, stderr)
		}
	}
	run("convert", "torus:4", "--to", "ibnetdiscover", "-o", file("whole.topo"))
	whole, err := os.ReadFile(file("whole.topo"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Without the cable between the first switch and the last one.
	cut := regexp.MustCompile(`(?m)^\[2\]\s+"S-0000000000200003".*\n`).ReplaceAllString(string(whole), "")
	cut = regexp.MustCompile(`(?m)^\[1\]\s+"S-0000000000200000".*\n`).ReplaceAllString(cut, "")
	// Without the host h3.
	gone := regexp.MustCompile(`(?m)^\[3\].*"h3".*\n`).ReplaceAllString(string(whole), "")
	gone, _, _ = strings.Cut(gone, "caguid=0x10000006")
	write("cut.topo", cut)
	write("gone.topo", gone)
	run("table", "torus:4,vcs=1", "-r", "dor", "--kind", "next-hops", "--format", "opensm", "-o", file("cyclic.lfts"))
	for _, n := range []string{"whole", "cut", "gone"} {
		run("table", file(n+".topo"), "-r", "updown", "--paths", "table", "--kind", "next-hops", "--format", "opensm", "-o", file(n+".lfts"))
	}
	state := func(topology, tables string) string {
		path := file(topology + "-" + tables)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		for from, to := range map[string]string{topology + ".topo": "topology.ibnetdiscover", tables + ".lfts": "opensm-lfts.dump"} {
			text, err := os.ReadFile(file(from))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(path, to), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	for _, c := range []struct {
		old, now string
		code     int
		want     string
	}{
		{state("whole", "cyclic"), state("cut", "cut"), cli.ExitUndecided, "the old state is refuted on its own network"},
		{state("whole", "whole"), state("gone", "gone"), cli.ExitHolds, "packets to 1 host that is gone: follow old entries"},
		{state("whole", "whole"), state("gone", "whole"), cli.ExitUndecided, "the new tables have entries for 1 LID of no host of their topology (LID 4 first)"},
		{state("gone", "whole"), state("whole", "whole"), cli.ExitUndecided, "the old tables have entries for 1 LID of no host of their topology (LID 4 first)"},
		{state("gone", "gone"), state("whole", "whole"), cli.ExitHolds, "PROVED    in any order"},
		{state("whole", "whole"), state("cut", "cut"), cli.ExitRefuted, "none are left when the first entry changes"},
	} {
		args := []string{"reroute", c.old, c.now}
		if c.code != cli.ExitRefuted { // else the order is refuted
			args = append(args, "--drained")
		}
		stdout, stderr, code := turnproof(t, args...)
		if code != c.code || !strings.Contains(stdout, c.want) || c.code == cli.ExitUndecided && regexp.MustCompile(`\nPROVED +(in any|an) order`).MatchString(stdout) {
			t.Errorf("%s to %s: exit status %d, want %d with %q\n%s%s", filepath.Base(c.old), filepath.Base(c.now), code, c.code, c.want, stdout, stderr)
		}
	}
}
