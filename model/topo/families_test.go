package topo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFamiliesAreComplete checks the entries of the table, and that each family has known figures.
func TestFamiliesAreComplete(t *testing.T) {
	for _, f := range Families() {
		if f.About == "" || f.Example == "" {
			t.Errorf("family %s has no About or Example; add it in model/topo/family.go", f.Name)
			continue
		}
		if _, err := Parse(f.Example); err != nil {
			t.Errorf("the example of family %s in model/topo/family.go: %v", f.Name, err)
		}
		if !slices.ContainsFunc(known, func(x figures) bool { return strings.HasPrefix(x.spec, f.Name+":") }) {
			t.Errorf("family %s has no known figures; add a row to known in model/topo/topo_test.go, from a paper or by counting", f.Name)
		}
	}
}

// TestBuildersAreInTable finds exported builders of networks that no family uses.
func TestBuildersAreInTable(t *testing.T) {
	table, err := os.ReadFile("family.go")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Params.NumFields() < 2 {
				continue
			}
			params := f.Type.Params.List
			if last, ok := params[len(params)-1].Type.(*ast.Ident); !ok || last.Name != "Options" {
				continue
			}
			if all.WriteString(f.Name.Name + " "); !strings.Contains(string(table), f.Name.Name) {
				t.Errorf("%s builds networks, and no family uses it; add an entry to families in model/topo/family.go", f.Name.Name)
			}
		}
	}
	if !strings.Contains(all.String(), "FatTree ") {
		t.Errorf("found the builders %s, which lack FatTree", all.String())
	}
}
