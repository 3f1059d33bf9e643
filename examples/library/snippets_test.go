package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// givens are the parameters that declare the variables which code in package comments uses without
// declaring them.
const givens = `ctx context.Context, relation model.Relation, network, net, mesh *model.Network, table *model.Table, root model.SwitchID,
	channel, in, out model.ChannelID, source engine.Source, seed uint64, folder, name string, words []string, w io.Writer, text []byte, file *os.File`

// givensOf are additional parameters for individual packages.
var givensOf = map[string]string{
	"synth/comparators":           "p *program.Program",
	"engine/energy":               "sim *engine.Sim",
	"engine/timeline/runpage":     "result *trial.Result, record *timeline.Timeline",
	"engine/workload":             "hosts int",
	"engine/replay":               "held []replay.Held",
	"engine/sweep":                "simulate func(context.Context, sweep.Point) (sweep.Result, error)",
	"model/bubble":                "from, to model.VCID",
	"model/gate":                  "vc model.VCID",
	"model/vlan/config":           "set *vlan.Set",
	"model/ttfabric":              "descriptor *meshgraph.Descriptor, options ttfabric.Options",
	"synth/recipes":               "rings *bubble.Rings, isUnprotected func(ring int) bool, limit context.Context, pairs []recipes.Pair",
	"synth/reroute":               "old, now *model.Table",
	"verify/transition":           "old, now *model.Table",
	"verify/transition/relations": "old, now model.Relation",
	"engine/changeover":           "old, now *model.Table, parts [][]changeover.Entry",
	"synth/advise":                "route func(context.Context, *model.Network) (model.Relation, error)",
	"synth":                       "demand *model.Demand",
	"internal/arithmetic":         "f *everysize.Formula",
	"verify/family":               "set space.Set",
	"verify/protocols":            "protocol *model.Protocol",
	"verify/reach":                "m *reach.Model, places [][]int32",
	"verify/smt":                  "n int, edges iter.Seq2[int32, int32]",
}

// TestSnippets: the Go code in package comments compiles.
func TestSnippets(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dirs := libraryPackages(t, root)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for i, dir := range dirs {
		code := snippet(t, filepath.Join(root, filepath.FromSlash(dir), "doc.go"))
		if code == "" {
			continue
		}
		kept := filepath.Join(t.TempDir(), "s.go")
		if err := os.WriteFile(kept, []byte(wrapSnippet(t, i, dir, code, named(dirs, dir))), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, "examples", "snippets", strings.ReplaceAll(dir, "/", "_")+".go")] = kept
	}
	if len(overlay.Replace) < 25 {
		t.Errorf("code in %d package comments", len(overlay.Replace))
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(list, text, 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-e", "-overlay", list, "./examples/snippets")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// named returns the folders by the names of their packages. Of packages with one name the one in dir counts, or else the first.
func named(dirs []string, dir string) map[string]string {
	packages := map[string]string{path.Base(dir): dir}
	for _, d := range dirs {
		if packages[path.Base(d)] == "" {
			packages[path.Base(d)] = d
		}
	}
	return packages
}

// libraryPackages returns the folders of the packages with a doc.go, ascending.
func libraryPackages(t *testing.T, root string) (found []string) {
	t.Helper()
	for _, top := range []string{"model", "cdg", "verify", "synth", "engine"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(file string, _ os.DirEntry, err error) error {
			if err == nil && filepath.Base(file) == "doc.go" {
				dir, _ := filepath.Rel(root, filepath.Dir(file))
				found = append(found, filepath.ToSlash(dir))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(found)
	return found
}

// snippet returns the indented code of a file's comments, or "" if it is not Go.
func snippet(t *testing.T, file string) string {
	var lines []string
	for line := range strings.Lines(read(t, file)) {
		if code, ok := strings.CutPrefix(line, "//\t"); ok && strings.TrimSpace(code) != "..." {
			lines = append(lines, strings.ReplaceAll(code, "{ ... }", "{ }"))
		}
	}
	for i, line := range lines { // skip a program in Starlark before the Go code
		if strings.Contains(line, ":=") {
			return strings.Join(lines[i:], "")
		}
	}
	return ""
}

// wrapSnippet returns a Go file with the imports that the code uses, the parameters, the code, and
// a use of each variable that the code declares.
func wrapSnippet(t *testing.T, i int, dir, code string, packages map[string]string) string {
	t.Helper()
	parameters := givens
	if more := givensOf[dir]; more != "" {
		parameters += ", " + more
	}
	body := func(uses string) string {
		return fmt.Sprintf("func snippet%d(%s) {\n{\n%s\n%s}\n}\n", i, parameters, code, uses)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), dir, "package snippets\n"+body(""), 0)
	if err != nil {
		t.Fatalf("%s: %v\n%s", dir, err, code)
	}
	uses, imports, defined := "", map[string]bool{}, map[string]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE && id.Name != "_" {
					uses += "_ = " + id.Name + "\n"
					defined[id.Name] = true
				}
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				imports[id.Name] = true
			}
		}
		return true
	})
	text := "package snippets\nimport (\n"
	for _, std := range []string{"context", "errors", "fmt", "io", "iter", "os", "time"} {
		if imports[std] {
			text += fmt.Sprintf("%q\n", std)
		}
	}
	for name := range imports {
		if dir, ok := packages[name]; ok && !defined[name] {
			text += fmt.Sprintf("%q\n", "github.com/turnproof/turnproof/"+dir)
		}
	}
	return text + ")\n" + body(uses)
}

// TestOnlyPage: no other page has a block of Go code, because no test would compile it.
func TestOnlyPage(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(pages, "../../README.md", "../../ARCHITECTURE.md") {
		if len(fenced(read(t, p), "go")) > 0 && filepath.Base(p) != filepath.Base(page) {
			t.Errorf("%s has a block of Go; give it a test as %s has", p, page)
		}
	}
}
