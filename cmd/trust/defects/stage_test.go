package defects

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// TestClassify checks what go test's output says.
func TestClassify(t *testing.T) {
	failed := exec.CommandContext(t.Context(), "false").Run()
	for _, c := range []struct {
		output string
		err    error
		want   string // "": an error
	}{
		{"ok  \tsum\t0.01s\n", nil, "SURVIVES"},
		{"ok  \tsum\t0.01s [no tests to run]\n", nil, ""},
		{"?   \tsum\t[no test files]\n", nil, ""},
		{"sum.go:3:1: undefined: m\nFAIL\tsum [build failed]\n", failed, ""},
		{"--- FAIL: TestUp (0.00s)\nFAIL\n", failed, "caught by TestUp"},
		{"panic: test timed out after 2s\n\trunning tests:\n\t\tTestUp (2s)\n", failed, "caught by TestUp (timeout)"},
		{"fatal error: runtime: out of memory\n\ngoroutine 7 [running]:\ntiny/sum.TestUp(0x1)\n", failed, "caught by TestUp (memory)"},
		{"fatal error: all goroutines are asleep\n\ngoroutine 7 [running]:\ntiny/sum.TestUp.func1(0x1)\n", failed, "caught by TestUp (crash)"},
		{"something else", failed, ""},
		{"", errors.New("no go"), ""},
	} {
		got, err := classify([]byte(c.output), c.err)
		if c.want == "" && err == nil || c.want != "" && (err != nil || got.String() != c.want) {
			t.Errorf("%q: %v, %v; want %q", c.output, got, err, c.want)
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
	for _, c := range []struct{ tests, from, to, want string }{
		{"", line, "func Up(n int) int { return n + 2 }", "caught by TestUp"},
		{"TestUp", line, "func Up(n int) int { return 1 + n }", "SURVIVES"},
		{"", line, "func Up(n int) int { return m + 1 }", "undefined: m"},
		{"", "func Up() {}", line, "patch"},
		{"TestDown", line, "func Up(n int) int { return n + 2 }", "no tests to run"},
	} {
		outcomes, err := g.tryAll(t.Context(), []Defect{*tinyPatch(c.want, c.tests, c.from, c.to)}, io.Discard)
		if err == nil && outcomes[0].String() != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want %q", c.to, outcomes, err, c.want)
		}
	}
	if err := g.baseline(t.Context(), []Defect{{Tests: []Tests{{"sum", "TestUp"}}}}); err != nil {
		t.Error(err)
	}
	if err := g.baseline(t.Context(), []Defect{{Tests: []Tests{{"sum", "TestDown"}}}}); err == nil {
		t.Error("tests that do not exist: no error")
	}
}

// TestWrite checks the record and the list of survivors.
func TestWrite(t *testing.T) {
	var out strings.Builder
	survivors := write(&out, []Defect{{Area: "a", Name: "b", Wrong: "c|d"}, {Area: "a", Name: "e"}}, []Outcome{{true, "TestUp"}, {}})
	if len(survivors) != 1 || survivors[0] != "a: e" || !strings.Contains(out.String(), "caught 1 of 2") || !strings.Contains(out.String(), `| a | b | c\|d | caught by TestUp |`) {
		t.Errorf("%v\n%s", survivors, out.String())
	}
}
