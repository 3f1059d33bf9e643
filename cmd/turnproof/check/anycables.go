package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/meshgraph"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/ttfabric"
)

// This file checks every placement of the cables that a mesh graph descriptor leaves open.

// withAnyCables are the flags that go with --cables any.
var withAnyCables = []string{meshgraph.SettingCables, meshgraph.SettingFabric, meshgraph.SettingRules, meshgraph.SettingOptions, "figure", "json", "seconds"}

// anySeconds is the default limit of the search over placements.
const anySeconds = 20

func runAnyCables(c *cli.Context, path string) error {
	began := time.Now()
	for _, flag := range c.Command.Flags {
		if name := flag.Names()[0]; c.IsSet(name) && !slices.Contains(withAnyCables, name) {
			return fmt.Errorf("--%s does not go with --%s", name, meshgraph.SettingCables)
		}
	}
	if word := c.String(meshgraph.SettingCables); word != "any" {
		return fmt.Errorf("--%s %s: want any", meshgraph.SettingCables, word)
	}
	if !meshgraph.Is(path) {
		return fmt.Errorf("--%s says something of mesh graph descriptors, and %s is none", meshgraph.SettingCables, path)
	}
	cli.Reads(c, path)
	var files []model.Input
	f, err := meshgraph.Load(path, input.Settings(c), func(path, sum string) { files = append(files, model.Input{Name: path, SHA256: sum}) })
	if err != nil {
		return err
	}
	limit := time.Duration(anySeconds) * time.Second
	if c.IsSet("seconds") {
		if limit, err = cli.ReadSeconds(c, "seconds"); err != nil {
			return err
		}
	}
	a, err := ttfabric.DecideAny(c.Context, f, limit)
	if err != nil {
		return err
	}
	if file := c.String("figure"); file != "" {
		if a.Report == nil {
			return fmt.Errorf("--figure draws the worst placement, and none is refuted")
		}
		if err := picture.CheckFigure(c, file, a.Report); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		err = cli.PrintJSON(c.App.Writer, &anyJSON{"turnproof.cables/1", path, a, append([]model.Input{}, files...), time.Since(began).Seconds()})
	} else {
		for _, note := range f.Notes {
			fmt.Fprintln(c.App.ErrWriter, "note:", plain.Text(note))
		}
		err = printAny(c.App.Writer, path, a, time.Since(began).Seconds())
	}
	return cmp.Or(err, verdict.Status(a.Verdict))
}

// anyJSON is the output of --json (docs/schema/cables.json).
type anyJSON struct {
	Schema  string `json:"schema"`
	Network string `json:"network"`
	*ttfabric.AnyAnswer
	Inputs  []model.Input `json:"inputs"`
	Seconds float64       `json:"seconds"`
}

func printAny(w io.Writer, path string, a *ttfabric.AnyAnswer, seconds float64) error {
	words := map[verify.Verdict]string{verify.Proved: "PROVED", verify.Refuted: "REFUTED", verify.Undecided: "UNDECIDED"}
	fmt.Fprintf(w, "%s: every placement of the cables\n\n%-9s  deadlock-free  %s\n", plain.Text(path), words[a.Verdict], plain.Text(a.Reason))
	if a.Worst != nil {
		cables, err := json.Marshal(a.Worst)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\nThe worst placement, for --%s: {\"cables\": %s}\n", meshgraph.SettingOptions, cables)
	}
	if a.Answer != nil {
		printFabric(w, a.Answer)
	}
	_, err := fmt.Fprintf(w, "\n%s. The independent checker accepted every verdict. %.3f s\n", words[a.Verdict], seconds)
	return err
}
