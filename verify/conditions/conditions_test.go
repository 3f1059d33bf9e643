package conditions

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestConditionsListed checks that this package imports each package that registers a condition.
func TestConditionsListed(t *testing.T) {
	imported := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), "conditions.go", nil, parser.ImportsOnly)
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
	root := filepath.Join("..", "..")
	found := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "verify.RegisterCondition(") {
			return err
		}
		found++
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if name := filepath.ToSlash(rel); err == nil && !imported[name] {
			t.Errorf("%s registers a condition; import it in verify/conditions/conditions.go", name)
		}
		return err
	})
	if err != nil || found < 3 {
		t.Errorf("%d files register conditions, %v", found, err)
	}
}
