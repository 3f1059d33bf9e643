//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/batch"
	"github.com/turnproof/turnproof/internal/wording"
)

const slurmExperiment = `networks: ["mesh:8x8"]
routings: [dor]
traffics: [uniform]
loads: {from: 0.1, to: 0.3, step: 0.1}
seeds: 4
clocks: 40000
`

// cluster starts a Slurm cluster with one node. It runs until the test ends.
func cluster(t *testing.T) {
	t.Helper()
	script, err := filepath.Abs("../../examples/slurm/cluster.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "slurm-") // short, because the path of a socket has a limited length
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", script, "start", dir, "2")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		missing(t, "no Slurm to try: %v: %s", err, errs.String())
	}
	t.Cleanup(func() {
		if out, err := exec.Command("sh", script, "stop", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	t.Setenv(asProgram, "1")
}

// eventually waits until f returns true.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !f(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("in vain: ", what)
		}
	}
}

// pointsIn counts how often each point is in a journal.
func pointsIn(t *testing.T, file string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\{"index":(\d+),.*$`).FindAllSubmatch(text, -1) {
		count[string(m[1])]++
	}
	return count
}

// TestSlurm runs a sweep in a real Slurm. It kills one task and interrupts the waiting command.
// Two more calls of the command run exactly the lost points, and the files are the same as on one
// machine.
func TestSlurm(t *testing.T) {
	longOnly(t, "TestSlurmInterrupted runs a sweep as a job")
	cluster(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	file, journal := at("e.yaml"), at("e.yaml.journal")
	if err := os.WriteFile(file, []byte(slurmExperiment), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := turnproof(t, "sweep", file, "--journal", at("local"), "--csv", at("local.csv"), "--jsonl", at("local.jsonl")); code != cli.ExitHolds {
		t.Fatal(code, stderr)
	}
	const points, tasks = 12, 4
	line := []string{"sweep", file, "--slurm", "--slurm-tasks", fmt.Sprint(tasks), "--slurm-option", "--partition=all", "--slurm-option", "--time=5",
		"--csv", at("r.csv"), "--jsonl", at("r.jsonl"), "--json"}

	// First call: it waits for the job. A task is killed, then the command is interrupted.
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out, errs bytes.Buffer
	ended := make(chan int)
	go func() { ended <- run(ctx, append([]string{"turnproof"}, line...), &out, &errs) }()
	victim := batch.Shard{}
	eventually(t, "a task with some of its points done", func() bool {
		shards, err := batch.Journals(journal)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range shards {
			if n := len(pointsIn(t, s.Journal(journal))); n > 0 && n < points/tasks {
				victim = s
				return true
			}
		}
		return false
	})
	job, err := exec.Command("squeue", "--noheader", "--format=%F").Output()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.Fields(string(job))[0]
	if text, err := exec.Command("scancel", "--signal=KILL", "--full", fmt.Sprintf("%s_%d", id, victim.I)).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for want, args := range map[string][]string{
		"another process waits for these jobs": line,
		"another sweep is at work on it":       {"sweep", file},
	} {
		if _, stderr, code := turnproof(t, append([]string{}, args...)...); code != cli.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit status %d, %s", args, code, stderr)
		}
	}
	if _, stderr, code := turnproof(t, "sweep", file, "--merge"); code != cli.ExitUndecided ||
		!strings.Contains(stderr, "of 12 points are missing, another process works on them") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	interrupt()
	if code := <-ended; code != cli.ExitUsage || out.Len() > 0 || !strings.Contains(errs.String(), "interrupted: job "+id+" continues") {
		t.Errorf("exit status %d, %s", code, errs.String())
	}

	// Second call: it waits for the rest of the job and names the killed task.
	stdout, stderr, code := turnproof(t, append([]string{}, line...)...)
	if code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, fmt.Sprintf("task %d did not finish ", victim.I)) ||
		!strings.Contains(stderr, fmt.Sprintf("%s_%d.log", id, victim.I)) ||
		strings.Count(stderr, "turnproof: task ") != 1 {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	kept, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lost := points - len(pointsIn(t, journal))
	if lost < 1 || lost >= points/tasks {
		t.Fatalf("%d points are lost", lost)
	}

	// Third call: it runs only the lost points.
	stdout, stderr, code = turnproof(t, append([]string{}, line...)...)
	if code != cli.ExitHolds || !strings.Contains(stderr, "1 task for "+wording.Count(lost, "point", "s")) {
		t.Fatalf("exit status %d, %s", code, stderr)
	}
	valid(t, "sweep.json", stdout)
	if whole, err := os.ReadFile(journal); err != nil || !bytes.HasPrefix(whole, kept) {
		t.Error("the journal was rewritten", err)
	}
	found := pointsIn(t, journal)
	for i := range points {
		if n := found[strconv.Itoa(i)]; n != 1 {
			t.Errorf("point %d is in the journal %d times", i, n)
		}
	}
	again, err := filepath.Glob(journal + ".slurm/*.log")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0 // points of tasks that ended: all except those that the killed task had finished
	for _, log := range again {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`, (\d+) of them run now`).FindAllSubmatch(text, -1) {
			n, err := strconv.Atoi(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			ran += n
		}
	}
	if want := points - (points/tasks - lost); ran != want || len(again) != tasks+1 {
		t.Errorf("%d points were run by tasks that ended, want %d; logs are %q", ran, want, again)
	}
	for _, f := range []string{"csv", "jsonl"} {
		want, err := os.ReadFile(at("local." + f))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(at("r." + f)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("r.%s is not as on one machine: %v\n%s\n%s", f, err, got, want)
		}
	}
	if left, err := batch.Journals(journal); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

// TestSlurmOthers runs the work of other commands in a real Slurm. Output and exit status are those of
// one machine.
func TestSlurmOthers(t *testing.T) {
	longOnly(t, "TestShardsAndMerge runs the same shards without Slurm")
	cluster(t)
	for _, line := range []string{
		"check mesh:6x5 -r updown --fail links:1 --json",
		"enumerate mesh:4 --choices one-per-cycle --limit 3 --json",
		"reproduce vlan/theorem-1 --format csv -o FILE",
		"check ring:5 -r minimal --fail switches:1 --sarif FILE --waiting=any",
	} {
		whole, journal := runs(t, line), filepath.Join(t.TempDir(), "j")
		inSlurm := runs(t, line, "--journal", journal, "--slurm", "--slurm-tasks", "3", "--slurm-option", "--time=5")
		told := regexp.MustCompile(`turnproof: job \d+: 3 tasks for .*\n`)
		if found := told.FindAllString(inSlurm, -1); len(found) != 1 || told.ReplaceAllString(inSlurm, "") != whole {
			t.Errorf("%s: %q\nin Slurm:\n%s\nwhole:\n%s", line, found, inSlurm, whole)
		}
		if logs, err := filepath.Glob(journal + ".slurm/*.log"); err != nil || len(logs) != 3 {
			t.Errorf("%s: logs are %q, %v", line, logs, err)
		}
	}
}

// TestSlurmInterrupted uses scripts in place of the programs of Slurm. An interrupted command says
// how to continue, or cancels the job. --slurm-dry-run writes the script without Slurm. If no
// point is missing, the command does not need Slurm.
func TestSlurmInterrupted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	journal := filepath.Join(dir, "j")
	line := []string{"sweep", "mesh:3x3", "-r", "dor", "-r", "updown,root=1", "--traffic", "uniform", "--loads", "0.1,0.2", "--clocks", "2000",
		"--journal", journal, "--slurm"}
	slurm := func(wait time.Duration, flags ...string) (string, string, int) {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		defer cancel()
		var out, errs bytes.Buffer
		code := run(ctx, append(append([]string{"turnproof"}, line...), flags...), &out, &errs)
		return out.String(), errs.String(), code
	}
	const long = time.Minute
	if _, stderr, code := slurm(long); code != cli.ExitUsage || !strings.Contains(stderr, "slurm: ") {
		t.Errorf("without Slurm: exit status %d, %s", code, stderr)
	}
	stdout, stderr, code := slurm(long, "--slurm-dry-run", "--slurm-tasks", "3", "--slurm-option", "--account=a b")
	script, err := os.ReadFile(strings.TrimSpace(stdout))
	if code != cli.ExitHolds || stderr != "" || err != nil {
		t.Fatalf("exit status %d, %s, %v", code, stderr, err)
	}
	for _, want := range []string{"--array=1-3\n", "--account=a b\n", " '--routing=dor' '--routing=updown,root=1' ",
		"'--journal=" + journal + "' '--shard='\"$SLURM_ARRAY_TASK_ID\"'/3' '--' 'mesh:3x3'"} {
		if !strings.Contains(string(script), want) {
			t.Errorf("no %q in\n%s", want, script)
		}
	}
	for name, text := range map[string]string{"squeue": "[ -e '" + dir + "/cancelled' ] || echo 7 RUNNING", "sbatch": "echo 7",
		"scancel": "echo \"$@\" > '" + dir + "/cancelled'"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if stdout, stderr, code := slurm(long, "--slurm-no-wait"); code != cli.ExitHolds || stdout != "7\n" ||
		!strings.Contains(stderr, "job 7 is queued by Slurm: 0 waiting, 1 running") {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	if _, stderr, code := slurm(time.Second / 2); code != cli.ExitUsage || !strings.Contains(stderr,
		`interrupted: job 7 continues; the same command waits for the job again, "scancel 7" ends it`) {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	if _, stderr, code := slurm(time.Second/2, "--slurm-cancel"); code != cli.ExitUsage || !strings.Contains(stderr, "job 7 is cancelled") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "cancelled")); err != nil || string(text) != "7\n" {
		t.Errorf("scancel %s, %v", text, err)
	}
	// The job has ended without a result, so all its tasks are named.
	if _, stderr, code := slurm(long); code != cli.ExitUsage || strings.Count(stderr, "there is no log") != 4 ||
		!strings.Contains(stderr, "4 of 4 points are missing") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
	if _, stderr, code := turnproof(t, line[:len(line)-1]...); code != cli.ExitHolds {
		t.Fatal(code, stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "squeue"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := slurm(long); code != cli.ExitHolds || strings.Count(stdout, "\n") != 5 {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}
