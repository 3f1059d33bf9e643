package fuzz

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// module makes a source tree.
func module(t *testing.T, files map[string]string) (root string) {
	root = t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "")
	return root
}

// TestList finds what go test would: also in tests from outside, not in files that are not built.
func TestList(t *testing.T) {
	const text = "\n\nimport \"testing\"\n\nfunc FuzzX(f *testing.F) { f.Fuzz(func(*testing.T, int) {}) }\n"
	root := module(t, map[string]string{
		"go.mod":         "module m\n\ngo 1.25\n",
		"one/a_test.go":  "package one" + text + "\nfunc Fuzz(f *testing.F) {}\n\nfunc Fuzzy(f *testing.F) {}\n\nfunc FuzzHelper(t *testing.T) {}\n",
		"two/two.go":     "package two\n",
		"three/b.go":     "package three\n\nfunc FuzzNone() {}\n",
		"four/c_test.go": "package four_test" + text,
		"four/d_test.go": "//go:build never\n\npackage four" + strings.ReplaceAll(text, "X", "Y"),
	})
	got, err := list(t.Context(), root)
	want := []target{{pkg: "m/four", name: "FuzzX"}, {pkg: "m/one", name: "FuzzX"}, {pkg: "m/one", name: "Fuzz"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestCount(t *testing.T) {
	var x target
	x.count([]byte("fuzz: elapsed: 0s, gathering baseline coverage: 0/2 completed\nfuzz: elapsed: 3s, execs: 12 (4/sec), new interesting: 1 (total: 3)\nfuzz: elapsed: 6s, execs: 1234 (40/sec), new interesting: 7 (total: 9)\nPASS\n"))
	if x.execs != 1234 || x.found != 7 {
		t.Errorf("%+v", x)
	}
}

// TestStage fuzzes a module of three targets: one fails, one is not through with its seeds when
// its time is over.
func TestStage(t *testing.T) {
	root := module(t, map[string]string{
		"go.mod":      "module trial\n\ngo 1.25\n",
		"p/p_test.go": "package p\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc FuzzSlow(f *testing.F) {\n\tf.Add([]byte{1})\n\tf.Fuzz(func(t *testing.T, b []byte) { time.Sleep(8 * time.Second) })\n}\n\nfunc FuzzGood(f *testing.F) { f.Fuzz(func(t *testing.T, b []byte) { _ = len(b) }) }\n\nfunc FuzzBad(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, b []byte) {\n\t\tif len(b) > 0 {\n\t\t\tpanic(\"not empty\")\n\t\t}\n\t})\n}\n",
	})
	var out bytes.Buffer
	err := Stage.Run(context.Background(), stage.Options{Root: root, Time: 6 * time.Second, Progress: io.Discard}, &out)
	var found *stage.Found
	if !errors.As(err, &found) || !strings.Contains(found.What, "1 of 3 fuzz targets fail: FuzzBad of trial/p: ") {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if kept, err := filepath.Glob(filepath.Join(root, "p", "testdata", "fuzz", "FuzzBad", "*")); err != nil || len(kept) != 1 {
		t.Errorf("kept %q, %v", kept, err)
	}
	for _, want := range []string{"| p | FuzzGood | ", "| p | FuzzBad | ", " | 1 |\n", "| p | FuzzSlow | ", "| all | 3 | ", "\nNot tried, since their time was over before go had run the corpus: FuzzSlow of p.\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
