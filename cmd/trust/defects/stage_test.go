package defects

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// TestParse checks that incomplete patches are errors.
func TestParse(t *testing.T) {
	const diff = "\n--- a/c.go\n+++ b/c.go\n@@ -1 +1 @@\n-a\n+b\n"
	for _, text := range []string{"", "x\n", "a: b\n" + diff, "a: \ntests: d\n" + diff, "a: b\ntests: d\n", "a: b\ntest d\n" + diff} {
		if d, err := parse("area", []byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, d)
		}
	}
	d, err := parse("area", []byte("a b: it: c\ntests: d E|F\ntests: g\n"+diff))
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "a b" || d.Wrong != "it: c" || len(d.Files) != 1 || d.Files[0] != "c.go" || len(d.Tests) != 2 || d.Tests[0] != (Tests{"d", "E|F"}) || d.Tests[1] != (Tests{"g", ""}) {
		t.Errorf("%+v", d)
	}
}

// TestClassify checks how the output of go test is read.
func TestClassify(t *testing.T) {
	failed := exec.CommandContext(t.Context(), "false").Run()
	for _, c := range []struct {
		output string
		err    error
		want   string // "-": the tests pass; "": an error
	}{
		{"ok  \tsum\t0.01s\n", nil, "-"},
		{"ok  \tsum\t0.01s [no tests to run]\n", nil, ""},
		{"?   \tsum\t[no test files]\n", nil, ""},
		{"sum.go:3:1: undefined: m\nFAIL\tsum [build failed]\n", failed, ""},
		{"--- FAIL: TestUp (0.00s)\nFAIL\n", failed, "TestUp"},
		{"panic: test timed out after 2s\n\trunning tests:\n\t\tTestUp (2s)\n", failed, "TestUp"},
		{"fatal error: runtime: out of memory\n\ngoroutine 7 [running]:\ntiny/sum.TestUp(0x1)\n", failed, "TestUp"},
		{"fatal error: all goroutines are asleep\n\ngoroutine 7 [running]:\ntiny/sum.TestUp.func1(0x1)\n", failed, "TestUp"},
		{"panic: index\n\ngoroutine 5 [running]:\ntiny/sum.Up(0x1)\n", failed, "a panic"},
		{"something else", failed, ""},
		{"", errors.New("no go"), ""},
	} {
		got, err := classify([]byte(c.output), c.err)
		if c.want == "" && err == nil || c.want != "" && (err != nil || cmp.Or(got, "-") != c.want) {
			t.Errorf("%q: %q, %v; want %q", c.output, got, err, c.want)
		}
	}
}

// tinyPatch makes a patch of sum/sum.go.
func tinyPatch(name, tests, from, to string) *Defect {
	return &Defect{Name: name, Tests: []Tests{{"sum", tests}}, Files: []string{"sum/sum.go"},
		text: []byte("x: y\n\n--- a/sum/sum.go\n+++ b/sum/sum.go\n@@ -4,1 +4,1 @@\n-" + from + "\n+" + to + "\n")}
}

// TestTry tries defects of a tiny module: one is caught, one survives, one does not compile, one
// does not apply, one names no test.
func TestTry(t *testing.T) {
	if os.Getenv("TURNPROOF_LONG") == "" {
		t.Skip("TURNPROOF_LONG is not set")
	}
	g := &goTests{root: t.TempDir(), work: t.TempDir(), timeout: 20 * time.Second}
	const line = "func Up(n int) int { return n + 1 }"
	for name, text := range map[string]string{
		"go.mod":          "module tiny\n\ngo 1.25.0\n",
		"sum/sum.go":      "package sum\n\n// Up adds one.\n" + line + "\n",
		"sum/sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestUp(t *testing.T) {\n\tif Up(4) != 5 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		file := filepath.Join(g.root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.prepare(); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ tests, from, to, want string }{
		{"", line, "func Up(n int) int { return n + 2 }", "TestUp"},
		{"TestUp", line, "func Up(n int) int { return 1 + n }", "-"},
		{"", line, "func Up(n int) int { return m + 1 }", "undefined: m"},
		{"", "func Up() {}", line, "patch"},
		{"TestDown", line, "func Up(n int) int { return n + 2 }", "no tests to run"},
	} {
		by, err := g.try(t.Context(), filepath.Join(g.work, fmt.Sprint(i)), tinyPatch(c.want, c.tests, c.from, c.to))
		if err == nil && cmp.Or(by, "-") != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: caught by %q, %v; want %q", c.to, by, err, c.want)
		}
	}
}

// TestDefects tries every seeded defect. Each needs one build and one run of the tests of a package.
func TestDefects(t *testing.T) {
	o, record, ok := stage.FromEnvironment(t)
	if !ok {
		t.Skip("make trust STAGES=defects runs it")
	}
	list, err := readAll()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(list); o.Cases > 0 && o.Cases < n {
		for i := range o.Cases { // evenly spaced
			list[i] = list[i*n/o.Cases]
		}
		list = list[:o.Cases]
	}
	first, end := o.Range(len(list))
	list = list[first:end]
	g := &goTests{root: o.Root, work: t.TempDir(), timeout: 4 * time.Minute} // the slowest tests take half a minute
	if err := g.prepare(); err != nil {
		t.Fatal(err)
	}
	tests := map[string]Tests{}
	for _, d := range list {
		for _, x := range d.Tests {
			tests[x.String()] = x
		}
	}
	if !t.Run("without a defect", func(t *testing.T) {
		for name, x := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if by, err := g.run(t.Context(), x); err != nil || by != "" {
					t.Errorf("%s fails without a defect: %v", by, err)
				}
			})
		}
	}) {
		t.FailNow()
	}
	var caught atomic.Int64
	record("| area | defect | what is wrong | caught by |\n|---|---|---|---|\n")
	t.Run("defect", func(t *testing.T) {
		for i, d := range list {
			t.Run(d.Area+"/"+d.Name, func(t *testing.T) {
				t.Parallel()
				by, err := g.try(t.Context(), filepath.Join(g.work, fmt.Sprint(i)), &d)
				switch {
				case err != nil:
					t.Error(err)
				case by == "":
					t.Error("no test catches it")
				default:
					caught.Add(1)
				}
				record("| %s | %s | %s | %s |\n", d.Area, d.Name, strings.ReplaceAll(d.Wrong, "|", `\|`), by)
			})
		}
	})
	record("\nThe tests caught %d of %d seeded defects.\n", caught.Load(), len(list))
}
