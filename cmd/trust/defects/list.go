package defects

import (
	"embed"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// This file reads the list of seeded defects. An entry is
//
//	== NAME
//	what is wrong, in a sentence
//	in FILE
//	tests PACKAGE [PATTERN]
//	-old text
//	+new text
//
// with a line of "-" and "+" for each line of the texts. The old text occurs exactly once in
// the file. At least one line of tests names those that must catch it; PATTERN is that of
// go test -run, or with - before it that of -skip. Lines that begin with # say what follows.

//go:embed list/*.txt
var lists embed.FS

// Defect is an entry.
type Defect struct {
	Area     string // the name of its file
	Name     string
	Wrong    string // what is
	File     string // from the root, with slashes
	Old, New string
	Tests    []Tests
}

// Tests are some of a package.
type Tests struct{ Package, Pattern string }

// readLists reads all areas, by name.
func readLists() ([]Defect, error) {
	entries, err := lists.ReadDir("list")
	if err != nil {
		return nil, err
	}
	var list []Defect
	for _, e := range entries {
		text, err := lists.ReadFile("list/" + e.Name())
		if err != nil {
			return nil, err
		}
		more, err := parseList(strings.TrimSuffix(e.Name(), ".txt"), string(text))
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// parseList reads one area.
func parseList(area, text string) (list []Defect, err error) {
	for i, line := range strings.Split(text, "\n") {
		name, begins := strings.CutPrefix(line, "== ")
		switch {
		case line == "" || line[0] == '#':
		case begins:
			list = append(list, Defect{Area: area, Name: name})
		case len(list) == 0:
			return nil, fmt.Errorf("%s:%d: %q comes before the first entry", area, i+1, line)
		default:
			list[len(list)-1].line(line)
		}
	}
	names := map[string]bool{}
	for _, d := range list {
		if d.Name == "" || d.Wrong == "" || d.File == "" || d.Old == "" || d.Old == d.New || len(d.Tests) == 0 || names[d.Name] {
			return nil, fmt.Errorf("%s: entry %q lacks something, or is there twice", area, d.Name)
		}
		names[d.Name] = true
	}
	return list, nil
}

// line reads a line of an entry.
func (d *Defect) line(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case line[0] == '-':
		d.Old = join(d.Old, line[1:])
	case line[0] == '+':
		d.New = join(d.New, line[1:])
	case word == "in" && d.File == "" && strings.HasSuffix(rest, ".go"):
		d.File = rest
	case word == "tests":
		of, pattern, _ := strings.Cut(rest, " ")
		d.Tests = append(d.Tests, Tests{of, pattern})
	default:
		d.Wrong = strings.TrimSpace(d.Wrong + " " + line)
	}
}

func join(text, line string) string {
	if text == "" {
		return line
	}
	return text + "\n" + line
}

// mutated gives the text of the defect's file with the defect. An error says that the list
// is wrong: the old text is not there once, or the new one is no Go.
func (d *Defect) mutated(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(d.File)))
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w", d.Area, d.Name, err)
	}
	if n := strings.Count(string(text), d.Old); n != 1 {
		return "", fmt.Errorf("%s: %s: the old text occurs %d times in %s", d.Area, d.Name, n, d.File)
	}
	changed := strings.Replace(string(text), d.Old, d.New, 1)
	if _, err := parser.ParseFile(token.NewFileSet(), d.File, changed, parser.SkipObjectResolution); err != nil {
		return "", fmt.Errorf("%s: %s: %w", d.Area, d.Name, err)
	}
	return changed, nil
}
