package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// TestRecord checks that each stage writes its own file, that the record includes what a stage
// found wrong, and that a stage that cannot run leaves its file alone.
func TestRecord(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "record")
	says := func(text string, err error) func(context.Context, stage.Options, io.Writer) error {
		return func(_ context.Context, o stage.Options, out io.Writer) error {
			if entries, err := os.ReadDir(o.Work); err != nil || len(entries) > 0 {
				t.Errorf("work folder %q: %v, %d entries", o.Work, err, len(entries))
			}
			fmt.Fprintln(out, text)
			return err
		}
	}
	o := stage.Options{Root: ".", Bin: "bin", Progress: io.Discard}
	run := func(s ...stage.Stage) error { return runAll(context.Background(), s, o, folder) }
	if err := run(stage.Stage{Name: "one", Title: "One", Run: says("new", nil)}); err != nil {
		t.Error(err)
	}
	var found *stage.Found
	if err := run(stage.Stage{Name: "two", Run: says("wrong", &stage.Found{What: "a defect"})}); !errors.As(err, &found) {
		t.Errorf("error %v; want what was found", err)
	}
	if err := run(stage.Stage{Name: "one", Run: says("half", errors.New("no disk"))}); err == nil {
		t.Error("a stage cannot run: no error")
	}
	for name, want := range map[string]string{"one.md": "# One\n\nnew\n\n(`trust one`, seed 0: ", "two.md": "# \n\nwrong\n"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: %v, %q; want %q", name, err, text, want)
		}
	}
}

func TestChoose(t *testing.T) {
	if _, err := choose([]string{"no such stage"}); err == nil {
		t.Error("no error")
	}
	if all, err := choose(nil); err != nil || len(all) != len(stages) {
		t.Errorf("%d stages, %v", len(all), err)
	}
}
