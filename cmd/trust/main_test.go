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

const document = "# Head\n\n<!-- one: begin -->\nold\n<!-- one: end -->\n\n<!-- two: begin -->\n<!-- two: end -->\ntail\n"

// TestRecord holds that each stage writes its own section, that what was found wrong is
// recorded and fails, and that a stage that could not be tried changes nothing.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trust.md")
	if err := os.WriteFile(file, []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
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
	run := func(s ...stage.Stage) error { return runAll(context.Background(), s, o, file) }
	if err := run(stage.Stage{Name: "one", Run: says("new", nil)}); err != nil {
		t.Error(err)
	}
	var found *stage.Found
	if err := run(stage.Stage{Name: "two", Run: says("wrong", &stage.Found{What: "a defect"})}); !errors.As(err, &found) {
		t.Errorf("error %v, want what was found", err)
	}
	if err := run(stage.Stage{Name: "one", Run: says("half", errors.New("no disk"))}); err == nil {
		t.Error("no error of a stage that could not be tried")
	}
	if err := run(stage.Stage{Name: "three", Run: says("x", nil)}); err == nil {
		t.Error("no error for missing markers")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Head\n", "begin -->\n\nnew\n", "begin -->\n\nwrong\n", "`trust two`", "\ntail\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	for _, not := range []string{"old", "half"} {
		if strings.Contains(string(text), not) {
			t.Errorf("%q in %s", not, text)
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
