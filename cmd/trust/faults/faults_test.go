//go:build unix

package faults

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// program builds turnproof once, and returns its folder.
var program = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		panic(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "turnproof"), "github.com/turnproof/turnproof/cmd/turnproof")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	return dir
})

func TestMain(m *testing.M) {
	status := m.Run()
	if os.Getenv("TURNPROOF_LONG") != "" {
		_ = os.RemoveAll(program())
	}
	os.Exit(status)
}

// attempt tries a part of the stage with few cases, and logs its section.
func attempt(t *testing.T, cases int, try func(*trial) error) {
	t.Helper()
	if os.Getenv("TURNPROOF_LONG") == "" {
		t.Skip("TURNPROOF_LONG is not set")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	trial, err := newTrial(t.Context(), stage.Options{Root: root, Bin: program(), Work: t.TempDir(), Seed: 1, Cases: cases, Progress: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if err := try(trial); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := trial.write(&text); err != nil || len(trial.rows) == 0 && len(trial.notes) == 0 {
		t.Errorf("%v, %d rows", err, len(trial.rows))
	}
	t.Log(&text)
}

// TestParts tries each part of the stage.
func TestParts(t *testing.T) {
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) { attempt(t, 4, p.try) })
	}
}

// TestRows: what is found wrong is counted and told.
func TestRows(t *testing.T) {
	var trial trial
	row := trial.row("a fault", "%s", "a command")
	var text strings.Builder
	if err := trial.write(&text); err != nil {
		t.Error(err)
	}
	for range most + 2 {
		row.found(torn, "half a file")
	}
	var found *stage.Found
	if err := trial.write(&text); !errors.As(err, &found) || !strings.Contains(text.String(), "| a fault | a command | 0 | 0 | 0 | 0 | 5 | 0 |") || strings.Count(found.What, "half a file") != most {
		t.Errorf("%v\n%s", err, &text)
	}
}

// TestOrder: a file that is renamed before it is forced to the disk is seen, also where calls
// of several threads are mixed.
func TestOrder(t *testing.T) {
	for trace, want := range map[string]bool{
		"1 openat(AT_FDCWD, \"d/.turnproof-ab-cd\", O_RDWR|O_CREAT) = 5\n1 write(5, \"x\") = 1\n1 fsync(5) = 0\n1 renameat(AT_FDCWD, \"d/.turnproof-ab-cd\", AT_FDCWD, \"d/a\") = 0\n":                                                                                          true,
		"1 openat(AT_FDCWD, \"d/.turnproof-ab-cd\", O_RDWR|O_CREAT) = 5\n1 write(5, \"x\") = 1\n1 renameat(AT_FDCWD, \"d/.turnproof-ab-cd\", AT_FDCWD, \"d/a\") = 0\n":                                                                                                          false,
		"1 openat(AT_FDCWD, \"d/.turnproof-ab-cd\", O_RDWR|O_CREAT <unfinished ...>\n2 close(5) = 0\n1 <... openat resumed>) = 5\n1 fsync(5) = 0\n1 write(5, \"x\") = 1\n1 renameat(AT_FDCWD, \"d/.turnproof-ab-cd\", AT_FDCWD, \"d/a\") = 0\n":                                 false,
		"1 openat(AT_FDCWD, \"d/.turnproof-ab-cd\", O_RDWR|O_CREAT <unfinished ...>\n2 close(5) = 0\n1 <... openat resumed>) = 5\n1 fsync(5 <unfinished ...>\n2 futex() = 0\n1 <... fsync resumed>) = 0\n1 renameat(AT_FDCWD, \"d/.turnproof-ab-cd\", AT_FDCWD, \"d/a\") = 0\n": true,
	} {
		var on traced
		renames := 0
		for _, line := range joined(slices.Collect(bytes.Lines([]byte(trace)))) {
			if name := on.follow(line); name != "" {
				if renames++; on.forced[name] != want {
					t.Errorf("forced to the disk: %v in\n%s", on.forced[name], trace)
				}
			}
		}
		if renames != 1 {
			t.Errorf("%d files are renamed in\n%s", renames, trace)
		}
	}
}
