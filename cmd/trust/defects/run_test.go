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

// tiny is a module of one package with one test.
func tiny(t *testing.T) *goTests {
	t.Helper()
	g := &goTests{root: t.TempDir(), work: t.TempDir(), each: 20 * time.Second}
	for name, text := range map[string]string{
		"go.mod": "module tiny\n\ngo 1.25.0\n",
		"sum/sum.go": `package sum

import "errors"

// Up adds the numbers below n.
func Up(n int) (sum int, err error) {
	if n < 0 {
		return 0, errors.New("below 0")
	}
	for i := 0; i < n; i++ {
		sum += i
	}
	return sum, nil
}

// Spare is not tested.
func Spare(n int) int { return n + 1 }
`,
		"sum/sum_test.go": `package sum

import "testing"

func TestUp(t *testing.T) {
	if got, err := Up(4); got != 6 || err != nil {
		t.Error(got, err)
	}
	if _, err := Up(-1); err == nil {
		t.Error("no error")
	}
}
`,
	} {
		file := filepath.Join(g.root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.prepare(); err != nil {
		t.Fatal(err)
	}
	return g
}

const tinyList = `# Sums.

== one too many
the sum goes on to n
in sum/sum.go
tests sum
-i < n
+i <= n

== a spare part
nobody looks at this
in sum/sum.go
tests sum TestUp
-return n + 1
+return n + 2

== it stands
the loop does not end
in sum/sum.go
tests sum
-i++
+i--

== it falls
a sum of nothing
in sum/sum.go
tests sum
-		return 0, errors.New("below 0")
+		panic(errors.New("below"))
`

// TestSeeded: a defect that is caught, one that survives, one that hangs and one that crashes.
func TestSeeded(t *testing.T) {
	g := tiny(t)
	g.each = 2 * time.Second
	list, err := parseList("sums", tinyList)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := g.seeded(t.Context(), list, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"caught by TestUp", "SURVIVES", "caught by TestUp (timeout)", "caught by TestUp"} {
		if got := outcomes[i].String(); got != want {
			t.Errorf("%s: %s, want %s", list[i].Name, got, want)
		}
	}
	var told strings.Builder
	if left := tellSeeded(&told, list, outcomes); len(left) != 1 || left[0] != "sums: a spare part" || !strings.Contains(told.String(), "caught 3 of 4") || !strings.Contains(told.String(), "| sums | 4 | 3 |") {
		t.Errorf("%v\n%s", left, told.String())
	}
}

// TestNoCatch: what does not compile, or names no test, or finds tests that fail anyway, is an
// error and no catch.
func TestNoCatch(t *testing.T) {
	g := tiny(t)
	for _, c := range []struct{ from, to, why string }{
		{"+i <= n", "+i <= m", "undefined: m"},
		{"-i < n", "-i < k", "occurs 0 times"},
		{"-i < n", "-n", "occurs 18 times"},
		{"+i <= n", "+i <= (", "expected"},
		{"tests sum\n-i < n", "tests sum TestDown\n-i < n", "no tests to run"},
		{"tests sum\n-i < n", "tests gone\n-i < n", "could not be run"},
		{"in sum/sum.go\ntests sum\n-i < n", "in sum/gone.go\ntests sum\n-i < n", "no such file"},
	} {
		list, err := parseList("sums", strings.Replace(tinyList, c.from, c.to, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.seeded(t.Context(), list[:1], io.Discard); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q for %q: error %v, want %q", c.to, c.from, err, c.why)
		}
	}
	if err := os.WriteFile(filepath.Join(g.root, "sum", "bad_test.go"), []byte("package sum\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Fail() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := g.baseline(t.Context(), []Defect{{Tests: []Tests{{"sum", ""}}}}); err == nil || !strings.Contains(err.Error(), "TestBad") {
		t.Errorf("error %v", err)
	}
	if err := g.baseline(t.Context(), []Defect{{Tests: []Tests{{"sum", "TestUp"}, {"sum", "-TestBad"}}}}); err != nil {
		t.Error(err)
	}
}

// TestParseList: entries that lack something are errors.
func TestParseList(t *testing.T) {
	for _, text := range []string{"x\n", "== a\n", "== a\nb\nin c.go\ntests d\n-e\n+e\n", "== a\nb\nin c.go\n-e\n+f\n", "== a\nin c.go\ntests d\n-e\n+f\n", "== a\nb\ntests d\n-e\n+f\n",
		"== a\nb\nin c.go\ntests d\n-e\n\n== a\nb\nin c.go\ntests d\n-e\n"} {
		if list, err := parseList("x", text); err == nil {
			t.Errorf("%q is read as %+v", text, list)
		}
	}
	list, err := parseList("x", "# head\n== a b\nsome\nwords\nin c.go\ntests d E|F\ntests g\n-e\n-f\n+h\n")
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if d := list[0]; d.Name != "a b" || d.Wrong != "some words" || d.File != "c.go" || d.Old != "e\nf" || d.New != "h" || len(d.Tests) != 2 || d.Tests[0] != (Tests{"d", "E|F"}) || d.Tests[1] != (Tests{"g", ""}) {
		t.Errorf("%+v", d)
	}
}

// TestSurvey: of the mutants of the tiny package survive the one that changes nothing, and the one
// of the part that is not tested.
func TestSurvey(t *testing.T) {
	g := tiny(t)
	g.each = 2 * time.Second
	s, err := g.newSurvey(t.Context(), "sum")
	if err != nil {
		t.Fatal(err)
	}
	chosen, outcomes, err := s.run(t.Context(), 0, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	survive := map[string]bool{}
	for i, k := range chosen {
		if !outcomes[i].Caught {
			survive[s.mutants[k].Name] = true
		}
	}
	want := []string{"sum.go Up: boundary: n < 0", "sum.go Spare: left alone: n + 1"}
	for _, name := range want {
		if !survive[name] {
			t.Errorf("%s is caught", name)
		}
		delete(survive, name)
	}
	if len(survive) > 0 || len(chosen) != 5 {
		t.Errorf("%d mutants, %v survive", len(chosen), survive)
	}
	var told strings.Builder
	wrong := tellSurvey(&told, s, chosen, outcomes, map[string]string{want[0]: "0 has no numbers below", "sum.go Gone: x": "gone", "sum.go Up: boundary: i < n": "caught"})
	if len(wrong) != 2 || !strings.Contains(told.String(), "| 3 | 1 | 1 |") || !strings.Contains(told.String(), "survives: `"+want[1]) {
		t.Errorf("%q\n%s", wrong, told.String())
	}
	if chosen, _, err := s.run(t.Context(), 2, io.Discard); err != nil || len(chosen) != 2 || chosen[1] != 2 {
		t.Errorf("%v, %v", chosen, err)
	}
}

// TestOperators: each rule, by the code that it makes.
func TestOperators(t *testing.T) {
	g := tiny(t)
	const body = `package sum

func f(a, b int, p *int, list []int) (int, error) {
	for i, x := range list {
		if x == a || p != nil && i >= b-1 {
			continue
		}
		if !g(x) {
			break
		}
		a = min(a, b^1) + x
	}
	switch {
	case a > b:
		h()
		return a, nil
	}
	return b, e()
}

func g(x int) bool { return true }
func h()           {}
func e() error     { return nil }
`
	for name, text := range map[string]string{"sum.go": body, "sum_test.go": "package sum\n"} {
		if err := os.WriteFile(filepath.Join(g.root, "sum", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mutants, files, err := g.switched(t.Context(), "sum")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range mutants {
		names = append(names, m.Name)
	}
	want := strings.Split(`f: without x == a: x == a || p != nil && i >= b-1
f: without p != nil && i >= b-1: x == a || p != nil && i >= b-1
f: negated: x == a
f: without p != nil: p != nil && i >= b-1
f: without i >= b-1: p != nil && i >= b-1
f: negated: p != nil
f: boundary: i >= b-1
f: left alone: b-1
f: break: continue
f: negated: !g(x)
f: continue: break
f: no assignment: a = min(a, b^1) + x
f: sign: min(a, b^1) + x
f: the other: min(a, b^1)
f: left alone: b^1
f: no call: h()
f: no return: return a, nil
f: boundary: a > b
f: no error: return b, e()
g: negated: return true`, "\n")
	seen := map[string]bool{}
	for _, n := range names {
		seen[strings.TrimPrefix(n, "sum.go ")] = true
	}
	for _, w := range want {
		if !seen[w] {
			t.Errorf("no mutant %q", w)
		}
	}
	if len(names) != len(want) {
		t.Errorf("%d mutants, want %d: %s", len(names), len(want), strings.Join(names, "\n"))
	}
	if _, _, err := g.compiled(t.Context(), "sum"); err != nil {
		t.Errorf("%v\n%s", err, files["sum/sum.go"])
	}
}

// TestTooMuchMemory: a test that takes all there is is stopped, which counts as caught.
func TestTooMuchMemory(t *testing.T) {
	o, err := judge([]byte("fatal error: runtime: out of memory\n\ngoroutine 7 [running]:\ntiny/sum.TestUp(0x1)\n"), failure(t))
	if err != nil || o.By != "TestUp (memory)" {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := judge([]byte("something else"), failure(t)); err == nil {
		t.Error("no error")
	}
	if _, err := judge(nil, errors.New("no go")); err == nil {
		t.Error("no error")
	}
}

// failure is the error of a command that failed.
func failure(t *testing.T) error {
	t.Helper()
	err := exec.CommandContext(t.Context(), "false").Run()
	if err == nil {
		t.Fatal("false does not fail")
	}
	return err
}
