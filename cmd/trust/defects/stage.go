package defects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// This file tries every seeded defect. Each costs one build and one run of a package's tests.

// Stage tries the seeded defects; Options.Cases, if not 0, limits their number.
var Stage = stage.Stage{Name: "defects", Title: "Seeded defects", Run: run}

const (
	testTimeout = 4 * time.Minute // the slowest tests take half a minute on a quiet machine
	parallel    = 2               // tests that run at the same time
)

func run(ctx context.Context, o stage.Options, out io.Writer) error {
	g := &goTests{root: o.Root, work: o.Work, timeout: testTimeout}
	if err := g.prepare(); err != nil {
		return err
	}
	list, err := readAll()
	if err != nil {
		return err
	}
	list = spread(list, o.Cases)
	fmt.Fprintf(o.Progress, "the tests without any defect\n")
	if err := g.baseline(ctx, list); err != nil {
		return err
	}
	outcomes, err := g.tryAll(ctx, list, o.Progress)
	if err != nil {
		return err
	}
	if survivors := write(out, list, outcomes); len(survivors) > 0 {
		return &stage.Found{What: fmt.Sprintf("no test catches %d defects: %s", len(survivors), strings.Join(survivors, "; "))}
	}
	return nil
}

// spread returns at most count elements of list, evenly spaced; all if count is 0.
func spread(list []Defect, count int) (some []Defect) {
	if count <= 0 || count >= len(list) {
		return list
	}
	for i := range count {
		some = append(some, list[i*len(list)/count])
	}
	return some
}

// each calls f for 0 to n-1, two calls at a time, and joins the errors.
func each(n int, f func(i int) error) error {
	failed := make([]error, n)
	var group errgroup.Group
	group.SetLimit(parallel)
	for i := range n {
		group.Go(func() error { failed[i] = f(i); return nil })
	}
	_ = group.Wait() // the errors are in failed
	return errors.Join(failed...)
}

// baseline returns an error if a test that must catch a defect fails without it.
func (g *goTests) baseline(ctx context.Context, list []Defect) error {
	var all []Tests
	for _, d := range list {
		all = append(all, d.Tests...)
	}
	slices.SortFunc(all, func(a, b Tests) int { return strings.Compare(a.String(), b.String()) })
	all = slices.Compact(all)
	return each(len(all), func(i int) error {
		o, err := g.run(ctx, all[i])
		if err == nil && o.Caught {
			err = errors.New(o.By + " fails")
		}
		if err != nil {
			err = fmt.Errorf("tests of %s without any defect: %w", all[i], err)
		}
		return err
	})
}

// tryAll tries each defect. An error says that a patch or its list of tests is wrong.
func (g *goTests) tryAll(ctx context.Context, list []Defect, progress io.Writer) ([]Outcome, error) {
	outcomes, done := make([]Outcome, len(list)), 0
	var lock sync.Mutex // of done and progress
	err := each(len(list), func(i int) (err error) {
		d := &list[i]
		if outcomes[i], err = g.try(ctx, filepath.Join(g.work, fmt.Sprintf("defect%d", i)), d); err != nil {
			return fmt.Errorf("%s: %s: %w", d.Area, d.Name, err)
		}
		lock.Lock()
		defer lock.Unlock()
		done++
		fmt.Fprintf(progress, "%3d/%d %s: %s: %s\n", done, len(list), d.Area, d.Name, outcomes[i])
		return nil
	})
	return outcomes, err
}

// try runs the tests of a defect until one of them fails.
func (g *goTests) try(ctx context.Context, folder string, d *Defect) (Outcome, error) {
	files, err := d.apply(g.root, folder)
	if err != nil {
		return Outcome{}, err
	}
	flag, err := g.overlay(folder, files)
	if err != nil {
		return Outcome{}, err
	}
	for _, t := range d.Tests {
		if o, err := g.run(ctx, t, flag); err != nil || o.Caught {
			return o, err
		}
	}
	return Outcome{}, nil
}

// write writes what caught each defect and returns the names of the survivors.
func write(out io.Writer, list []Defect, outcomes []Outcome) (survivors []string) {
	for i, d := range list {
		if !outcomes[i].Caught {
			survivors = append(survivors, d.Area+": "+d.Name)
		}
	}
	fmt.Fprintf(out, "The tests caught %d of %d seeded defects.\n\n", len(list)-len(survivors), len(list))
	fmt.Fprint(out, "| area | defect | what is wrong | result |\n|---|---|---|---|\n")
	cell := func(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
	for i, d := range list {
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", d.Area, cell(d.Name), cell(d.Wrong), cell(outcomes[i].String()))
	}
	return survivors
}
