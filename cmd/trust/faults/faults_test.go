//go:build unix

package faults

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"turnproof/cmd/trust/stage"
)

// program is the folder of turnproof, built once.
var program string

func TestMain(m *testing.M) { os.Exit(withProgram(m)) }

func withProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "turnproof"), "turnproof/cmd/turnproof")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	program = dir
	return m.Run()
}

// TestParts tries each part a little; those that take long only where that is wanted.
func TestParts(t *testing.T) {
	quick := map[string]bool{"killed sweeps": true, "killed shards": true, "full disks": true, "two at once": true}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) {
			if !quick[p.name] && os.Getenv("TURNPROOF_LONG") == "" {
				t.Skip("TURNPROOF_LONG=1 tries it")
			}
			trial, err := newTrial(t.Context(), stage.Options{Root: root, Bin: program, Work: t.TempDir(), Seed: 1, Cases: 4, Progress: io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.try(trial); err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if err := trial.write(&text); err != nil || len(trial.rows) == 0 {
				t.Errorf("%v\n%s", err, &text)
			}
			t.Log(&text)
		})
	}
}
