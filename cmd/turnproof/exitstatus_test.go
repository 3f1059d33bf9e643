package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"

	"github.com/turnproof/turnproof/verify/smt"
)

// statusCases are commands with the exit status that docs/command-line.md promises.
var statusCases = []struct {
	code int
	line string
}{
	{cli.ExitHolds, "check mesh:3x3 -r dor"}, {cli.ExitRefuted, "check torus:4x4 -r dor"}, {cli.ExitUsage, "check mesh:3x3"}, {cli.ExitRefuted, "check mesh:3x3 -r minimal --fail links:1"},
	{cli.ExitHolds, "compare @random16-d4-s2/file-synth-updown/opensm-lfts.dump.gz @random16-d4-s2/file-synth-updown/opensm-lfts.dump.gz --network @random16-d4-s2/topology.ibnetdiscover"},
	{cli.ExitRefuted, "compare @mesh3x3/minhop/opensm-lfts.dump.gz @mesh3x3/file-wrong-host/opensm-lfts.dump.gz --network @mesh3x3/topology.ibnetdiscover"}, {cli.ExitUsage, "compare one two"},
	{cli.ExitHolds, "completion bash"}, {cli.ExitUsage, "completion tcsh"},
	{cli.ExitHolds, "config"}, {cli.ExitHolds, "config check"}, {cli.ExitUsage, "config nothing"},
	{cli.ExitHolds, "convert mesh:3x3 --to json"}, {cli.ExitUsage, "convert mesh:3x3 --to excel"},
	{cli.ExitHolds, "draw network mesh:3x3 -o - --format dot"}, {cli.ExitUsage, "draw network mesh:3x3"},
	{cli.ExitHolds, "enumerate mesh:2"}, {cli.ExitUsage, "enumerate mesh:9"}, {cli.ExitUndecided, "enumerate hv --choices maximal --search 1"},
	{cli.ExitHolds, "help"}, {cli.ExitHolds, "help check"}, {cli.ExitUsage, "help nothing"}, {cli.ExitHolds, "--help"}, {cli.ExitHolds, "--version"}, {cli.ExitHolds, ""}, {cli.ExitUsage, "nothing"},
	{cli.ExitHolds, "layers torus:4x4 --seconds 0.1"}, {cli.ExitRefuted, "layers @mesh3x3/topology.ibnetdiscover -r @mesh3x3/file-wrong-host/opensm-lfts.dump.gz --seconds 0.1"}, {cli.ExitUsage, "layers"},
	{cli.ExitHolds, "man"}, {cli.ExitHolds, "man sim"}, {cli.ExitUsage, "man nothing"},
	{cli.ExitHolds, "networks"}, {cli.ExitUsage, "networks mesh"},
	{cli.ExitHolds, "possible mesh:3x3"}, {cli.ExitRefuted, "possible mesh:2x1 --closed CLOSED"}, {cli.ExitUsage, "possible nowhere"},
	{cli.ExitUsage, "prove nothing"},
	{cli.ExitHolds, "replay mesh:3x3 -r dor"}, {cli.ExitRefuted, "replay torus:4x4 -r dor"}, {cli.ExitUsage, "replay mesh:3x3"},
	{cli.ExitHolds, "report mesh:3x3 -r dor --simulate=false -o PAGE"}, {cli.ExitRefuted, "report mesh:3x3 -r minimal --simulate=false -o PAGE"}, {cli.ExitUsage, "report mesh:3x3"},
	{cli.ExitHolds, "reproduce --list"}, {cli.ExitUsage, "reproduce nothing"},
	{cli.ExitHolds, "routings"}, {cli.ExitUsage, "routings dor"},
	{cli.ExitHolds, "sim mesh:3x3 -r dor --load 0.1 --clocks 1000"}, {cli.ExitRefuted, "sim torus:4x4 -r dor,vc-rule=plain --load 1 --clocks 20000"}, {cli.ExitUsage, "sim mesh:3x3 -r dor"},
	{cli.ExitHolds, "sweep mesh:3x3 -r dor --loads 0.1 --clocks 1000"}, {cli.ExitRefuted, "sweep torus:4x4 -r dor,vc-rule=plain --loads 1 --clocks 20000"}, {cli.ExitUsage, "sweep mesh:3x3 -r dor"},
	{cli.ExitUndecided, "sweep mesh:3x3 -r dor --loads 0.1 --journal JOURNAL --merge"},
	{cli.ExitHolds, "table mesh:3x3 -r dor"}, {cli.ExitUsage, "table mesh:3x3"},
	{cli.ExitHolds, "turns mesh:3x3 -m updown"}, {cli.ExitRefuted, "turns torus:4x4 -m lturn-alpha --marks never"}, {cli.ExitUsage, "turns mesh:3x3"},
	{cli.ExitHolds, "version"}, {cli.ExitUsage, "version 2"},
	{cli.ExitHolds, "vlan mesh:3x3"}, {cli.ExitRefuted, "vlan torus:4x4 -r dor --seconds 0.2"}, {cli.ExitUsage, "vlan torus:4x4"},
}

// TestExitStatuses of each command.
func TestExitStatuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "closed"), []byte("0 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[int]bool{}
	for _, c := range statusCases {
		line := strings.Fields(strings.NewReplacer("CLOSED", filepath.Join(dir, "closed"), "JOURNAL", filepath.Join(dir, "journal"), "PAGE", filepath.Join(dir, "page.html")).Replace(c.line))
		stdout, stderr, code := turnproof(t, line...)
		if code != c.code || (code == cli.ExitUsage) != strings.HasPrefix(stderr, "turnproof: ") && c.code != cli.ExitUndecided {
			t.Errorf("turnproof %s: exit status %d, want %d; stdout %.100q, stderr %q", c.line, code, c.code, stdout, stderr)
		}
		if len(line) > 0 {
			if seen[line[0]] == nil {
				seen[line[0]] = map[int]bool{}
			}
			seen[line[0]][code] = true
		}
	}
	for _, name := range cli.CommandNames(newProgram().App()) {
		if !seen[name][cli.ExitUsage] || !seen[name][cli.ExitHolds] && (name != "prove" || smt.Available()) && name != "prove" {
			t.Errorf("%s: statuses tried are %v", name, seen[name])
		}
	}
}

// TestExitStatusesOfProve, which wants Z3.
func TestExitStatusesOfProve(t *testing.T) {
	if !smt.Available() {
		t.Skip("built without Z3")
	}
	for line, want := range map[string]int{"prove dor --family mesh:1": cli.ExitHolds, "prove ../../examples/routing-programs/first-try.star": cli.ExitRefuted} {
		if _, stderr, code := turnproof(t, strings.Fields(line)...); code != want {
			t.Errorf("turnproof %s: exit status %d, want %d; %s", line, code, want, stderr)
		}
	}
}

// TestInterruptedStatus: without a terminal, too.
func TestInterruptedStatus(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs strings.Builder
	if code := run(ctx, strings.Fields("turnproof sim mesh:8x8 -r dor --load 0.2 --clocks 100000000"), &out, &errs); code != cli.ExitInterrupted || out.String() != "" || errs.String() != "turnproof: interrupted\n" {
		t.Errorf("exit status %d, %q, %q", code, out.String(), errs.String())
	}
}

// TestManual: pages that man and mandoc take without a word, with every flag.
func TestManual(t *testing.T) {
	app := newProgram().App()
	pages := map[string]string{}
	pages[""], _, _ = turnproof(t, "man")
	for _, name := range cli.CommandNames(app) {
		pages[name], _, _ = turnproof(t, "man", name)
		for _, f := range app.Command(name).Flags {
			flag := ".TP\n\\fB" + strings.ReplaceAll("--"+f.Names()[0], "-", `\-`)
			if !strings.Contains(pages[name], flag) || !strings.Contains(pages[""], flag) {
				t.Errorf("no --%s on the page of %s, or on that of all", f.Names()[0], name)
			}
		}
	}
	dir := t.TempDir()
	for name, page := range pages {
		if !strings.HasPrefix(page, ".TH ") {
			t.Errorf("man %s begins %.40q", name, page)
		}
		file := filepath.Join(dir, "turnproof"+name+".1")
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range [][]string{{"mandoc", "-T", "lint", "-W", "style"}, {"man", "--warnings", "-l"}} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			missing(t, "no %s on this machine: apt-get install mandoc man-db groff", tool[0])
		}
		for name := range pages {
			cmd := exec.CommandContext(t.Context(), tool[0], append(tool[1:], filepath.Join(dir, "turnproof"+name+".1"))...)
			cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANWIDTH=80", "PAGER=cat")
			var said strings.Builder
			if cmd.Stderr = &said; tool[0] == "mandoc" {
				cmd.Stdout = &said
			}
			if err := cmd.Run(); err != nil || said.String() != "" {
				t.Errorf("%v on the page %q: %v\n%s", tool, name, err, said.String())
			}
		}
	}
}

// TestCommandLineDocument: its command lines parse, and its statuses are ours.
func TestCommandLineDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/command-line.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range cli.ExitStatuses {
		if row := fmt.Sprintf("| %d | %s |\n", s.Code, s.About); !strings.Contains(string(text), row) {
			t.Errorf("no %q", row)
		}
	}
	lines := 0
	for _, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "    ") {
			continue
		}
		for _, words := range commandLines(strings.TrimSpace(line)) {
			if err := parses(words); err != nil {
				t.Errorf("%q: %v", line, err)
			}
			lines++
		}
	}
	if lines < 7 {
		t.Errorf("%d command lines", lines)
	}
	_, block, _ := strings.Cut(string(text), "```yaml\n")
	block, _, _ = strings.Cut(block, "```")
	configFolder(t, block, "")
	if stdout, stderr, code := turnproof(t, "config"); code != 0 || !strings.Contains(stdout, "dor updown") {
		t.Errorf("exit status %d, %q, %q", code, stdout, stderr)
	}
}
