package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file checks docs/theorems against the code: every kind of evidence and every printed
// theorem has a page, and all names in the pages exist.

// constants returns the values of string constants in Go files whose names start with one of the
// prefixes.
func constants(t *testing.T, pattern string, prefixes ...string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(pattern, err)
	}
	found := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || len(v.Values) != len(v.Names) {
				return true
			}
			for i, name := range v.Names {
				text, ok := stringOf(v.Values[i])
				wanted := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name.Name, p) })
				if ok && wanted {
					found[name.Name] = text
				}
			}
			return true
		})
	}
	return found
}

// stringOf returns the value of string literals joined by +. It returns false for other
// expressions.
func stringOf(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil && x.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := stringOf(x.X)
		right, also := stringOf(x.Y)
		return left + right, ok && also && x.Op == token.ADD
	}
	return "", false
}

// joinedLines replaces each run of white space by a blank.
func joinedLines(text string) string { return strings.Join(strings.Fields(text), " ") }

// uncovered returns the texts that no page contains with mark before and after the text.
func uncovered(pages map[string]string, texts map[string]string, mark string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		want := mark + texts[name] + mark
		if !slices.ContainsFunc(slices.Collect(maps.Values(pages)), func(p string) bool { return strings.Contains(joinedLines(p), want) }) {
			list = append(list, name+": "+want)
		}
	}
	return list
}

// theoremPages returns the pages of docs/theorems and their index.
func theoremPages(t *testing.T) (pages map[string]string, index string) {
	t.Helper()
	pages = map[string]string{}
	for name, text := range pagesOf(t) {
		if base, ok := strings.CutPrefix(name, "theorems/"); ok {
			pages[base] = text
		}
	}
	index = pages["README.md"]
	delete(pages, "README.md")
	return pages, index
}

// TestTheoremsCovered checks that each kind of evidence and each theorem has a page.
func TestTheoremsCovered(t *testing.T) {
	pages, index := theoremPages(t)
	kinds := constants(t, "../../verify/cert/*.go", "Evidence")
	theorems := constants(t, "../../verify/claim.go", "theorem", "premise")
	maps.Copy(theorems, constants(t, "../../verify/parametric/report.go", "theorem"))
	if len(kinds) < 32 || len(theorems) < 30 {
		t.Fatalf("%d kinds of evidence, %d theorems and premises: hardly all", len(kinds), len(theorems))
	}
	for _, missing := range append(uncovered(pages, kinds, "`"), uncovered(pages, theorems, `"`)...) {
		t.Errorf("no page of docs/theorems has %s", missing)
	}
	for _, missing := range uncovered(map[string]string{"": index}, kinds, "`") {
		t.Errorf("docs/theorems/README.md has no %s", missing)
	}
	if len(uncovered(pages, map[string]string{"EvidenceNew": "made-up"}, "`")) != 1 {
		t.Error("a kind of evidence without a page is not found out")
	}
	if len(uncovered(pages, map[string]string{"theoremNew": "made up"}, `"`)) != 1 {
		t.Error("a theorem without a page is not found out")
	}
}

var (
	namedFile = regexp.MustCompile("`([a-z0-9_./-]+\\.go)(?::([A-Za-z0-9_]+))?`")
	namedKind = regexp.MustCompile("`([a-z-]+)` \\((?:proved|refuted)[^)]*\\)")
	linked    = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)
)

// declares reports whether a Go file declares a name.
func declares(t *testing.T, file, name string) bool {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == name {
				return true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.Name == name {
						return true
					}
				case *ast.ValueSpec:
					if slices.ContainsFunc(s.Names, func(i *ast.Ident) bool { return i.Name == name }) {
						return true
					}
				}
			}
		}
	}
	return false
}

// TestTheoremsName checks that files, functions, kinds of evidence and pages named in
// docs/theorems exist.
func TestTheoremsName(t *testing.T) {
	pages, index := theoremPages(t)
	kinds := slices.Collect(maps.Values(constants(t, "../../verify/cert/*.go", "Evidence")))
	if declares(t, "../../verify/cert/acyclic.go", "nothing") || !declares(t, "../../verify/cert/acyclic.go", "RestsOnAcyclic") {
		t.Error("declares does not find a name, or finds one that does not exist")
	}
	for name, page := range pages {
		if !strings.Contains(index, "]("+name+")") {
			t.Errorf("%s: not in the index", name)
		}
		if len(commandsOf(page)) == 0 {
			t.Errorf("%s: no example", name)
		}
		for _, heading := range []string{"## Statement", "## Why", "## What is checked", "## Not claimed"} {
			if !strings.Contains(page, "\n"+heading) {
				t.Errorf("%s: no part %q", name, heading)
			}
		}
	}
	pages["README.md"] = index
	for name, page := range pages {
		files := namedFile.FindAllStringSubmatch(page, -1)
		if len(files) == 0 && name != "README.md" {
			t.Errorf("%s: names no file", name)
		}
		for _, m := range files {
			file := filepath.Join("../..", m[1])
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: there is no %s", name, m[1])
			} else if m[2] != "" && !declares(t, file, m[2]) {
				t.Errorf("%s: %s declares no %s", name, m[1], m[2])
			}
		}
		for _, m := range namedKind.FindAllStringSubmatch(page, -1) {
			if !slices.Contains(kinds, m[1]) {
				t.Errorf("%s: there is no evidence %s", name, m[1])
			}
		}
		for _, m := range linked.FindAllStringSubmatch(page, -1) {
			if _, err := os.Stat(filepath.Join("../../docs/theorems", m[1])); err != nil && !strings.Contains(m[1], "://") {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}
