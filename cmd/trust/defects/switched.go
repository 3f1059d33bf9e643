package defects

import (
	"bytes"
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
	"path"
	"path/filepath"
	"strings"
)

// This file compiles all mutants of a package into one test binary.

// switches is what the mutants call. Besides, it notes which mutants a run has come by.
const switches = `package %s

import (
	"cmp"
	"os"
	"strconv"
)

var mutantChosen = func() int {
	if k, err := strconv.Atoi(os.Getenv("TURNPROOF_MUTANT")); err == nil {
		return k
	}
	return -1
}()

var mutantSeen [%d]bool

func mutantOn(k int) bool {
	mutantSeen[k] = true
	return k == mutantChosen
}

func mutantNoError(k int, err error) error {
	if mutantOn(k) {
		return nil
	}
	return err
}

func mutantLess[T cmp.Ordered](k int, a, b T) bool    { return a < b || mutantOn(k) && a == b }
func mutantAtMost[T cmp.Ordered](k int, a, b T) bool  { return a < b || !mutantOn(k) && a == b }
func mutantMore[T cmp.Ordered](k int, a, b T) bool    { return a > b || mutantOn(k) && a == b }
func mutantAtLeast[T cmp.Ordered](k int, a, b T) bool { return a > b || !mutantOn(k) && a == b }

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func mutantPlus[T mutantInteger](k int, a, b T) T {
	if mutantOn(k) {
		return a - b
	}
	return a + b
}

func mutantMinus[T mutantInteger](k int, a, b T) T {
	if mutantOn(k) {
		return a + b
	}
	return a - b
}

func mutantPlusNothing[T mutantInteger](k int, a, b T) T {
	if mutantOn(k) {
		return a
	}
	return a + b
}

func mutantMinusNothing[T mutantInteger](k int, a, b T) T {
	if mutantOn(k) {
		return a
	}
	return a - b
}

func mutantXor[T mutantInteger](k int, a, b T) T {
	if mutantOn(k) {
		return a
	}
	return a ^ b
}

func mutantMin[T cmp.Ordered](k int, a, b T) T {
	if mutantOn(k) {
		return max(a, b)
	}
	return min(a, b)
}

func mutantMax[T cmp.Ordered](k int, a, b T) T {
	if mutantOn(k) {
		return min(a, b)
	}
	return max(a, b)
}
`

// ending is the test file that writes the mutants that were come by.
const ending = `package %s

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if file := os.Getenv("TURNPROOF_MUTANTS_SEEN"); file != "" {
		var list strings.Builder
		for k, seen := range mutantSeen {
			if seen {
				fmt.Fprintln(&list, k)
			}
		}
		if err := os.WriteFile(file, []byte(list.String()), 0o644); err != nil {
			panic(err)
		}
	}
	os.Exit(status)
}
`

// goPackage is what go list tells.
type goPackage struct {
	ImportPath, Dir, Name, Export string
	GoFiles                       []string
}

// listed asks go list about a package and what it imports.
func (g *goTests) listed(ctx context.Context, of string) ([]goPackage, error) {
	cmd := g.command(ctx, "list", "-export", "-deps", "-json=ImportPath,Dir,Name,Export,GoFiles", "./"+of)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, problems.String())
	}
	var list []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
}

// switched makes the mutants of a package and the files with all of them.
func (g *goTests) switched(ctx context.Context, of string) ([]Mutant, map[string]string, error) {
	list, err := g.listed(ctx, of)
	if err != nil {
		return nil, nil, err
	}
	p := list[len(list)-1] // what it imports comes first
	fset, texts, parsed := token.NewFileSet(), []string{}, []*ast.File{}
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, nil, err
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		texts, parsed = append(texts, string(text)), append(parsed, f)
	}
	m := &mutator{fset: fset, seen: map[string]int{}, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", exports(list))}
	if _, err := conf.Check(p.ImportPath, fset, parsed, m.info); err != nil {
		return nil, nil, err
	}
	files := map[string]string{}
	for i, name := range p.GoFiles {
		files[path.Join(of, name)] = m.file(name, texts[i], parsed[i])
	}
	files[path.Join(of, "mutants.go")] = fmt.Sprintf(switches, p.Name, len(m.list))
	files[path.Join(of, "mutants_main_test.go")] = fmt.Sprintf(ending, p.Name)
	return m.list, files, nil
}

// exports opens the export data of packages.
func exports(list []goPackage) importer.Lookup {
	by := map[string]string{}
	for _, p := range list {
		by[p.ImportPath] = p.Export
	}
	return func(of string) (io.ReadCloser, error) {
		if by[of] == "" {
			return nil, fmt.Errorf("no export data of %s", of)
		}
		return os.Open(by[of])
	}
}

// compiled builds the test binary of a package with all its mutants.
func (g *goTests) compiled(ctx context.Context, of string) (string, []Mutant, error) {
	mutants, files, err := g.switched(ctx, of)
	if err != nil {
		return "", nil, err
	}
	name := "survey-" + strings.ReplaceAll(of, "/", "-")
	flag, err := g.overlay(name, files)
	if err != nil {
		return "", nil, err
	}
	binary := filepath.Join(g.work, name, "all.test")
	if out, err := g.command(ctx, "test", "-c", "-vet=off", flag, "-o", binary, "./"+of).CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("the mutants of %s: %w\n%s", of, err, out)
	}
	return binary, mutants, nil
}
