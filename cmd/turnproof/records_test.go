package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// recorded is a command line in a script, with its recorded output.
type recorded struct {
	script, line   string
	stdout, stderr string
	code           int
}

var recordEnd = regexp.MustCompile(`(?m)^exit status (\d+)\n`)

// records returns the recorded command lines of all scripts.
func records(t *testing.T) (list []recorded) {
	t.Helper()
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, expected, _ := strings.Cut(string(text), "\n-- expected --\n")
		for _, part := range strings.Split("\n"+expected, "\n$ turnproof")[1:] {
			list = append(list, readRecord(t, file, part))
		}
	}
	return list
}

// readRecord parses the record of one command line. text starts after "$ turnproof".
func readRecord(t *testing.T, file, text string) recorded {
	t.Helper()
	end := recordEnd.FindStringSubmatchIndex(text)
	if end == nil {
		t.Fatalf("%s: no exit status after %.200q; run the test with -update", file, text)
	}
	r := recorded{script: file}
	r.code, _ = strconv.Atoi(text[end[2]:end[3]])
	line, printed, _ := strings.Cut(text[:end[0]], "\n")
	r.line = strings.TrimSpace(line)
	for l := range strings.Lines(printed) {
		if said, ok := strings.CutPrefix(l, "stderr: "); ok {
			r.stderr += said
		} else {
			r.stdout += l
		}
	}
	return r
}

// ofSeveral matches the output for several networks, which has results of those that can be read.
var ofSeveral = regexp.MustCompile(`(?m)^\d+ networks: .* ERROR\. TIME$|"schema": "turnproof.checks/1"|^{\n  "networks": \[`)

// TestRecordsOfWrongUse checks that each line with exit status 2 prints one line to standard error, after notes, and nothing to standard
// output. With several networks there is a line for each of them that cannot be read.
func TestRecordsOfWrongUse(t *testing.T) {
	for _, r := range records(t) {
		if r.code != cli.ExitUsage {
			continue
		}
		isNote := func(line string) bool { return strings.HasPrefix(line, "note: ") }
		lines := slices.DeleteFunc(strings.Split(strings.TrimSuffix(r.stderr, "\n"), "\n"), isNote)
		isError := func(line string) bool { return strings.HasPrefix(line, "turnproof: ") }
		isSeveral := ofSeveral.MatchString(r.stdout)
		if r.stdout != "" && !isSeveral || len(lines) != 1 && !isSeveral || slices.ContainsFunc(lines, func(line string) bool { return !isError(line) }) {
			t.Errorf("%s: turnproof %s: stdout %q, stderr %q; want no stdout and one line on stderr", r.script, r.line, r.stdout, r.stderr)
		}
	}
}

// TestRecordsOfStatuses checks that the scripts contain lines with status 0 and 2 for each
// command.
func TestRecordsOfStatuses(t *testing.T) {
	seen := map[string]map[int]bool{}
	for _, r := range records(t) {
		name, _, _ := strings.Cut(r.line, " ")
		if seen[name] == nil {
			seen[name] = map[int]bool{}
		}
		seen[name][r.code] = true
	}
	for _, name := range cli.CommandNames(newProgram().App()) {
		for _, code := range []int{cli.ExitHolds, cli.ExitUsage} {
			if name == "whatif" && code == cli.ExitHolds {
				continue // it starts OpenSM: TestWhatifJournal has such a line
			}
			if !seen[name][code] {
				t.Errorf("no line of %s with exit status %d: add one to testdata/script/status.txtar and run the test with -update", name, code)
			}
		}
	}
}
