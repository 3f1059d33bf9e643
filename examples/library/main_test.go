package main

import (
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnproof/turnproof/verify/cert"
)

const page = "../../docs/library.md"

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fenced returns the code blocks of a page in a language.
func fenced(text, language string) (list []string) {
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		if m[1] == language {
			list = append(list, m[2])
		}
	}
	return list
}

// TestPage: the program on the page equals main.go, it prints the output on the page, and the
// files that it writes are a valid certificate and drawing.
func TestPage(t *testing.T) {
	text := read(t, page)
	if d := cmp.Diff(fenced(text, "go"), []string{read(t, "main.go")}); d != "" {
		t.Errorf("(-page +main.go):\n%s", d)
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "library.exe")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := exec.Command(binary)
	program.Dir = dir
	printed, err := program.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	if !slices.Contains(fenced(text, ""), string(printed)) {
		t.Errorf("the page does not have what was printed:\n%s", printed)
	}

	c, err := cert.Read(strings.NewReader(read(t, filepath.Join(dir, "certificate.json"))))
	if err != nil {
		t.Fatal(err)
	}
	if err := cert.Check(c); err != nil {
		t.Error(err)
	}
	if !slices.ContainsFunc(c.Claims, func(c cert.Claim) bool {
		return c.Claim == cert.ClaimDeadlockFree && c.Verdict == cert.Refuted
	}) {
		t.Error("the certificate does not refute deadlock-free")
	}

	svg := read(t, filepath.Join(dir, "loop.svg"))
	wellFormed(t, svg)
	if svg != read(t, "../../docs/figures/library-loop.svg") {
		t.Error("docs/figures/library-loop.svg is another drawing; run the program and copy its loop.svg")
	}
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPackageExamples: each row of the page has a package and a file with an example.
func TestPackageExamples(t *testing.T) {
	rows := regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| .* \\| \\[.*\\]\\((.*)\\) \\|$").FindAllStringSubmatch(read(t, page), -1)
	for _, m := range rows {
		if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
			t.Errorf("there is no package %s", m[1])
		}
		if !strings.Contains(read(t, filepath.Join(filepath.Dir(page), m[2])), "\nfunc Example") {
			t.Errorf("%s: %s has no example", m[1], m[2])
		}
	}
	if len(rows) < 20 {
		t.Errorf("only %d packages with examples", len(rows))
	}
}
