package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

const smallExperiment = `networks: ["mesh:4x4,vcs=2", "ring:6"]
routings: [updown, "lturn-alpha,root=1"]
traffics: [uniform, tornado]
loads: {from: 0.05, to: 0.25, step: 0.1}
seeds: 2
clocks: 4000
`

// results returns the output without the parts that differ between runs.
func results(t *testing.T, stdout string) string {
	t.Helper()
	v := valid(t, "sweep.json", stdout)
	list := v["results"].([]any)
	for _, r := range list {
		delete(r.(map[string]any), "seconds")
	}
	return fmt.Sprintf("%d %v", len(list), list)
}

// TestSweepResumes checks that an interrupted sweep resumes and gives the results of an
// uninterrupted one. If the journal is complete, nothing runs.
func TestSweepResumes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "experiment.yaml")
	if err := os.WriteFile(file, []byte(smallExperiment), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := turnproof(t, "sweep", file, "--json")
	if code != cli.ExitHolds || stderr != "" {
		t.Fatal(code, stderr)
	}
	want := results(t, stdout)
	journal := file + ".journal"
	whole, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(journal); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"turnproof", "sweep", file, "--json"}, &out, &errs); code == cli.ExitHolds {
		t.Log("it was done before it could be broken off")
	}
	if stdout, stderr, code = turnproof(t, "sweep", file, "--json"); code != cli.ExitHolds || results(t, stdout) != want {
		t.Errorf("exit status %d, %s: resumed, it differs", code, stderr)
	}
	again, err := os.ReadFile(journal)
	if err != nil || bytes.Count(again, []byte("\n")) != bytes.Count(whole, []byte("\n")) {
		t.Errorf("%v: the journal has %d lines, %d were expected", err, bytes.Count(again, []byte("\n")), bytes.Count(whole, []byte("\n")))
	}
	if stdout, _, _ = turnproof(t, "sweep", file, "--json", "--workers", "1"); results(t, stdout) != want {
		t.Error("from the journal it differs")
	}
	if after, _ := os.ReadFile(journal); !bytes.Equal(after, again) {
		t.Error("something ran again")
	}
	if err := os.WriteFile(file, []byte(smallExperiment+"packet: 4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code = turnproof(t, "sweep", file); code != cli.ExitUsage || !strings.Contains(stderr, "another experiment") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}

// TestSweepFiles checks sweeps by flags and their output files. A point that deadlocks gives exit
// status 1.
func TestSweepFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	stdout, stderr, code := turnproof(t, "sweep", "torus:4x4,vcs=2", "-r", "dor", "-r", "updown,root=1", "--loads", "0.1,0.3", "--clocks", "2000",
		"--csv", at("r.csv"), "--jsonl", at("r.jsonl"), "--latency", at("l.svg"), "--throughput", at("t.pdf"))
	if code != cli.ExitHolds || stderr != "" || strings.Count(stdout, "\n") != 5 {
		t.Errorf("exit status %d, %s%s", code, stderr, stdout)
	}
	for name, want := range map[string]string{"r.csv": "updown,root=1", "r.jsonl": `"mean_latency"`, "l.svg": "<svg", "t.pdf": "%PDF"} {
		if text, err := os.ReadFile(at(name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %q is not in it", name, err, want)
		}
	}
	stdout, _, code = turnproof(t, "sweep", "ring:6", "-r", "dor", "--loads", "0.1:0.9:0.4", "--clocks", "4000", "--json")
	if v := valid(t, "sweep.json", stdout); code != cli.ExitRefuted || len(v["results"].([]any)) != 3 {
		t.Errorf("exit status %d, %s", code, stdout)
	}
}

// TestSweepShards runs the shards of a sweep by flags and merges them. The files are the same as
// without shards.
func TestSweepShards(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	line := []string{"sweep", "mesh:4x4", "-r", "dor", "-r", "updown", "--loads", "0.1,0.2,0.3", "--clocks", "2000"}
	with := func(more ...string) []string { return append(append([]string{}, line...), more...) }
	if _, stderr, code := turnproof(t, with("--csv", at("local.csv"))...); code != cli.ExitHolds {
		t.Fatal(code, stderr)
	}
	for _, shard := range []string{"2/3", "1/3"} {
		stdout, stderr, code := turnproof(t, with("--journal", at("j"), "--shard", shard)...)
		if code != cli.ExitHolds || stderr != "" || !strings.HasPrefix(stdout, "shard "+shard+": 2 points, 2 of them run now, in ") {
			t.Errorf("exit status %d, %s%s", code, stdout, stderr)
		}
	}
	if stdout, _, code := turnproof(t, with("--journal", at("j"), "--shard", "1/3")...); code != cli.ExitHolds ||
		!strings.Contains(stdout, ", 0 of them run now") {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	if stdout, stderr, code := turnproof(t, with("--journal", at("j"), "--merge", "--csv", at("merged.csv"))...); code != cli.ExitUndecided ||
		stdout != "" || stderr != "turnproof: 2 of 6 points are missing\n" {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	if _, stderr, code := turnproof(t, with("--journal", at("j"), "--shard", "3/3")...); code != cli.ExitHolds {
		t.Error(code, stderr)
	}
	if _, stderr, code := turnproof(t, with("--journal", at("j"), "--merge", "--csv", at("merged.csv"))...); code != cli.ExitHolds || stderr != "" {
		t.Error(code, stderr)
	}
	local, err := os.ReadFile(at("local.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if merged, err := os.ReadFile(at("merged.csv")); err != nil || !bytes.Equal(merged, local) {
		t.Errorf("%v\n%s\n%s", err, merged, local)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 3 {
		t.Error(files, err)
	}
}
