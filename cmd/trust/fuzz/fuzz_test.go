package fuzz

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"turnproof/cmd/trust/stage"
)

func TestListed(t *testing.T) {
	got := listed([]byte("FuzzA\nFuzzB\nok  \tm/one\t0.1s\n?   \tm/two\t[no test files]\nok  \tm/three\t(cached)\nFuzzC\nok  \tm/four\t0.1s\n"))
	want := []target{{pkg: "m/one", name: "FuzzA"}, {pkg: "m/one", name: "FuzzB"}, {pkg: "m/four", name: "FuzzC"}}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
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
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module trial\n\ngo 1.25\n",
		"p/p_test.go": "package p\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc FuzzSlow(f *testing.F) {\n\tf.Add([]byte{1})\n\tf.Fuzz(func(t *testing.T, b []byte) { time.Sleep(8 * time.Second) })\n}\n\nfunc FuzzGood(f *testing.F) { f.Fuzz(func(t *testing.T, b []byte) { _ = len(b) }) }\n\nfunc FuzzBad(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, b []byte) {\n\t\tif len(b) > 0 {\n\t\t\tpanic(\"not empty\")\n\t\t}\n\t})\n}\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "")
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
