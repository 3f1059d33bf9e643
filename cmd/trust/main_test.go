package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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

// TestParts checks that the parts of a divisible stage cover all cases, that the record has all of them in order, and that a
// finished part does not run again.
func TestParts(t *testing.T) {
	folder := t.TempDir()
	ran := map[string]int{}
	divided := stage.Stage{Name: "divided", Title: "Divided", Divisible: true, Run: func(_ context.Context, o stage.Options, out io.Writer) error {
		first, end := o.Range(10)
		ran[fmt.Sprint(first, "-", end)]++
		fmt.Fprintf(out, "cases %d to %d\n", first, end)
		if first == 3 {
			return &stage.Found{What: "a defect"}
		}
		return nil
	}}
	whole := stage.Stage{Name: "whole", Title: "Whole", Run: func(_ context.Context, o stage.Options, out io.Writer) error {
		if o.Parts != 0 {
			t.Errorf("part %d of %d of a stage that is not divisible", o.Part, o.Parts)
		}
		ran["whole"]++
		fmt.Fprintln(out, "all")
		return nil
	}}
	defer func(old []stage.Stage) { stages = old }(stages)
	stages = []stage.Stage{divided, whole}
	for range 2 {
		err := app().Run(arguments([]string{"trust", "--journal", filepath.Join(folder, "journal"), "--workers", "1", "--parts", "3", "--record", folder}))
		if err == nil || err.Error() != "divided: a defect" {
			t.Errorf("error %v; want the defect", err)
		}
	}
	if want := map[string]int{"0-3": 1, "3-6": 1, "6-10": 1, "whole": 1}; !maps.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	for name, want := range map[string]string{
		"divided.md": "# Divided\n\n## Part 1 of 3\n\ncases 0 to 3\n## Part 2 of 3\n\ncases 3 to 6\n## Part 3 of 3\n\ncases 6 to 10\n",
		"whole.md":   "# Whole\n\nall\n",
	} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.HasPrefix(string(text), want+"\n(`trust ") {
			t.Errorf("%s: %v, %q; want %q", name, err, text, want)
		}
	}
}
