package defects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// This file tries the seeded defects.
//
// Cost: one build and run of a package's tests for each; two at a time.

// atOnce is how many tests run at a time.
const atOnce = 2

// baseline holds that all tests that are to catch something pass as the tree is; its error
// names all that do not.
func (g *goTests) baseline(ctx context.Context, list []Defect) error {
	var all []Tests
	for _, d := range list {
		for _, t := range d.Tests {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	failed := make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i, t := range all {
		group.Go(func() error {
			o, err := g.run(ctx, t)
			if err == nil && o.Caught {
				err = errors.New("they fail by " + o.By)
			}
			if err != nil {
				failed[i] = fmt.Errorf("tests of %s %s without any defect: %w", t.Package, t.Pattern, err)
			}
			return nil
		})
	}
	_ = group.Wait() // they keep their errors
	return errors.Join(failed...)
}

// seeded tries each defect. What it could not try is an error of the list.
func (g *goTests) seeded(ctx context.Context, list []Defect, progress io.Writer) ([]Outcome, error) {
	outcomes, broken := make([]Outcome, len(list)), make([]error, len(list))
	var group errgroup.Group
	group.SetLimit(atOnce)
	var telling sync.Mutex
	done := 0
	for i := range list {
		group.Go(func() error {
			outcomes[i], broken[i] = g.try(ctx, fmt.Sprintf("defect%d", i), &list[i])
			telling.Lock()
			defer telling.Unlock()
			done++
			if broken[i] == nil {
				fmt.Fprintf(progress, "%3d/%d %s: %s: %s\n", done, len(list), list[i].Area, list[i].Name, outcomes[i])
			}
			return nil
		})
	}
	_ = group.Wait() // they keep their errors
	return outcomes, errors.Join(broken...)
}

// try tries one, by each of its tests until one catches it.
func (g *goTests) try(ctx context.Context, folder string, d *Defect) (Outcome, error) {
	text, err := d.mutated(g.root)
	if err != nil {
		return Outcome{}, err
	}
	flag, err := g.overlay(folder, map[string]string{d.File: text})
	if err != nil {
		return Outcome{}, err
	}
	for _, t := range d.Tests {
		o, err := g.run(ctx, t, flag)
		if err != nil {
			return Outcome{}, fmt.Errorf("%s: %s: %w", d.Area, d.Name, err)
		}
		if o.Caught {
			return o, nil
		}
	}
	return Outcome{}, nil
}

// String says what came of it.
func (o Outcome) String() string {
	if o.Caught {
		return "caught by " + o.By
	}
	return "SURVIVES"
}

// tellSeeded writes the scores and what caught each defect, and returns the survivors.
func tellSeeded(out io.Writer, list []Defect, outcomes []Outcome) (survivors []string) {
	var areas []string
	all, caught := map[string]int{}, map[string]int{}
	total := 0
	for i, d := range list {
		if all[d.Area] == 0 {
			areas = append(areas, d.Area)
		}
		if all[d.Area]++; outcomes[i].Caught {
			caught[d.Area]++
			total++
		} else {
			survivors = append(survivors, d.Area+": "+d.Name)
		}
	}
	fmt.Fprintf(out, "Defects put into the code by hand, one at a time: the tests caught %d of %d.\n\n", total, len(list))
	fmt.Fprint(out, "| area | defects | caught |\n|---|---:|---:|\n")
	for _, a := range areas {
		fmt.Fprintf(out, "| %s | %d | %d |\n", a, all[a], caught[a])
	}
	fmt.Fprint(out, "\n<details><summary>Each of them, and what caught it</summary>\n\n| area | defect | what is wrong | caught by |\n|---|---|---|---|\n")
	for i, d := range list {
		by := outcomes[i].By
		if !outcomes[i].Caught {
			by = "**nothing**"
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", d.Area, cell(d.Name), cell(d.Wrong), cell(by))
	}
	fmt.Fprint(out, "\n</details>\n")
	return survivors
}

// cell makes text fit a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
