package reproduce

import (
	"os"
	"runtime"

	"github.com/turnproof/turnproof/examples/papers"
	"github.com/turnproof/turnproof/examples/papers/paper"

	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/model/view/sheet"
	"github.com/turnproof/turnproof/model/view/wording"
)

// Command returns the command reproduce with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "reproduce",
		Usage:        "put a paper's table or figure beside ours",
		ArgsUsage:    "NAME [flags], or --list",
		BashComplete: cli.Complete(cli.Argument{Words: papers.Names()}),
		Description: "Each row has the paper's figure, ours, the ratio, and the reading taken where the\n" +
			"paper leaves one open.\n\n" +
			"Examples:\n" +
			"  turnproof reproduce --list\n" +
			"  turnproof reproduce turn-model/table-2 --seeds 100\n" +
			"  turnproof reproduce turn-addition/figure-25 --quick --format markdown\n" +
			"  turnproof reproduce flow-limiting/figure-5 --journal flow.journal --figure figure-5.svg\n" +
			"  turnproof reproduce flow-limiting/figure-5 --quick --reading unit=packet",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "list the names"},
			&cli.UintFlag{Name: "seeds", Usage: "random networks of each kind (default: as many as the paper)"},
			&cli.BoolFlag{Name: "quick", Usage: "leave out the largest networks"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "journal", Usage: "keep results in `FILE` and go on with what is there (flow-limiting)"},
				Stored: true},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the figure to `FILE` (.svg, .png, .pdf; not of tables)",
				Category: cli.CategoryOutput}, Stored: true},
			picture.WidthFlag(),
			&cli.Input{StringFlag: cli.StringFlag{Name: "recorded",
				Usage: "draw --figure from `FILE`, which reproduce --format markdown wrote, in place of a run (nf1/figure-15, turn-addition)"}},
			&cli.Texts{StringSliceFlag: cli.StringSliceFlag{Name: "reading",
				Usage: "`KEY=VALUE`, again for each, or atoa for all-to-all, too (flow-limiting); part of the words of readings that are " +
					"wanted (nf1): " + congestion.ReadingKeys()}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "format", Value: "text", Usage: "`FORMAT`: text, markdown", Category: cli.CategoryOutput},
				List: []string{"text", "markdown"}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/reproduce.json)", Category: cli.CategoryOutput},
			cli.OutputFlag(),
		},
		Action: runReproduce,
	}
}

func runReproduce(c *cli.Context) error {
	if c.Bool("list") {
		for _, p := range papers.All() {
			fmt.Fprintf(c.App.Writer, "%-26s %s\n", p.Name, p.About)
		}
		return nil
	}
	p, err := find(c)
	if err != nil {
		return err
	}
	if err := checkFlags(c, p); err != nil {
		return err
	}
	if file := c.String("recorded"); file != "" {
		return drawRecorded(c, p, file)
	}
	began := time.Now()
	cli.ProgressOf(c.App.ErrWriter).Say("%s", p.Name)
	r, err := p.Run(c.Context, options(c))
	if err != nil {
		return err
	}
	if err := draw(c, p, r.Charts); err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error {
		switch {
		case c.Bool("json"):
			return writeJSON(w, p, r, seconds)
		case c.String("format") == "markdown":
			return p.WriteMarkdown(w, r)
		}
		return writeText(w, p, r, seconds)
	})
}

// find returns the reproduction that the argument names.
func find(c *cli.Context) (*paper.Reproduction, error) {
	name, err := cli.OneArgument(c, "NAME")
	if err != nil {
		return nil, err
	}
	p, err := papers.Find(name)
	return &p, err
}

// checkFlags returns an error if a flag does not apply to p.
func checkFlags(c *cli.Context, p *paper.Reproduction) error {
	f := c.String("format")
	switch {
	case f != "text" && f != "markdown":
		return fmt.Errorf("--format %q, known are text, markdown", f)
	case c.IsSet("journal") && !p.HasJournal:
		return errors.New("--journal goes with flow-limiting/figure-4 to figure-9")
	case c.IsSet("reading") && !p.HasReadings:
		return errors.New("--reading goes with nf1/figure-12 to figure-15 and flow-limiting/figure-4 to figure-9")
	case c.IsSet("figure") && !p.HasFigure && p.RowCharts == nil:
		return fmt.Errorf("--figure goes with figures, and %s is none", p.Name)
	case c.String("recorded") != "" && (p.RowCharts == nil || c.String("figure") == ""):
		return errors.New("--recorded goes with --figure, of nf1/figure-15 and turn-addition/figure-21, 22, 25")
	case c.String("recorded") == "" && c.Uint("seeds") > 0 && p.Seeds == 0:
		return fmt.Errorf("%s has no random networks; --seeds does not apply", p.Name)
	}
	return nil
}

// options returns the options of a reproduction from the flags.
func options(c *cli.Context) paper.Options {
	stderr := c.App.ErrWriter
	progress := cli.ProgressOf(stderr)
	return paper.Options{
		Seeds: int(c.Uint("seeds")), Quick: c.Bool("quick"), Journal: c.String("journal"), Readings: c.StringSlice("reading"),
		Progress: paper.Progress{
			Rows:   func(rows int) { progress.Tell("%s", wording.Count(rows, "row", "s")) },
			Points: progress.Counter("points"),
			Estimate: func(simulations, rounds int, all time.Duration) {
				fmt.Fprintf(stderr, "%s simulations of %s rounds: about %s on %s, less what the journal has\n", wording.Thousands(int64(simulations)),
					wording.Thousands(int64(rounds)), all.Round(time.Second), wording.Count(runtime.GOMAXPROCS(0), "processor", "s"))
			},
		},
	}
}

// drawRecorded draws the figure from rows that an earlier run wrote to a file.
func drawRecorded(c *cli.Context, p *paper.Reproduction, file string) error {
	cli.Reads(c, file)
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--recorded: %w", err)
	}
	rows, err := paper.ReadMarkdown(file, string(text), p.Name)
	if err != nil {
		return fmt.Errorf("--recorded: %w", err)
	}
	return draw(c, p, p.ChartsOf(rows, options(c)))
}

// draw writes the figure if --figure names a file.
func draw(c *cli.Context, p *paper.Reproduction, charts []sheet.Chart) error {
	file := c.String("figure")
	if file == "" {
		return nil
	}
	if len(charts) == 0 {
		return fmt.Errorf("--figure: there is nothing to draw of %s", p.Name)
	}
	return sheet.ToFile(file, func(w io.Writer, format string) error {
		lacking, err := sheet.WriteCharts(w, format, sheet.Layout{Width: c.Float64("width")}, charts)
		picture.NoteLacking(c, file, format, lacking)
		return err
	})
}

func writeJSON(w io.Writer, p *paper.Reproduction, r *paper.Result, seconds float64) error {
	return cli.PrintJSON(w, struct {
		Schema  string      `json:"schema"`
		Name    string      `json:"name"`
		About   string      `json:"about"`
		Source  string      `json:"source"`
		Rows    []paper.Row `json:"rows"`
		Notes   []string    `json:"notes"`
		Seconds float64     `json:"seconds"`
	}{"turnproof.reproduce/1", p.Name, p.About, p.Source, r.Rows, append([]string{}, r.Notes...), seconds})
}

func writeText(w io.Writer, p *paper.Reproduction, r *paper.Result, seconds float64) error {
	fmt.Fprintf(w, "%s: %s\n%s\n\n", p.Name, p.About, p.Source)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(paper.Head(), "\t"))
	for i := range r.Rows {
		fmt.Fprintln(t, strings.Join(r.Rows[i].Cells(), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, note := range r.Notes {
		fmt.Fprintln(w, wrapped(note))
	}
	_, err := fmt.Fprintf(w, "%.1f s\n", seconds)
	return err
}

// wrapped breaks a note into lines of at most 110 columns.
func wrapped(note string) string {
	const width = 110
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(note) {
		switch {
		case i > 0 && column+1+len(word) > width:
			b.WriteString("\n")
			column = 0
		case i > 0:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
