package defects

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// Stage tries all seeded defects, and the mutants of the checker (as many as Options.Cases
// says; 0: all).
var Stage = stage.Stage{Name: "defects", Title: "Seeded defects", Run: run}

// surveyed is the package whose mutants are tried: the judge of all provers.
const surveyed = "verify/cert"

// eachTest is how long the tests of a package may take. The slowest ones that are run here
// take half a minute on a quiet machine.
const eachTest = 4 * time.Minute

func run(ctx context.Context, o stage.Options, out io.Writer) error {
	g := &goTests{root: o.Root, work: o.Work, each: eachTest}
	if err := g.prepare(); err != nil {
		return err
	}
	list, err := readLists()
	if err != nil {
		return err
	}
	excused, err := equivalents(equivalentText)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.Progress, "the tests without any defect\n")
	if err := g.baseline(ctx, list); err != nil {
		return err
	}
	outcomes, err := g.seeded(ctx, list, o.Progress)
	if err != nil {
		return err
	}
	wrong := tellSeeded(out, list, outcomes)
	s, err := g.newSurvey(ctx, surveyed)
	if err != nil {
		return err
	}
	chosen, results, err := s.run(ctx, o.Cases, o.Progress)
	if err != nil {
		return err
	}
	wrong = append(wrong, tellSurvey(out, s, chosen, results, excused)...)
	if len(wrong) > 0 {
		return &stage.Found{What: fmt.Sprintf("%d defects that no test catches, or entries that are wrong, the first of them %s", len(wrong), slices.Min(wrong))}
	}
	return nil
}
