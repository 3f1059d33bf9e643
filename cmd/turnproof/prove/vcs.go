package prove

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/synth/vcrule"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file finds a rule that assigns VCs (--find-vcs), and prints the search.

type searchJSON struct {
	VCs     *int        `json:"vcs"` // of the rule; null if none was found
	Fewest  bool        `json:"fewest"`
	Program *string     `json:"program"` // text
	Levels  []levelJSON `json:"levels"`
}

type levelJSON struct {
	VCs       int    `json:"vcs"`
	Rules     int    `json:"rules"`
	Refuted   int    `json:"refuted"`
	Undecided int    `json:"undecided"`
	Largest   string `json:"largest"` // the largest network that refuted a rule
}

func newSearchJSON(x *vcrule.Result) *searchJSON {
	if x == nil {
		return nil
	}
	j := &searchJSON{Fewest: x.Fewest}
	if x.Program != nil {
		j.VCs, j.Program = &x.Program.VCs, &x.Program.Text
	}
	for _, l := range x.Levels {
		j.Levels = append(j.Levels, levelJSON(l))
	}
	return j
}

// maxFindVCs is the largest number of VCs to search rules for: with 4 VCs there are 45,000 rules.
const maxFindVCs = 4

// findNumbered searches a rule for a program for any network. It returns nil if --find-vcs is not set.
func findNumbered(c *cli.Context, p *program.Program, o vcrule.Options, line *cli.Progress) (*vcrule.Result, error) {
	if !c.IsSet("find-vcs") {
		if c.String("program") != "" {
			return nil, errors.New("--program applies to --find-vcs")
		}
		return nil, nil
	}
	if o.Most = c.Int("find-vcs"); o.Most < 1 {
		return nil, fmt.Errorf("--find-vcs %d: want a number of at least 1", o.Most)
	}
	o.Prove.Progress = func(what string) { line.Tell("%s", what) }
	x, err := vcrule.FindNumbered(c.Context, p, o)
	if err != nil {
		return nil, fmt.Errorf("--find-vcs: %w", err)
	}
	if file := c.String("program"); file != "" && x.Program != nil {
		err = cli.WriteFile(c, file, func(w io.Writer) error { _, err := io.WriteString(w, x.Program.Text); return err })
	}
	return x, err
}

// findVCs searches a rule for the program of list, and replaces the program by the one with the rule. It returns nil if
// --find-vcs is not set. The search is for two dimensions, if the list has them.
func findVCs(c *cli.Context, list []toProve, o parametric.Options, line *cli.Progress) (*vcrule.Result, error) {
	most := c.Int("find-vcs")
	if !c.IsSet("find-vcs") {
		if c.String("program") != "" {
			return nil, errors.New("--program applies to --find-vcs")
		}
		return nil, nil
	}
	if most < 1 || most > maxFindVCs {
		return nil, fmt.Errorf("--find-vcs %d: want a number from 1 to %d", most, maxFindVCs)
	}
	if c.String("flow") != "" {
		return nil, errors.New("--find-vcs does not apply to --flow")
	}
	if slices.ContainsFunc(list, func(t toProve) bool { return t.program != list[0].program }) {
		return nil, errors.New("--find-vcs is for one program: choose it with --family")
	}
	dims := list[0].dims
	if slices.ContainsFunc(list, func(t toProve) bool { return t.dims == 2 }) {
		dims = 2
	}
	x, err := vcrule.Find(c.Context, list[0].program, vcrule.Options{Most: most, Dims: dims, Switching: o.Switching,
		Prove: parametric.Options{Limit: o.Limit, Progress: func(what string) { line.Tell("%s", what) }}})
	if err != nil {
		return nil, fmt.Errorf("--find-vcs: %w", err)
	}
	if x.Program == nil {
		return x, nil
	}
	for i := range list {
		list[i].program = x.Program
	}
	if file := c.String("program"); file != "" {
		err = cli.WriteFile(c, file, func(w io.Writer) error { _, err := io.WriteString(w, x.Program.Text); return err })
	}
	return x, err
}

// printSearch prints what a search has found. It prints nothing if x is nil.
func printSearch(w io.Writer, x *vcrule.Result) {
	if x == nil {
		return
	}
	for _, l := range x.Levels {
		parts := []string{}
		if l.Refuted > 0 {
			parts = append(parts, fmt.Sprintf("%d refuted, on networks up to %s", l.Refuted, l.Largest))
		}
		if l.Undecided > 0 {
			parts = append(parts, fmt.Sprintf("%d undecided", l.Undecided))
		}
		if x.Program != nil && l.VCs == x.Program.VCs {
			parts = append(parts, "then one proved")
		}
		fmt.Fprintf(w, "%s: %s of this shape, %s\n", wording.Count(l.VCs, "VC", "s"), wording.Count(l.Rules, "rule", "s"), strings.Join(parts, ", "))
	}
	if x.Program == nil {
		return
	}
	if x.Fewest && x.Program.VCs > 1 {
		fmt.Fprintf(w, "\nNo rule of this shape needs fewer than %s.", wording.Count(x.Program.VCs, "VC", "s"))
	}
	fmt.Fprintf(w, "\nThe program with the rule:\n\n")
	for line := range strings.Lines(x.Program.Text) {
		fmt.Fprintf(w, "  %s", line)
	}
	fmt.Fprintln(w)
}

// endSearch prints a search without a result.
func (p printer) endSearch() error {
	result := verify.Undecided
	if p.search.Fewest {
		result = verify.Refuted
	}
	seconds := time.Since(p.began).Seconds()
	if p.c.Bool("json") {
		none := proofJSON{File: p.word, Result: string(result), Family: p.family, Dimensions: p.dims, Switching: []string{}, Rank: []rankJSON{},
			Escape: []string{}, Invariants: []string{}, Obligations: []obligationJSON{}, Searched: []string{}, Rechecked: []string{},
			Claims: []claimJSON{}, NotAsked: []string{}, Premises: []model.Premise{}, Notes: []string{}}
		if err := cli.PrintJSON(p.c.App.Writer, proveJSON{Schema: "turnproof.prove/1", Program: p.word, Verdict: string(result), proofJSON: none,
			Proofs: []proofJSON{}, Search: newSearchJSON(p.search), Inputs: []cert.Input{}, Seconds: seconds}); err != nil {
			return err
		}
		return verdict.Status(result)
	}
	printSearch(p.c.App.Writer, p.search)
	most := p.search.Levels[len(p.search.Levels)-1].VCs
	text := fmt.Sprintf("no rule of this shape with at most %s works", wording.Count(most, "VC", "s"))
	if result == verify.Undecided {
		text = "no rule was proved"
	}
	fmt.Fprintf(p.c.App.Writer, "\n%s: %s. %.2f s\n", strings.ToUpper(string(result)), text, seconds)
	return verdict.Status(result)
}
