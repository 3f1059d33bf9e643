package modeltest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Doors checks that the Go files of the space-separated lists, named from the folder of the test, import each package below the root of
// the module that calls one of the functions, as in "verify.RegisterCondition". The root is the path to it from the folder.
func Doors(t *testing.T, root, lists string, functions ...string) {
	t.Helper()
	imported := map[string]bool{}
	for list := range strings.FieldsSeq(lists) {
		file, err := parser.ParseFile(token.NewFileSet(), list, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imported[strings.TrimPrefix(path, "github.com/turnproof/turnproof/")] = true
		}
	}
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !slices.ContainsFunc(functions, func(f string) bool { return strings.Contains(string(text), "\t"+f+"(") }) {
			return err
		}
		found++
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if name := filepath.ToSlash(rel); err == nil && !imported[name] {
			t.Errorf("%s registers itself; import it in %s", name, lists)
		}
		return err
	})
	if err != nil || found < 3 {
		t.Errorf("%d files register, %v", found, err)
	}
}
