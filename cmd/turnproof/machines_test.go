package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/batch"
)

// distributed are command lines whose work has parts for several machines. FILE is an output file.
var distributed = []string{
	"sweep mesh:3x3 -r dor -r updown --loads 0.1,0.2 --clocks 2000 --jsonl FILE",
	"check mesh:4x3 -r updown --fail links:1",
	"check mesh:4x3 -r updown --fail switches:1 --json --certificate FILE",
	"check ring:5 -r minimal --fail links:1 --json",
	"enumerate mesh:4 --choices one-per-cycle --limit 3",
	"enumerate mesh:4 --choices one-per-cycle --limit 3 --json",
	"reproduce nf1/fault-tolerance --json -o FILE",
	"reproduce vlan/theorem-1 --format csv",
}

// times are the run times in the output, and the lines that a long run writes about its progress.
var times = regexp.MustCompile(`(?m)[0-9.]+ s$|"seconds": [0-9.e-]+|in [0-9.]+ s|^turnproof: \d+ of \d+ \w+, \d+s.*\n`)

// runs runs a command line and returns everything that does not depend on time: the exit status, both
// outputs and the file.
func runs(t *testing.T, line string, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out")
	stdout, stderr, code := turnproof(t, append(strings.Fields(strings.ReplaceAll(line, "FILE", file)), flags...)...)
	written, err := filepath.Glob(file + "*")
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("exit status %d\n%s\n%s\n", code, stdout, stderr)
	for _, name := range written {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	return times.ReplaceAllString(strings.ReplaceAll(all, file, "FILE"), "")
}

// TestShardsAndMerge checks that shards and a merge give everything that one machine gives, and that
// nothing is computed twice. A shard that is killed, here by the end of its journal, continues.
func TestShardsAndMerge(t *testing.T) {
	for i, line := range distributed {
		if !long() && (i%2 == 1 || strings.HasPrefix(line, "enumerate hv")) {
			continue // TestInterruptedParts has these, and other spaces of enumerate
		}
		t.Run(line, func(t *testing.T) {
			whole := runs(t, line)
			journal := filepath.Join(t.TempDir(), "j")
			bare := regexp.MustCompile(` (--jsonl|--json|--certificate|--figure|-o)( FILE\S*)?`).ReplaceAllString(line, "")
			shard := func(i int) string {
				stdout, stderr, code := turnproof(t, append(strings.Fields(bare), "--journal", journal, "--shard", fmt.Sprintf("%d/3", i))...)
				stderr = times.ReplaceAllString(stderr, "")
				if code != cli.ExitHolds || stderr != "" || !strings.HasPrefix(stdout, fmt.Sprintf("shard %d/3: ", i)) {
					t.Fatalf("exit status %d, %s%s", code, stdout, stderr)
				}
				return stdout
			}
			shard(1)
			if stdout, stderr, code := turnproof(t, append(strings.Fields(bare), "--journal", journal, "--merge")...); code != cli.ExitUndecided ||
				stdout != "" || !strings.Contains(stderr, "s are missing\n") {
				t.Errorf("exit status %d, %s%s", code, stdout, stderr)
			}
			shard(2)
			second := batch.Shard{I: 2, N: 3}.Journal(journal)
			text, err := os.ReadFile(second)
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.SplitAfter(text, []byte("\n"))
			if len(lines) < 3 {
				t.Fatalf("%d lines in the journal of a shard", len(lines))
			}
			if err := os.WriteFile(second, bytes.Join(lines[:len(lines)-2], nil), 0o600); err != nil {
				t.Fatal(err)
			}
			if stdout := shard(2); !strings.Contains(stdout, ", 1 of them run now") {
				t.Error(stdout)
			}
			shard(3)
			if merged := runs(t, line, "--journal", journal, "--merge"); merged != whole {
				t.Errorf("merged:\n%s\nwhole:\n%s", merged, whole)
			}
			if again := runs(t, line, "--journal", journal); again != whole {
				t.Errorf("from the journal:\n%s\nwhole:\n%s", again, whole)
			}
			if left, err := batch.Journals(journal); err != nil || len(left) > 0 {
				t.Error(left, err)
			}
		})
	}
}

// TestInterruptedParts checks that an interrupted run on one machine continues from its journal, with
// the results of one that was not interrupted.
func TestInterruptedParts(t *testing.T) {
	for i, line := range distributed {
		if !long() && (i%2 == 0 || strings.HasPrefix(line, "reproduce")) {
			continue // TestShardsAndMerge has these, and another line of reproduce
		}
		t.Run(line, func(t *testing.T) {
			journal := filepath.Join(t.TempDir(), "j")
			whole := runs(t, line, "--journal", journal)
			text, err := os.ReadFile(journal)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(journal, text[:len(text)*2/3], 0o600); err != nil { // within a line
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
			defer cancel()
			run(ctx, append([]string{"turnproof"}, append(strings.Fields(strings.ReplaceAll(line, "FILE", filepath.Join(t.TempDir(), "x"))),
				"--journal", journal)...), &bytes.Buffer{}, &bytes.Buffer{})
			if again := runs(t, line, "--journal", journal); again != whole {
				t.Errorf("after an interrupt:\n%s\nwhole:\n%s", again, whole)
			}
			if after, err := os.ReadFile(journal); err != nil || bytes.Count(after, []byte("\n")) != bytes.Count(text, []byte("\n")) {
				t.Errorf("%d lines in the journal, want %d; %v", bytes.Count(after, []byte("\n")), bytes.Count(text, []byte("\n")), err)
			}
		})
	}
}

// TestMachinesRefused checks the errors of flags that do not fit together.
func TestMachinesRefused(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "j")
	for line, want := range map[string]string{
		"check mesh:3x3 -r dor --journal J":                                   "--journal needs --fail",
		"check mesh:3x3 -r dor --fail links:1 --merge":                        "--journal is missing: want a file that the machines share",
		"check mesh:3x3 -r dor --fail links:1 --journal J --shard 1/2 --json": "--json: a shard has only a part of the results; use the flag with --merge",
		"check mesh:3x3 -r dor --fail links:1 --journal J --shard 3/2":        `check: shard "3/2", I/N with 1 <= I <= N <= 100000 was expected`,
		"enumerate mesh:2 --journal J --shard 1/2 --merge":                    "--shard, --merge and --slurm exclude each other",
		"enumerate mesh:2 --slurm-tasks 4":                                    "--slurm-tasks needs --slurm",
		"enumerate mesh:2 --journal J --slurm --slurm-option --array=1":       "--slurm-option: slurm: sbatch's option --array is set already",
		"reproduce --list --journal J":                                        "--journal goes with --all or the name of a figure",
		"reproduce vlan/table-1 --journal J --shard 1/2 -o x":                 "--output: a shard has only a part of the results",
		"enumerate mesh:2 --choices fewest --journal J":                       "--journal: --choices fewest of mesh:2 has no parts, it runs on one machine",
	} {
		if _, stderr, code := turnproof(t, strings.Fields(strings.ReplaceAll(line, "J", journal))...); code != cli.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit status %d, %s", line, code, stderr)
		}
	}
	runs(t, "check mesh:3x3 -r dor --fail links:1", "--journal", journal)
	for _, line := range []string{"check mesh:3x3 -r dor --fail switches:1", "check mesh:3x3 -r updown --fail links:1", "check mesh:3x4 -r dor --fail links:1"} {
		if all := runs(t, line, "--journal", journal); !strings.Contains(all, "is of another network, routing, sizes or kind of failures: name another journal") {
			t.Errorf("%s: %s", line, all)
		}
	}
	if all := runs(t, "reproduce vlan/table-1", "--journal", journal); !strings.Contains(all, "it is no journal of reproduce") {
		t.Error(all)
	}
	if all := runs(t, "enumerate mesh:4 --choices one-per-cycle", "--journal", journal); !strings.Contains(all, "is not a journal; the file was not changed") {
		t.Error(all)
	}
}
