package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "github.com/turnproof/turnproof/"

// A pkg is a package of this module.
type pkg struct {
	path  string // without the module
	lines int    // of files that are no tests
	deps  []string
	tests []string // packages that its tests import, directly
	files []*ast.File
	names []string // of files, parallel to files
	uses  map[*ast.Ident]types.Object
	defs  map[*ast.Ident]types.Object
	types *types.Package
}

// A house is all packages of this module, by path.
type house struct {
	fset     *token.FileSet
	packages map[string]*pkg
}

// listed is what we read of the output of "go list".
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
	Deps                    []string
	TestImports             []string
	XTestImports            []string
	Incomplete              bool
}

// load lists, parses and type-checks all packages. Their dependencies are compiled.
func load() (*house, error) {
	list := exec.Command("go", "list", "-e=false", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,Deps,TestImports,XTestImports", "./...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	exports := map[string]string{}
	h := &house{fset: token.NewFileSet(), packages: map[string]*pkg{}}
	var ours []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		if strings.HasPrefix(l.ImportPath, module) {
			ours = append(ours, l)
		}
	}
	imp := importer.ForCompiler(h.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(exports[path])
	})
	for _, l := range ours {
		p, err := h.read(l, imp)
		if err != nil {
			return nil, err
		}
		h.packages[p.path] = p
	}
	return h, nil
}

// read parses and type-checks one package.
func (h *house) read(l listed, imp types.Importer) (*pkg, error) {
	p := &pkg{path: strings.TrimPrefix(l.ImportPath, module), uses: map[*ast.Ident]types.Object{}, defs: map[*ast.Ident]types.Object{}}
	for _, d := range l.Deps {
		if own, ok := strings.CutPrefix(d, module); ok {
			p.deps = append(p.deps, own)
		}
	}
	for _, d := range append(l.TestImports, l.XTestImports...) {
		if own, ok := strings.CutPrefix(d, module); ok {
			p.tests = append(p.tests, own)
		}
	}
	for _, name := range append(l.GoFiles, l.CgoFiles...) {
		path := filepath.Join(l.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		p.lines += strings.Count(string(text), "\n")
		f, err := parser.ParseFile(h.fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
		p.names = append(p.names, name)
	}
	conf := types.Config{Importer: imp, FakeImportC: true}
	if len(l.CgoFiles) > 0 {
		conf.Error = func(error) {} // types of C are unknown
	}
	checked, err := conf.Check(l.ImportPath, h.fset, p.files, &types.Info{Uses: p.uses, Defs: p.defs})
	if err != nil && conf.Error == nil {
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	p.types = checked
	return p, nil
}
