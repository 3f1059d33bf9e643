package defects

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// This file reads the seeded defects and applies them to copies of source files.

//go:embed patches
var patches embed.FS

// Defect is a seeded defect.
type Defect struct {
	Area  string // folder of the patch
	Name  string
	Wrong string   // what the defect makes wrong, in a sentence
	Files []string // changed files, as slash-separated paths from the root
	Tests []Tests  // at least one of them must fail
	text  []byte   // the patch
}

// Tests selects tests of a package.
type Tests struct{ Package, Pattern string }

// String returns the tests as the patch names them.
func (t Tests) String() string { return strings.TrimSpace(t.Package + " " + t.Pattern) }

// readAll returns the defects of all areas, sorted by path of the patch.
func readAll() (list []Defect, err error) {
	err = fs.WalkDir(patches, "patches", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := patches.ReadFile(name)
		if err != nil {
			return err
		}
		read, err := parse(path.Base(path.Dir(name)), text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, *read)
		return nil
	})
	return list, err
}

var changed = regexp.MustCompile(`(?m)^\+\+\+ b/(\S+)$`)

// parse reads a patch.
func parse(area string, text []byte) (*Defect, error) {
	head, _, _ := strings.Cut(string(text), "\n--- ")
	first, rest, _ := strings.Cut(head, "\n")
	d := &Defect{Area: area, text: text}
	d.Name, d.Wrong, _ = strings.Cut(first, ": ")
	for _, line := range strings.Split(rest, "\n") {
		if tests, ok := strings.CutPrefix(line, "tests: "); ok {
			of, pattern, _ := strings.Cut(tests, " ")
			d.Tests = append(d.Tests, Tests{of, pattern})
		} else if line != "" {
			return nil, fmt.Errorf("unknown line %q; want tests: PACKAGE [PATTERN]", line)
		}
	}
	for _, m := range changed.FindAllSubmatch(text, -1) {
		d.Files = append(d.Files, string(m[1]))
	}
	if d.Name == "" || d.Wrong == "" || len(d.Tests) == 0 || len(d.Files) == 0 {
		return nil, fmt.Errorf("incomplete; want a first line NAME: WHAT IS WRONG, a line of tests, and a diff")
	}
	return d, nil
}

// apply returns the changed files with the defect, by path from the root. It works on copies in
// folder, which must not exist.
func (d *Defect) apply(root, folder string) (map[string]string, error) {
	for _, name := range d.Files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", d.Area, d.Name, err)
		}
		copied := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(copied, text, 0o644); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = folder, bytes.NewReader(d.text)
	// In a repository, git apply would ignore files outside of it.
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(folder))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %s: %w: %s", d.Area, d.Name, err, out)
	}
	texts := map[string]string{}
	for _, name := range d.Files {
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return texts, nil
}
