package main

import (
	"flag"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of docs/packages.md")

// The table of docs/packages.md is between these lines.
const (
	tableBegin = "<!-- packages: written by go test ./examples/library -update -->\n"
	tableEnd   = "<!-- end of packages -->\n"
)

// TestPackages compares the table of docs/packages.md with the comments of the packages.
func TestPackages(t *testing.T) {
	const root, page = "../..", "../../docs/packages.md"
	text := read(t, page)
	before, rest, begins := strings.Cut(text, tableBegin)
	have, after, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		t.Fatalf("%s has no lines %q and %q", page, tableBegin, tableEnd)
	}
	var want strings.Builder
	want.WriteString("| package | content | read first |\n|---|---|---|\n")
	for _, dir := range goFolders(t, root) {
		if strings.HasPrefix(dir, "examples/") || strings.HasPrefix(dir, ".build/") {
			continue
		}
		comment := packageComment(t, filepath.Join(root, dir))
		about := strings.TrimSuffix(new(doc.Package).Synopsis(comment), ".")
		if strings.Contains(about, " implements the command") {
			continue
		}
		words := strings.SplitN(about, " ", 3)
		if len(words) < 3 || words[0] != "Package" && words[0] != "Command" {
			t.Errorf("%s: the comment of the package begins with %q; want \"Package NAME does ...\"", dir, about)
			continue
		}
		want.WriteString("| `" + dir + "` | " + words[2] + " | " + readFirst(root, dir, comment) + " |\n")
	}
	if have == want.String() {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the comments of the packages say; run go test ./examples/library -run TestPackages -update", page)
	}
	if err := os.WriteFile(page, []byte(before+tableBegin+want.String()+tableEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// packageComment returns the comment of the package in a folder.
func packageComment(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if text := f.Doc.Text(); strings.HasPrefix(text, "Package ") || strings.HasPrefix(text, "Command ") {
			return text
		}
	}
	return ""
}

var pathWord = regexp.MustCompile(`[\w./-]*\w`)

// readFirst returns the last paragraph of the comment of a package, if it begins with "Read first:", with files and folders quoted.
func readFirst(root, dir, comment string) string {
	_, last, _ := strings.Cut(comment, "\n\nRead first: ")
	last = strings.TrimSuffix(strings.Join(strings.Fields(last), " "), ".")
	return pathWord.ReplaceAllStringFunc(last, func(word string) string {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Join(dir, word))))
		if fileName.MatchString(word) || err == nil && word != "." && word != ".." {
			return "`" + word + "`"
		}
		return word
	})
}
