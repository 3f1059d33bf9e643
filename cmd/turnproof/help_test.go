package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify/smt"
)

// TestHelpWidth checks that no line of help is too wide, and that every command has examples.
func TestHelpWidth(t *testing.T) {
	app := newProgram().App()
	lines := [][]string{{"--help"}}
	for _, c := range cli.ShownCommands(app) {
		lines = append(lines, []string{c.Name, "--help"}, []string{"help", c.Name})
		if len(cli.Examples(c.Description)) == 0 {
			t.Errorf("%s has no examples", c.Name)
		}
	}
	for _, line := range lines {
		stdout, stderr, code := turnproof(t, line...)
		if code != 0 || stderr != "" || !strings.Contains(strings.ToLower(stdout), "examples:\n") {
			t.Fatalf("%v: exit status %d, stderr %q, or no examples in\n%s", line, code, stderr, stdout)
		}
		for _, l := range strings.Split(stdout, "\n") {
			if len([]rune(l)) >= 100 || strings.HasSuffix(l, " ") {
				t.Errorf("%v: %d letters, or a blank at the end: %q", line, len(l), l)
			}
		}
	}
}

// TestHelpGroups checks that each flag of a command with many flags is in exactly one group.
func TestHelpGroups(t *testing.T) {
	app := newProgram().App()
	for _, c := range cli.ShownCommands(app) {
		shown := 0
		for _, g := range cli.Groups(c) {
			shown += len(g.Flags)
		}
		if shown != len(c.VisibleFlags()) {
			t.Errorf("%s: %d flags in groups, %d in all", c.Name, shown, len(c.VisibleFlags()))
		}
	}
	for _, name := range []string{"check", "sim"} {
		if k := len(cli.Groups(app.Command(name))); k < 4 {
			t.Errorf("%s: %d groups", name, k)
		}
	}
}

// exampleFolder returns a new folder with the files that examples name.
func exampleFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	one, err := filepath.Abs(fabrics + "mesh3x3/")
	if err != nil {
		t.Fatal(err)
	}
	workload, err := filepath.Abs("../../examples/workloads/halo.goal")
	if err != nil {
		t.Fatal(err)
	}
	design, err := filepath.Abs("../../examples/streams/join.mlir")
	if err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := turnproof(t, "convert", "mesh:4x4", "--to", "yaml", "-o", filepath.Join(dir, "fabric.yaml")); code != 0 {
		t.Fatal(stderr)
	}
	for name, file := range map[string]string{
		"topology.ibnetdiscover": one + "/topology.ibnetdiscover", "opensm-subnet.lst": one + "/opensm-subnet.lst.gz",
		"opensm-lfts.dump": one + "/minhop/opensm-lfts.dump.gz", "lfts.dump": one + "/minhop/opensm-lfts.dump.gz",
		"opensm.fdbs": one + "/dfsssp/opensm.fdbs", "path-sl.txt": one + "/dfsssp/path-sl.txt", "opensm-sl2vl.dump": one + "/dfsssp/opensm-sl2vl.dump.gz",
		"dumps/topology.ibnetdiscover": one + "/topology.ibnetdiscover", "dumps/rail1/topology.ibnetdiscover": one + "/topology.ibnetdiscover", "dumps/rail2/topology.ibnetdiscover": one + "/topology.ibnetdiscover",
		"dumps/rail1/opensm-lfts.dump": one + "/minhop/opensm-lfts.dump.gz", "dumps/rail2/opensm-lfts.dump": one + "/dfsssp/opensm-lfts.dump.gz",
		"dumps/opensm-lfts.dump":        one + "/minhop/opensm-lfts.dump.gz",
		"before/topology.ibnetdiscover": one + "/topology.ibnetdiscover", "before/opensm-lfts.dump": one + "/minhop/opensm-lfts.dump.gz",
		"after/topology.ibnetdiscover": one + "/topology.ibnetdiscover", "after/opensm-lfts.dump": one + "/torus-2QoS/opensm-lfts.dump.gz",
		"trace.goal":  workload,
		"design.mlir": design,
		"mended.lfts": one + "/file-wrong-host/opensm-lfts.dump.gz",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		// Copies are needed because some examples write files that others read.
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "roce"), os.DirFS("../../examples/day-roce/tuesday")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// slowExamples match examples that are only parsed. They take too long for a test, start routers or OpenSM, or need Z3,
// Slurm or a certain shell.
var slowExamples = regexp.MustCompile(`^turnproof (reproduce ([^-]|--all)|prove |enumerate (mesh:3|hv|torus:2)|sweep |` +
	`turns random|sim random|layers |lab |whatif |vlan torus|turns torus:8x8)| --slurm`)

// commandLines returns the words of each turnproof command in a shell line.
func commandLines(line string) (list [][]string) {
	line = strings.NewReplacer("source <(", "", "parallel turnproof", "turnproof", " ::: 1 2 3 4 5 6 7 8", "", ")", "").Replace(line)
	for _, part := range regexp.MustCompile(`\s*(;|\||&&)\s*`).Split(line, -1) {
		part, _, _ = strings.Cut(part, " > ")
		if words := strings.Fields(part); len(words) > 0 && words[0] == "turnproof" {
			list = append(list, words)
		}
	}
	return list
}

// parses returns the error of parsing the flags in words. It does not run the command.
func parses(words []string) error {
	list := commands()
	for _, c := range list {
		c.Action = func(*cli.Context) error { return nil }
	}
	var errs strings.Builder
	line := append([]string{words[0], "--config", ""}, words[1:]...)
	if code := (cli.Program{Version: version, Commands: list}).Run(context.Background(), line, io.Discard, &errs); code != cli.ExitHolds {
		return errors.New(errs.String())
	}
	return nil
}

// TestExamples parses the examples of all commands. It runs those whose input files exist.
func TestExamples(t *testing.T) {
	t.Chdir(exampleFolder(t))
	app := newProgram().App()
	ran, parsed := 0, 0
	texts := slices.Clone(cli.AppExamples())
	for _, c := range cli.ShownCommands(app) {
		texts = append(texts, cli.Examples(c.Description)...)
	}
	for _, text := range texts {
		lines := commandLines(text)
		if len(lines) == 0 {
			t.Errorf("no command in example %q", text)
		}
		for _, words := range lines {
			parsed++
			if err := parses(words); err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			line := strings.Join(words, " ")
			if slowExamples.MatchString(line) || !filesThere(app, words) || !long() && parsed%8 != 0 {
				continue
			}
			began := time.Now()
			var out, errs bytes.Buffer
			code := run(t.Context(), words, &out, &errs)
			if strings.Contains(errs.String(), "this build has no Z3") && !smt.Available() {
				continue
			}
			if code == cli.ExitUsage || out.Len() == 0 && !strings.Contains(line, " -o ") {
				t.Errorf("%s: exit status %d, stderr %q", line, code, errs.String())
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Logf("%s took %v", line, took)
			}
			ran++
		}
	}
	t.Logf("%d examples parsed, %d of them run", parsed, ran)
	if parsed < 60 || ran < 6 || long() && ran < 30 {
		t.Errorf("%d examples parsed, %d of them run", parsed, ran)
	}
}

// filesThere reports whether all input files of a command line exist.
func filesThere(app *cli.App, words []string) bool {
	name := regexp.MustCompile(`^[A-Za-z0-9./_-]+\.(dump|txt|lst|mlir|ibnetdiscover|fdbs|json|yaml|star|lfts|csv|journal)$`)
	cmd := app.Command(words[1])
	for i, w := range words[2:] {
		before := words[i+1]
		if f := cli.FlagCalled(cmd.Flags, strings.TrimLeft(before, "-")); strings.HasPrefix(before, "-") && f != nil && cli.IsOutput(f) {
			continue
		}
		_, tail, _ := strings.Cut(w, "trace:")
		if tail != "" {
			w = tail
		}
		if _, err := os.Stat(w); err != nil && (name.MatchString(w) || strings.HasSuffix(w, "/")) {
			return false
		}
	}
	return true
}
