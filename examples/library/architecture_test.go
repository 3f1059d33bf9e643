package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file checks that docs/packages.md names every package, and that all files and folders that it and ARCHITECTURE.md name exist.

// mapRow is a row of a table: its first cell, the others, and the folder that the section is about.
type mapRow struct{ first, rest, inside string }

// mapRows returns the rows of the tables in the sections that name files.
func mapRows(text string) (rows []mapRow) {
	inside, of := "", false
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			inside, of = strings.CutPrefix(title, "Inside ")
			if isMap := slices.Contains([]string{"I want to ...", "Rooms", "Packages"}, title); isMap {
				inside, of = "", true
			}
		}
		if first, rest, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); of && ok && strings.HasPrefix(line, "| ") {
			rows = append(rows, mapRow{first, rest, inside})
		}
	}
	return rows
}

var (
	quoted   = regexp.MustCompile("`([^`]+)`")
	fileName = regexp.MustCompile(`^[\w./-]+\.(go|v|ml|sh|md|html|css|js|star)$`)
)

// goFolders returns the folders with Go files that are no tests.
func goFolders(t *testing.T, root string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		name := d.Name()
		if err == nil && d.IsDir() && file != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "bin" || name == "dist") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			dir, _ := filepath.Rel(root, filepath.Dir(file))
			if dir = filepath.ToSlash(dir); !slices.Contains(list, dir) {
				list = append(list, dir)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// standFor are folders whose packages one row describes together.
var standFor = []string{"cmd/turnproof", "examples", "examples/papers", ".build"}

// TestArchitecture: every package is named, and every file and folder exists.
func TestArchitecture(t *testing.T) {
	const root = "../.."
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		return err == nil
	}
	named, files := map[string]bool{}, 0
	rows := append(mapRows(read(t, root+"/ARCHITECTURE.md")), mapRows(read(t, root+"/docs/packages.md"))...)
	for _, row := range rows {
		folders := []string{row.inside}
		if strings.HasPrefix(row.first, "`") {
			folders = nil
			for i, m := range quoted.FindAllStringSubmatch(row.first, -1) {
				dir := m[1]
				if i > 0 { // the others are beside the first one
					dir = path.Join(path.Dir(folders[0]), dir)
				}
				if !exists(dir) {
					t.Errorf("there is no folder %s", dir)
				}
				named[dir] = true
				folders = append(folders, dir)
			}
		}
		folders = append(folders, "") // the whole path is given
		for _, m := range quoted.FindAllStringSubmatch(row.rest, -1) {
			name, _, _ := strings.Cut(m[1], ":")
			at := slices.IndexFunc(folders, func(dir string) bool { return exists(path.Join(dir, name)) })
			if !fileName.MatchString(name) {
				if at >= 0 { // a folder: files after it may be there
					folders = append(folders, path.Join(folders[at], name))
				}
				continue
			}
			if files++; at < 0 {
				t.Errorf("there is no file %s in %s", name, strings.Join(folders, ", "))
			} else if dir := path.Dir(path.Join(folders[at], name)); !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
		}
	}
	if files < 300 {
		t.Errorf("only %d files are named; are the tables read?", files)
	}
	for _, dir := range goFolders(t, root) {
		if !named[dir] && !slices.ContainsFunc(standFor, func(top string) bool { return strings.HasPrefix(dir, top+"/") }) {
			t.Errorf("no row for the package %s; run go test ./examples/library -run TestPackages -update", dir)
		}
	}
}
