package reproduce

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/examples/papers"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/internal/wording"
)

// Runner runs a command line of turnproof and returns its exit status.
type Runner func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// Command returns the command reproduce with its flags. run runs the commands that draw figures.
func Command(run Runner) *cli.Command {
	return &cli.Command{
		Name:         "reproduce",
		Usage:        "put the figures, tables and claims of papers beside ours",
		ArgsUsage:    "NAME [flags], or [PAPER] --all, --list or --claims",
		BashComplete: cli.Complete(cli.Argument{Words: papers.Names()}),
		Description: "NAME is a figure, table, theorem or claim of a paper. The output has the form of the\n" +
			"paper's table: our value, then the published one in parentheses. A line for each claim\n" +
			"says whether it holds, with both numbers. Where the paper leaves something open, one\n" +
			"reading is the default; --readings all computes all. The long computations consist of\n" +
			"points, which run on several machines by --slurm or --shard; see docs/cluster.md.\n\n" +
			"Examples:\n" +
			"  turnproof reproduce --list\n" +
			"  turnproof reproduce --claims\n" +
			"  turnproof reproduce turn-model/table-3 --recorded\n" +
			"  turnproof reproduce turn-addition/figure-8 --figure figure-8.svg\n" +
			"  turnproof reproduce turn-model/table-2 --readings all --format csv -o table-2.csv\n" +
			"  turnproof reproduce --all -o papers --journal papers.journal\n" +
			"  turnproof reproduce --all -o papers --journal papers.journal --slurm --slurm-tasks 50",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "list the names, with their sections and the time of a full run on one processor"},
			&cli.BoolFlag{Name: "claims", Usage: "list the claims with their recorded verdicts"},
			&cli.BoolFlag{Name: "all", Usage: "reproduce all of PAPER, or of all papers, with pages; -o says where"},
			&cli.UintFlag{Name: "seeds", Usage: "random networks of each kind (default: as many as the paper)"},
			&cli.BoolFlag{Name: "quick", Usage: "shorter simulations, without the largest networks"},
			&cli.BoolFlag{Name: "recorded", Usage: "take results from the record of the full run where it has them"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the figure to `FILE` (.svg, .png, .pdf; not of tables)",
				Category: cli.CategoryOutput}, Stored: true},
			picture.WidthFlag(),
			&cli.Texts{StringSliceFlag: cli.StringSliceFlag{Name: "readings", Aliases: []string{"reading"},
				Usage: "`WORDS` of the readings that are wanted, or all; for flow-limiting KEY=VALUE, or atoa for all-to-all, too; again for " +
					"each: " + congestion.ReadingKeys()}},
			rows.ResultFlag("`FORMAT`: text, csv, markdown, latex"),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/reproduce.json)", Category: cli.CategoryOutput},
			cli.OutputFlag(),
		}, machines.Flags("points", "none")...),
		Action: func(c *cli.Context) error { return action(c, run) },
	}
}

func action(c *cli.Context, run Runner) error {
	if _, err := rows.ResultFormat(c); err != nil {
		return err
	}
	if err := machines.CheckFlags(c, "output", "figure"); err != nil {
		return err
	}
	if c.Bool("list") || c.Bool("claims") || c.Bool("all") {
		chosen, err := chosenPapers(c)
		if err != nil {
			return err
		}
		flag := machines.Given(c)
		switch {
		case flag != "" && !c.Bool("all"):
			return fmt.Errorf("--%s goes with --all or the name of a figure, table, theorem or claim", flag)
		case c.Bool("list"):
			return writeList(c, chosen)
		case c.Bool("claims"):
			return writeClaims(c, chosen)
		}
		cli.ProgressLines(c)
		return writeAll(c, run, chosen)
	}
	f, err := find(c)
	if err != nil {
		return err
	}
	cli.ProgressLines(c)
	return reproduceOne(c, run, f)
}

// chosenPapers returns the paper that the argument names, or all.
func chosenPapers(c *cli.Context) ([]paper.Paper, error) {
	if c.NArg() == 0 {
		return papers.All(), nil
	}
	f, err := find(c)
	if err != nil {
		return nil, err
	}
	if f.Item != nil {
		return nil, fmt.Errorf("want the name of a paper, got that of one of its parts, %s", f.Name())
	}
	return []paper.Paper{*f.Paper}, nil
}

// find returns what the argument names.
func find(c *cli.Context) (papers.Found, error) {
	name, err := cli.OneArgument(c, "NAME")
	if err != nil {
		return papers.Found{}, err
	}
	return papers.Find(name)
}

// checkFlags returns an error if a flag does not apply to an item.
func checkFlags(c *cli.Context, x *paper.Item) error {
	switch {
	case c.IsSet("figure") && !x.Figure():
		return fmt.Errorf("--figure goes with figures, and %s is none", x.Name)
	case c.IsSet("readings") && !x.Readings:
		return fmt.Errorf("%s leaves nothing open; --readings does not apply", x.Name)
	case c.Uint("seeds") > 0 && x.Seeds == 0:
		return fmt.Errorf("%s has no random networks; --seeds does not apply", x.Name)
	}
	return nil
}

// options returns the options of a run from the flags.
func options(c *cli.Context) (o paper.Options, err error) {
	s := paper.NewStore()
	if c.Bool("recorded") {
		if c.Bool("quick") {
			return o, errors.New("the record has full lengths only: give --recorded or --quick")
		}
		if s, err = papers.Record(); err != nil {
			return o, err
		}
	}
	progress := cli.ProgressOf(c.App.ErrWriter)
	return paper.Options{
		Seeds: int(c.Uint("seeds")), Quick: c.Bool("quick"), Readings: c.StringSlice("readings"), Store: s,
		Progress: paper.Progress{
			Rows:   func(rows int) { progress.Tell("%s", wording.Count(rows, "row", "s")) },
			Points: progress.Counter("points"),
		},
	}, nil
}
