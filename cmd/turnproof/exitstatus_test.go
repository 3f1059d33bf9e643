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
)

// TestInterruptedStatus checks the exit status and message of an interrupt without a terminal.
func TestInterruptedStatus(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs strings.Builder
	if code := run(ctx, strings.Fields("turnproof sim mesh:8x8 -r dor --load 0.2 --clocks 100000000"), &out, &errs); code != cli.ExitInterrupted ||
		out.String() != "" || errs.String() != "turnproof: interrupted\n" {
		t.Errorf("exit status %d, %q, %q", code, out.String(), errs.String())
	}
}

// TestManual checks that man and mandoc accept the manual pages, and that the pages contain every
// flag.
func TestManual(t *testing.T) {
	t.Parallel()
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
			if name != "" && name != "check" && !long() {
				continue // the page about all commands has all flags
			}
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

// TestCommandLineDocument checks that the command lines in docs/command-line.md parse, and that
// its exit statuses are those of the program.
func TestCommandLineDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/command-line.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range cli.ExitStatuses() {
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
