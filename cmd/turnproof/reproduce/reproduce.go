package reproduce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model/view/sheet"
	"github.com/turnproof/turnproof/model/view/tables"
)

// This file is the command that puts a paper's table or figure beside ours.

// reproduction is a table or figure of a paper.
type reproduction struct {
	name, about, source string
	seeds               int // random networks that the paper took; 0: none
	run                 func(ctx context.Context, r *reproducer) error
}

func reproductions() []reproduction {
	return slices.Concat(turnModelReproductions, nfReproductions, additionReproductions, flowReproductions, vlanReproductions)
}

// reproducer collects the rows of one reproduction.
type reproducer struct {
	seeds int
	quick bool
	// Of long ones: where results are kept, where the figure goes, readings other than
	// the default.
	journal, figure string
	readings        []string
	width           float64 // of the figure, in mm; 0: that of a page
	charts          []sheet.Chart
	stderr          io.Writer

	rows  []reproducedRow
	notes []string
}

// reproducedRow is one figure of the paper beside ours.
type reproducedRow struct {
	Item      string   `json:"item"`
	Quantity  string   `json:"quantity"`
	Published *float64 `json:"published"` // null: the paper has no figure there
	Ours      float64  `json:"ours"`      // mean over the networks tried
	Spread    float64  `json:"spread"`    // standard deviation of a sample over them, 0 for one
	Networks  int      `json:"networks"`
	Ratio     *float64 `json:"ratio"` // ours over published
	Reading   string   `json:"reading"`
}

// row adds a row; published may be NaN. What has no value, as the latency of
// packets none of which arrived, gets none.
func (r *reproducer) row(item, quantity, reading string, published float64, values ...float64) {
	if slices.ContainsFunc(values, math.IsNaN) {
		return
	}
	x := reproducedRow{Item: item, Quantity: quantity, Reading: reading, Networks: len(values)}
	for _, v := range values {
		x.Ours += v / float64(len(values))
	}
	for _, v := range values {
		if len(values) > 1 {
			x.Spread += (v - x.Ours) * (v - x.Ours) / float64(len(values)-1)
		}
	}
	if x.Spread = math.Sqrt(x.Spread); x.Spread < 1e-9*math.Abs(x.Ours) {
		x.Spread = 0 // rounding
	}
	if !math.IsNaN(published) {
		x.Published = &published
		if ratio := x.Ours / published; published != 0 {
			x.Ratio = &ratio
		}
	}
	r.rows = append(r.rows, x)
	cli.ProgressOf(r.stderr).Tell("%s", say.Count(len(r.rows), "row", "s"))
}

func (r *reproducer) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func Command() *cli.Command {
	return &cli.Command{
		Name:         "reproduce",
		Usage:        "put a paper's table or figure beside ours",
		ArgsUsage:    "NAME [flags], or --list",
		BashComplete: cli.Complete(cli.Argument{Words: reproductionNames()}),
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
			&cli.Output{StringFlag: cli.StringFlag{Name: "journal", Usage: "keep results in `FILE` and go on with what is there (flow-limiting)"}, Stored: true},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the figure to `FILE` (.svg, .png, .pdf; not of tables)", Category: cli.CategoryOutput}, Stored: true},
			picture.WidthFlag(),
			&cli.Input{StringFlag: cli.StringFlag{Name: "recorded", Usage: "draw --figure from `FILE`, which reproduce --format markdown wrote, in place of a run (nf1/figure-15, turn-addition)"}},
			&cli.Texts{StringSliceFlag: cli.StringSliceFlag{Name: "reading", Usage: "`KEY=VALUE`, again for each, or atoa for all-to-all, too (flow-limiting); part of the words of readings that are wanted (nf1): " + congestion.ReadingKeys()}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "format", Value: "text", Usage: "`FORMAT`: text, markdown", Category: cli.CategoryOutput}, List: []string{"text", "markdown"}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/reproduce.json)", Category: cli.CategoryOutput},
			cli.OutputFlag(),
		},
		Action: runReproduce,
	}
}

func runReproduce(c *cli.Context) error {
	list := reproductions()
	if c.Bool("list") {
		for _, p := range list {
			fmt.Fprintf(c.App.Writer, "%-26s %s\n", p.name, p.about)
		}
		return nil
	}
	name, err := cli.OneArgument(c, "NAME")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(p reproduction) bool { return p.name == name })
	if i < 0 {
		return fmt.Errorf("nothing called %q to reproduce%s; --list lists the names", name, spelling.Suggest(name, reproductionNames()))
	}
	if f := c.String("format"); f != "text" && f != "markdown" {
		return fmt.Errorf("--format %q, known are text, markdown", f)
	}
	began := time.Now()
	r := &reproducer{seeds: list[i].seeds, quick: c.Bool("quick"), journal: c.String("journal"), figure: c.String("figure"), readings: c.StringSlice("reading"), stderr: c.App.ErrWriter}
	r.width = c.Float64("width")
	if c.IsSet("journal") && !strings.HasPrefix(name, "flow-limiting/") {
		return errors.New("--journal goes with flow-limiting/figure-4 to figure-9")
	}
	if c.IsSet("reading") && !strings.HasPrefix(name, "flow-limiting/") && !strings.HasPrefix(name, "nf1/") {
		return errors.New("--reading goes with nf1/figure-12 to figure-15 and flow-limiting/figure-4 to figure-9")
	}
	if c.IsSet("figure") && !hasFigure(name) {
		return fmt.Errorf("--figure goes with figures, and %s is none", name)
	}
	if file := c.String("recorded"); file != "" {
		if rowCharts[name] == nil || r.figure == "" {
			return fmt.Errorf("--recorded goes with --figure, of nf1/figure-15 and turn-addition/figure-21, 22, 25")
		}
		cli.Reads(c, file)
		var err error
		if r.rows, err = recordedRows(file, name); err != nil {
			return err
		}
		return r.drawRows(name)
	}
	if k := int(c.Uint("seeds")); k > 0 {
		if list[i].seeds == 0 {
			return fmt.Errorf("%s has no random networks, so --seeds is of no use", name)
		}
		r.seeds = k
	}
	cli.ProgressOf(c.App.ErrWriter).Say("%s", name)
	if err := list[i].run(c.Context, r); err != nil {
		return err
	}
	if err := r.drawRows(name); err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error {
		switch {
		case c.Bool("json"):
			return reproducedJSON(w, list[i], r, seconds)
		case c.String("format") == "markdown":
			return reproducedMarkdown(w, list[i], r)
		}
		return reproducedText(w, list[i], r, seconds)
	})
}

func reproducedJSON(w io.Writer, p reproduction, r *reproducer, seconds float64) error {
	return cli.PrintJSON(w, struct {
		Schema  string          `json:"schema"`
		Name    string          `json:"name"`
		About   string          `json:"about"`
		Source  string          `json:"source"`
		Rows    []reproducedRow `json:"rows"`
		Notes   []string        `json:"notes"`
		Seconds float64         `json:"seconds"`
	}{"turnproof.reproduce/1", p.name, p.about, p.source, r.rows, append([]string{}, r.notes...), seconds})
}

// cells words a row.
func (x *reproducedRow) cells() []string {
	published, ratio, spread := "-", "-", ""
	if x.Published != nil {
		published = fmt.Sprintf("%.4g", *x.Published)
	}
	if x.Ratio != nil {
		ratio = fmt.Sprintf("%.3f", *x.Ratio)
	}
	if x.Networks > 1 {
		spread = fmt.Sprintf("± %.2g", x.Spread)
	}
	return []string{x.Item, x.Quantity, published, fmt.Sprintf("%.4g", x.Ours), spread, ratio, x.Reading}
}

var reproducedHead = []string{"item", "quantity", "published", "ours", "spread", "ratio", "reading"}

func reproducedText(w io.Writer, p reproduction, r *reproducer, seconds float64) error {
	fmt.Fprintf(w, "%s: %s\n%s\n\n", p.name, p.about, p.source)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(reproducedHead, "\t"))
	for i := range r.rows {
		fmt.Fprintln(t, strings.Join(r.rows[i].cells(), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, note := range r.notes {
		fmt.Fprintln(w, wrapped(note))
	}
	_, err := fmt.Fprintf(w, "%.1f s\n", seconds)
	return err
}

func reproducedMarkdown(w io.Writer, p reproduction, r *reproducer) error {
	fmt.Fprintf(w, "## %s\n\n%s. Source: %s.\n\n", p.name, p.about, p.source)
	var s tables.Schema
	for _, name := range reproducedHead {
		s.Columns = append(s.Columns, tables.Column{Name: name})
	}
	m := tables.NewMarkdown(w, s)
	if err := m.Begin(); err != nil {
		return err
	}
	for i := range r.rows {
		var cells []any
		for _, c := range r.rows[i].cells() {
			cells = append(cells, c)
		}
		if err := m.Row(cells...); err != nil {
			return err
		}
	}
	if err := m.End(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, note := range r.notes {
		fmt.Fprintln(w, "-", note)
	}
	return nil
}

// wrapped breaks a note into lines.
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
