package enumerate

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/engines"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// This file declares the command "enumerate". It decides sets of class turns for all networks of a
// family.

func Command() *cli.Command {
	var kinds []string
	for _, f := range space.Forms() {
		kinds = append(kinds, fmt.Sprintf("  %-26s %s", f.Syntax, f.About))
	}
	solvers := registry.Names(engines.Engines(), func(e engines.Engine) string { return e.Name })
	var rules []string
	for _, r := range space.Rules() {
		rules = append(rules, fmt.Sprintf("  %-6s %s", r.Name, r.About))
	}
	return &cli.Command{
		Name:         "enumerate",
		Usage:        "count and list sets of class turns, each proved for every network of a family or refuted by one",
		ArgsUsage:    "SPACE [flags]",
		BashComplete: cli.Complete(cli.Argument{Words: spaceWords(), Files: true}),
		Description: "Straight on, in the same direction, is always allowed. Deadlock-free: on no network of\n" +
			"the family do allowed turns close a cycle. Connected: these turns also join each pair on\n" +
			"every network by some path. Classes are up to the symmetries of the family. Every\n" +
			"set that is listed has its proof (a rank that allowed turns raise) or its counterexample (a\n" +
			"network with a cycle), and the independent checker has accepted it.\n" +
			"The count of --choices one-per-cycle runs in parts, on all processors, or on several\n" +
			"machines by --slurm or --shard; see docs/cluster.md.\n" +
			"Exit status: 0 done, 2 wrong usage or input, 3 incomplete (interrupted, or a limit was reached).\n\n" +
			"Spaces:\n" + strings.Join(kinds, "\n") + "\n\n" +
			"Rules of tori with two virtual channels:\n" + strings.Join(rules, "\n") + "\n\n" +
			"Examples:\n" +
			"  turnproof enumerate mesh:2\n" +
			"  turnproof enumerate mesh:3 --choices one-per-cycle --json\n" +
			"  turnproof enumerate hv --tree canonical --figure classes.svg\n" +
			"  turnproof enumerate torus:2,vcs=2,rule=nf+1 --files proofs\n" +
			"  turnproof enumerate mesh:6 --choices one-per-cycle --journal mesh-6.journal --slurm --slurm-tasks 50",
		Flags: append([]cli.Flag{
			choicesFlag(),
			&cli.BoolFlag{Name: "u-turns", Usage: "treat turns back over the same cable as class turns", Category: cli.CategoryListed},
			&cli.Words{StringFlag: cli.StringFlag{Name: "tree", Usage: "choose the trees of H/V graphs: any, coordinates or canonical",
				DefaultText: "any", Category: cli.CategoryListed}, List: []string{"any", "coordinates", "canonical"}},
			&cli.IntFlag{Name: "limit", Value: 50, Usage: "list at most `SETS`; 0 lists none", Category: cli.CategoryListed},
			&cli.IntFlag{Name: "search", Usage: "end the search for maximal sets after `SETS` or a few more (default: no limit)", Category: cli.CategoryListed},
			&cli.Words{StringFlag: cli.StringFlag{Name: "engine", Value: solvers[0],
				Usage: "search for the sets of --choices fewest with this solver: gini (embedded) or z3", Category: cli.CategoryListed}, List: solvers},
			&cli.Output{StringFlag: cli.StringFlag{Name: "files",
				Usage:    "write to the folder `DIR` a certificate for each set listed; for each refuted set also the network and turn set, for check",
				Category: cli.CategoryOutput}, Stored: true},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the classes of the sets listed to `FILE` (.svg, .png, .pdf, .dot)",
				Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "cross-check", Usage: "let Z3 also decide the listed sets; a disagreement is an error", Category: cli.CategoryOpinions},
			&cli.BoolFlag{Name: "simulate",
				Usage: "test the listed sets by simulation: run proved sets at saturation, drive refuted sets into a deadlock", Category: cli.CategoryOpinions},
			rows.ResultFlag("print the sets listed as `FORMAT`: text, csv, markdown, latex"),
			rows.ColumnsFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/enumerate.json)", Category: cli.CategoryOutput},
		}, machines.Flags("parts", "none")...),
		Action: runEnumerate,
	}
}

// enumeration is the result of the command.
type enumeration struct {
	e        *enumerate.Enumerator
	choices  enumerate.Choices
	sets     *big.Int
	tally    enumerate.Tally
	maximal  []space.Set // all maximal deadlock-free sets; nil if they were not searched for
	complete bool
	classes  *big.Int
	reversal *big.Int
	maximals [2]int // numbers of maximal sets, and of connected maximal sets

	list      []*enumerate.SetReport // sets in the order of output; in small spaces conflicts follow
	published []*enumerate.SetReport
	simulated map[*enumerate.SetReport]*confirm.Result
	left      int // number of sets not listed
	undecided int // number of listed sets that are undecided
	seconds   float64
}

func runEnumerate(c *cli.Context) error {
	began := time.Now()
	x, err := newEnumeration(c)
	if err != nil {
		return err
	}
	format, err := rows.ResultFormat(c)
	if err != nil {
		return err
	}
	if format == "text" && c.IsSet("columns") {
		return errors.New("--columns goes with --format csv, markdown or latex")
	}
	columns, err := rows.Columns(c, setColumns)
	if err != nil {
		return err
	}
	if err := errors.Join(cli.DistinctOutputs(c, "figure", "journal"), machines.CheckFlags(c, "figure", "files")); err != nil {
		return err
	}
	if f := c.String("figure"); f != "" {
		if _, err := picture.Format(f); err != nil {
			return err
		}
	}
	done, err := x.count(c)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.App.ErrWriter, "turnproof: interrupted before a count was complete")
		return cli.Status(cli.ExitUndecided)
	}
	if err != nil || !done {
		return err
	}
	if err := x.decide(c); err != nil {
		return err
	}
	x.seconds = time.Since(began).Seconds()
	if err := x.write(c); err != nil {
		return err
	}
	switch {
	case c.Bool("json"):
		err = x.json(c)
	case format != "text":
		err = x.table(c.App.Writer, format, columns)
	default:
		x.text(c.App.Writer)
	}
	if err == nil && !x.complete {
		return cli.Status(cli.ExitUndecided)
	}
	return err
}

func newEnumeration(c *cli.Context) (*enumeration, error) {
	name, err := cli.OneArgument(c, "SPACE")
	if err != nil {
		return nil, err
	}
	o := space.Options{UTurns: c.Bool("u-turns"), Tree: space.Tree(c.String("tree"))}
	var s *space.Space
	if _, statErr := os.Stat(name); statErr == nil || name == "-" || strings.ContainsAny(name, "/.") {
		if s, err = space.Read(name, o); err == nil {
			cli.Reads(c, name)
		}
	} else {
		s, err = space.Parse(name, o)
	}
	if err != nil {
		return nil, err
	}
	e, err := enumerate.New(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &enumeration{e: e, choices: enumerate.Choices(c.String("choices")), complete: true,
		simulated: map[*enumerate.SetReport]*confirm.Result{}}
	if _, err := enumerate.Find(string(x.choices)); err != nil {
		return nil, fmt.Errorf("--choices: %w", err)
	}
	if c.Int("limit") < 0 || c.Int("search") < 0 {
		return nil, errors.New("--limit and --search: want a number of sets, 0 or more")
	}
	return x, nil
}

// spaceWords returns the words that complete the argument SPACE.
func spaceWords() (words []string) {
	for _, f := range space.Forms() {
		if strings.Contains(f.Syntax, ":") {
			f.Name += ":"
		}
		if f.Name != "" && !slices.Contains(words, f.Name) {
			words = append(words, f.Name)
		}
	}
	return words
}

// choicesFlag returns the flag --choices.
func choicesFlag() cli.Flag {
	var names, texts []string
	for _, k := range enumerate.Kinds() {
		text := string(k.Name)
		if k.Name != enumerate.All {
			text += " (" + k.About + ")"
		}
		names, texts = append(names, string(k.Name)), append(texts, text)
	}
	last := len(texts) - 1
	return &cli.Words{StringFlag: cli.StringFlag{Name: "choices", Value: names[0],
		Usage: "list these sets: " + strings.Join(texts[:last], ", ") + " or " + texts[last], Category: cli.CategoryListed}, List: names}
}

// write writes the files of --figure and --files, if set.
func (x *enumeration) write(c *cli.Context) error {
	if f := c.String("figure"); f != "" {
		if err := x.figure(c, f); err != nil {
			return err
		}
	}
	dir := c.String("files")
	if dir == "" {
		return nil
	}
	return cli.WriteFolder(c, dir, func(write cli.FileWriter) error {
		for i, d := range append(append([]*enumerate.SetReport{}, x.list...), x.published...) {
			if err := d.Write(write, d.FileName(i+1)); err != nil {
				return err
			}
		}
		return nil
	})
}
