package defects

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

// TestPatches checks that every patch applies, and that every changed file type-checks in its
// package.
func TestPatches(t *testing.T) {
	list, err := readAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 200 {
		t.Errorf("%d patches; want 200 or more", len(list))
	}
	folders := map[string]bool{}
	for _, d := range list {
		for _, f := range d.Files {
			folders[path.Dir(f)] = true
		}
	}
	packages, err := load(t.Context(), folders)
	if err != nil {
		t.Fatal(err)
	}
	names, work := map[string]bool{}, t.TempDir()
	for i, d := range list {
		if key := d.Area + ": " + d.Name; names[key] {
			t.Errorf("two patches are named %q", key)
		} else {
			names[key] = true
		}
		files, err := d.apply(root, filepath.Join(work, fmt.Sprint(i)))
		if err != nil {
			t.Error(err)
		}
		for name, text := range files {
			if err := packages.check(name, text); err != nil {
				t.Errorf("%s: %s: %v", d.Area, d.Name, err)
			}
		}
		for _, tests := range d.Tests {
			if has, err := filepath.Glob(filepath.Join(root, tests.Package, "*_test.go")); err != nil || len(has) == 0 {
				t.Errorf("%s: %s: no tests in %s", d.Area, d.Name, tests.Package)
			}
		}
	}
}

// TestTypeErrors checks that TestPatches would find a patch that does not compile.
func TestTypeErrors(t *testing.T) {
	packages, err := load(t.Context(), map[string]bool{"internal/spelling": true})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"package spelling\n\nfunc f() int { return 1 }\n":                       "",
		"package spelling\n\nfunc f() int { return \"\" }\n":                    "cannot use",
		"package spelling\n\nfunc f() int { x := 1; return 2 }\n":               "declared and not used",
		"package spelling\n\nimport \"strings\"\n\nfunc f() int { return 3 }\n": "imported and not used",
		"package spelling\n\nfunc f( {}\n":                                      "expected",
	} {
		if err := packages.check("internal/spelling/new.go", text); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// program holds the packages of the module, and type-checks changed files in them.
type program struct {
	fset     *token.FileSet
	importer types.Importer
	parsed   map[string]map[string]*ast.File // by folder and file name; functions have no body
}

// load parses the packages in folders, and finds the export data of all that they import.
func load(ctx context.Context, folders map[string]bool) (*program, error) {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles"}
	for f := range folders {
		args = append(args, "./"+f)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	p := &program{fset: token.NewFileSet(), parsed: map[string]map[string]*ast.File{}}
	top, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var l struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
		}
		if err := d.Decode(&l); err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		folder, err := filepath.Rel(top, l.Dir)
		if folder = filepath.ToSlash(folder); err != nil || !folders[folder] {
			continue
		}
		if err := p.parse(folder, l.Dir, l.GoFiles); err != nil {
			return nil, err
		}
	}
	p.importer = importer.ForCompiler(p.fset, "gc", func(of string) (io.ReadCloser, error) { return os.Open(exports[of]) })
	return p, nil
}

// parse parses the files of a package without the bodies of functions.
func (p *program) parse(folder, dir string, names []string) error {
	p.parsed[folder] = map[string]*ast.File{}
	for _, name := range names {
		f, err := parser.ParseFile(p.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Type.TypeParams == nil && fn.Name.Name != "init" {
				fn.Body = nil
			}
		}
		p.parsed[folder][name] = f
	}
	return nil
}

// check type-checks a file with new text, beside the declarations of its package.
func (p *program) check(name, text string) error {
	const changed = "changed.go"
	f, err := parser.ParseFile(p.fset, changed, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	files := []*ast.File{f}
	for other, parsed := range p.parsed[path.Dir(name)] {
		if other != path.Base(name) {
			files = append(files, parsed)
		}
	}
	var first error
	conf := types.Config{Importer: p.importer, Error: func(err error) {
		// Other files import packages that only the missing bodies use.
		if e, ok := err.(types.Error); ok && first == nil && p.fset.Position(e.Pos).Filename == changed {
			first = err
		}
	}}
	_, _ = conf.Check(path.Dir(name), p.fset, files, nil) // Error receives what is wrong
	return first
}
