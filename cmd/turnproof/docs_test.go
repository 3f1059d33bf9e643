package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/verify/smt"
)

// This file checks that the commands in docs print the output shown there.

// shownCommand is a command in a page, with the output shown below it. The output may be cut at
// the end, and a line "..." replaces any number of lines.
type shownCommand struct {
	line  string
	shown []string
	z3    bool // needs Z3: is prove, or follows a line "<!-- wants Z3 -->"
	long  bool // is turnproof-check, or follows a line "<!-- takes long -->" or "<!-- wants Z3, takes long -->"; runs only if TURNPROOF_LONG is set
}

// commandsOf returns the commands in a page: the lines "$ turnproof ..." in fenced or indented
// code blocks. The lines up to the next command or the end of the block are the output.
func commandsOf(page string) (list []shownCommand) {
	var open *shownCommand
	fenced, mark := false, ""
	end := func() {
		if open != nil {
			for k := len(open.shown); k > 0 && open.shown[k-1] == ""; k-- {
				open.shown = open.shown[:k-1]
			}
			list = append(list, *open)
		}
		open = nil
	}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			end()
			if fenced = !fenced; !fenced {
				mark = ""
			}
			continue
		}
		text, within := line, fenced
		if !fenced {
			text, within = strings.CutPrefix(line, "    ")
			within = within || open != nil && line == ""
		}
		switch {
		case !within:
			end()
			if line != "" {
				mark = line
			}
		case strings.HasPrefix(text, "$ turnproof"):
			end()
			open = &shownCommand{line: text, long: marks(mark, "takes long") || strings.HasPrefix(text, "$ turnproof-check "),
				z3: marks(mark, "wants Z3") || strings.HasPrefix(text, "$ turnproof prove ")}
		case open != nil:
			open.shown = append(open.shown, text)
		}
	}
	end()
	return list
}

// marks reports whether a line of a page is a comment with a mark.
func marks(line, mark string) bool {
	list, ok := strings.CutPrefix(line, "<!-- ")
	list, end, _ := strings.Cut(list, " -->")
	return ok && end == "" && slices.Contains(strings.Split(list, ", "), mark)
}

// filesOf returns the files in a page by name. A file is a line "<!-- file NAME -->" with a fenced
// block below it.
func filesOf(page string) map[string]string {
	files := map[string]string{}
	for _, part := range strings.Split(page, "\n<!-- file ")[1:] {
		name, rest, _ := strings.Cut(part, " -->\n")
		_, rest, _ = strings.Cut(rest, "```")
		_, rest, _ = strings.Cut(rest, "\n")
		files[name], _, _ = strings.Cut(rest, "```")
	}
	return files
}

// storyOf maps a page to the folder of examples with the files that its commands use.
var storyOf = map[string]string{"routing-programs.md": "routing-programs", "routing-programs-reference.md": "routing-programs",
	"routing-programs-proofs.md": "routing-programs", "vlan-ethernet.md": "vlan-ethernet", "finite-flows.md": "streams",
	"theorems/every-network.md": "routing-programs"}

// docsFolder returns a new folder to run the commands of a page in. It contains the fabrics and
// the files of the example that the page describes.
func docsFolder(t *testing.T, page string) string {
	t.Helper()
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, folder := range []string{"fabrics", "protocols"} {
		if err := os.CopyFS(filepath.Join(dir, "examples", folder), os.DirFS(filepath.Join(examples, folder))); err != nil {
			t.Fatal(err)
		}
	}
	if story, ok := storyOf[page]; ok {
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(examples, story))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// buildChecker builds turnproof-check.
func buildChecker(t *testing.T) string {
	t.Helper()
	return buildCommand(t, "turnproof-check")
}

// buildCommand builds commands of this module into one folder. It returns the path of the program
// called name.
func buildCommand(t *testing.T, name string, others ...string) string {
	t.Helper()
	dir := t.TempDir()
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", dir + string(filepath.Separator)}
	for _, n := range append([]string{name}, others...) {
		args = append(args, "github.com/turnproof/turnproof/cmd/"+n)
	}
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(dir, name)
}

// runShown runs a command of a page and returns its standard output. If the command fails with
// exit status 2, runShown returns standard error, because pages also show errors.
func runShown(t *testing.T, checker string, c shownCommand) (printed string) {
	t.Helper()
	line := c.line
	words := strings.Fields(strings.TrimPrefix(line, "$ "))
	if words[0] == "turnproof-check" {
		out, err := exec.CommandContext(t.Context(), checker, words[1:]...).Output()
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		return string(out)
	}
	printed, stderr, code := turnproof(t, words[1:]...)
	if code == cli.ExitUsage && len(c.shown) == 0 {
		t.Errorf("%s: %s", line, stderr)
	}
	if code == cli.ExitUsage {
		return stderr
	}
	return printed
}

// pagesOf returns the Markdown files below docs by path.
func pagesOf(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	docs := os.DirFS("../../docs")
	err := fs.WalkDir(docs, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := fs.ReadFile(docs, path)
		pages[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// TestDocsPrint checks that the commands in all pages print the output shown below them.
func TestDocsPrint(t *testing.T) {
	checker := ""
	if long() {
		checker = buildChecker(t)
	}
	commands := 0
	for name, page := range pagesOf(t) {
		list := commandsOf(page)
		if len(list) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Chdir(docsFolder(t, name))
			for file, text := range filesOf(page) {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range list {
				if c.z3 && !smt.Available() {
					t.Logf("skipped, because built without Z3: %s", c.line)
					continue
				}
				if c.long && !long() {
					t.Logf("skipped, because TURNPROOF_LONG is not set: %s", c.line)
					continue
				}
				printed := runShown(t, checker, c)
				if missing := excerpt(strings.Split(printed, "\n"), c.shown); missing != "" {
					t.Errorf("%s does not print\n%s\nbut\n%s", c.line, missing, printed)
				}
			}
		})
		commands += len(list)
	}
	if commands < 30 {
		t.Errorf("found only %d commands", commands)
	}
}

// TestCommandsOf checks commandsOf, filesOf and excerpt on small pages.
func TestCommandsOf(t *testing.T) {
	const page = "text\n\n```\n$ turnproof a b\none\n\n$ turnproof-check c\n...\ntwo\n```\n$ turnproof no\n\n" +
		"    $ turnproof prove d\n    three\n\n    four\n\n" +
		"text\n    five\n<!-- wants Z3 -->\n\n```\n$ turnproof e\n```\n<!-- takes long -->\n\n    $ turnproof f\n" +
		"<!-- wants Z3, takes long -->\n\n    $ turnproof g\n"
	want := []shownCommand{
		{"$ turnproof a b", []string{"one"}, false, false},
		{"$ turnproof-check c", []string{"...", "two"}, false, true},
		{"$ turnproof prove d", []string{"three", "", "four"}, true, false},
		{"$ turnproof e", nil, true, false},
		{"$ turnproof f", nil, false, true},
		{"$ turnproof g", nil, true, true},
	}
	got := commandsOf(page)
	if !slices.EqualFunc(got, want, func(a, b shownCommand) bool {
		return a.line == b.line && a.long == b.long && slices.Equal(a.shown, b.shown) && a.z3 == b.z3
	}) {
		t.Errorf("%+v", got)
	}
	if f := filesOf("text\n<!-- file a.txt -->\n\n```\none\n```\n"); len(f) != 1 || f["a.txt"] != "one\n" {
		t.Errorf("%q", f)
	}
	if excerpt([]string{"a", "b", "c"}, []string{"a", "...", "d"}) != "d" ||
		excerpt([]string{"a", "b"}, []string{"b"}) != "b" || excerpt([]string{"a", "b"}, []string{"...", "b"}) != "" {
		t.Error("excerpt returns a wrong line")
	}
}

// excerpt returns the first line of shown that does not match. A line must equal the next printed
// line, or occur later if it follows "...". excerpt returns "" if all lines match.
func excerpt(printed, shown []string) string {
	at := 0
	for i, line := range shown {
		if strings.TrimSpace(line) == "..." {
			continue
		}
		if i > 0 && strings.TrimSpace(shown[i-1]) == "..." {
			skip := slices.Index(printed[at:], line)
			if skip < 0 {
				return line
			}
			at += skip
		}
		if at >= len(printed) || printed[at] != line {
			return line
		}
		at++
	}
	return ""
}
