package sweep

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/demand"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file declares the command "sweep".

func Command() *cli.Command {
	var keys []string
	for _, k := range sweep.Keys() {
		def := k.Default
		if def == "" {
			def = "must be given"
		}
		keys = append(keys, fmt.Sprintf("  %-12s %s: %s (%s)", k.Name, k.Value, k.Help, def))
	}
	var flags []cli.Flag
	for _, f := range simrun.Flags() {
		switch f.Names()[0] { // flags of sim that experiments do not have, or that Command declares differently
		case "traffic", "atomic", "eject-clocks", "no-self", "seed", "vc-rule":
		default:
			flags = append(flags, f)
		}
	}
	return &cli.Command{
		Name:         "sweep",
		Usage:        "simulate many loads, or an experiment file, on all processors",
		ArgsUsage:    "EXPERIMENT.yaml, or NETWORK --routing NAME --loads FROM:TO:STEP [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "Each point is one simulation, as \"sim\" runs it. Finished points go to a journal, from\n" +
			"which the same command continues after an interruption. The journal of an experiment\n" +
			"file is EXPERIMENT.yaml.journal, unless --journal names another.\n" +
			"Several machines share the work by --slurm, or under other batch systems by --shard;\n" +
			"see docs/cluster.md.\n" +
			"Exit status: 0 all points ran, 1 some point froze, 2 wrong usage or input, 3 --merge: points\n" +
			"are missing. A shard that ends has 0.\n\n" +
			"Keys of an experiment file:\n" + strings.Join(keys, "\n") + "\n\n" +
			"Examples:\n" +
			"  turnproof sweep torus:8x8,vcs=2 -r dor -r updown --loads 0.05:0.5:0.05 --latency latency.svg\n" +
			"  turnproof sweep mesh:8x8 -r dor -r west-first -r odd-even --traffic transpose --saturation 0.01 --throughput curve.svg\n" +
			"  turnproof sweep experiment.yaml --csv results.csv --latency latency.pdf --throughput throughput.png\n" +
			"  turnproof sweep experiment.yaml --csv results.csv --slurm --slurm-tasks 50 --slurm-option --partition=long --slurm-option --time=2:00:00\n" +
			"  parallel turnproof sweep experiment.yaml --shard {}/8 ::: 1 2 3 4 5 6 7 8; turnproof sweep experiment.yaml --merge --csv results.csv",
		Flags: slices.Concat(flags, simrun.MessageFlags(), []cli.Flag{
			&cli.Inputs{StringSliceFlag: cli.StringSliceFlag{Name: "routing", Aliases: []string{"r"},
				Usage: "add the routing `NAME` or FILE; repeat for several", Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
			&cli.Inputs{StringSliceFlag: cli.StringSliceFlag{Name: "traffic", Usage: "add the traffic `PATTERN`; repeat for several",
				Value: cli.NewStringSlice("uniform"), Category: cli.CategoryTraffic}, Words: demand.TrafficWords()},
			&cli.Text{StringFlag: cli.StringFlag{Name: "loads",
				Usage: "simulate the loads `FROM:TO:STEP`, or loads separated by commas, in flits per clock and host", Category: cli.CategoryTraffic}},
			&cli.Float64Flag{Name: "saturation",
				Usage:    "in place of --loads, search for the largest load of which 99 % are accepted, to `PRECISION` relative to the load, such as 0.01",
				Category: cli.CategoryTraffic},
			&cli.UintFlag{Name: "seeds", Value: 1, Usage: "run `HOW MANY` simulations of each point, with seeds 1, 2, ...", Category: cli.CategoryTraffic},
			&cli.Output{StringFlag: cli.StringFlag{Name: "csv", Usage: "write the results to `FILE`", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "jsonl", Usage: "write the results to `FILE`, one object per line", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "latency", Usage: "draw latency over load to `FILE` (.svg, .png, .pdf)",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "throughput", Usage: "draw accepted over offered load to `FILE` (.svg, .png, .pdf)",
				Category: cli.CategoryOutput}},
			rows.ResultFlag("print the results as `FORMAT`: text, csv (all columns, as --csv), markdown, latex"),
			rows.ColumnsFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/sweep.json)", Category: cli.CategoryOutput},
		}, machines.Flags("points", "none, except for an experiment file")),
		Action: runSweep,
	}
}

func runSweep(c *cli.Context) error {
	began := time.Now()
	arg, err := cli.OneArgument(c, "EXPERIMENT.yaml or NETWORK")
	if err != nil {
		return err
	}
	if _, err := rows.ResultFormat(c); err != nil {
		return err
	}
	if c.IsSet("columns") && c.Bool("json") {
		return errors.New("--columns and --json exclude each other")
	}
	if err := errors.Join(sweepOutputs(c), machines.CheckFlags(c, "csv", "jsonl", "latency", "throughput")); err != nil {
		return err
	}
	w := &simrun.Sweeper{Made: map[[2]string]*resolve.Subject{}, Set: c.IsSet}
	e, err := w.Experiment(c, arg)
	if err != nil {
		return err
	}
	w.PrintWarnings(c)
	simrun.StateMessages(c, e.Settings.Messages, &resolve.Subject{})
	cli.Reads(c, e.Settings.Links)
	for _, spec := range e.Traffics {
		if _, file, ok := strings.Cut(spec, ":"); ok {
			cli.Reads(c, file) // for other patterns, this names no file and has no effect
		}
	}
	var o machines.Options
	if simrun.IsExperiment(arg) && arg != "-" {
		o.Journal = arg + ".journal"
	}
	if c.IsSet("saturation") {
		return runSaturation(c, arg, e, w, o)
	}
	names, err := columnNames(c, e.Settings.Messages.Classes != "")
	if err != nil {
		return err
	}
	work, err := e.Work(c.App.Version, w.Point)
	if err != nil {
		return err
	}
	results, done, err := machines.Run(c, work, o)
	if err != nil || !done {
		return err
	}
	if err := writeSweep(c, results); err != nil {
		return err
	}
	if err := printSweep(c, arg, results, names, time.Since(began).Seconds()); err != nil {
		return err
	}
	for _, r := range results {
		if r.Deadlock {
			return cli.Status(cli.ExitRefuted)
		}
	}
	return nil
}

// sweepOutputs returns an error if an output flag is invalid or two of them name the same file.
func sweepOutputs(c *cli.Context) error {
	if err := cli.DistinctOutputs(c, "csv", "jsonl", "latency", "throughput", "journal"); err != nil {
		return err
	}
	for _, flag := range []string{"latency", "throughput"} {
		if c.String(flag) == "-" {
			continue // standard output gets SVG
		}
		switch f := c.String(flag); strings.ToLower(filepath.Ext(f)) {
		case "", ".svg", ".png", ".pdf":
			if f != "" && filepath.Ext(f) == "" {
				return fmt.Errorf("%s: want a file that ends in .svg, .png or .pdf", f)
			}
		default:
			return fmt.Errorf("%s: want a file that ends in .svg, .png or .pdf", f)
		}
	}
	return nil
}

// writeSweep writes the files of --csv, --jsonl, --latency and --throughput, if set.
func writeSweep(c *cli.Context, results []sweep.Result) error {
	for _, out := range []struct {
		flag  string
		write func(io.Writer) error
	}{
		{"csv", func(w io.Writer) error { return sweep.WriteCSV(w, results) }},
		{"jsonl", func(w io.Writer) error { return sweep.WriteJSONL(w, results) }},
		{"latency", func(w io.Writer) error { return writeChart(c, w, c.String("latency"), sweep.WriteLatency, results) }},
		{"throughput", func(w io.Writer) error {
			return writeChart(c, w, c.String("throughput"), sweep.WriteThroughput, results)
		}},
	} {
		if f := c.String(out.flag); f != "" {
			if err := cli.WriteFile(c, f, out.write); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeChart draws a chart of the results for a file. It notes which texts the chart cannot show.
func writeChart(c *cli.Context, w io.Writer, file string,
	write func(io.Writer, string, []sweep.Curve, sweep.Drawing) ([]string, error), results []sweep.Result) error {
	format := curveFormat(file)
	lacking, err := write(w, format, sweep.Curves(results), sweep.Drawing{})
	picture.NoteLacking(c, file, format, lacking)
	return err
}

func curveFormat(file string) string {
	if file == "-" {
		return "svg"
	}
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
}

func printSweep(c *cli.Context, arg string, results []sweep.Result, names []string, seconds float64) error {
	if c.Bool("json") {
		return printJSON(c, arg, results, nil, seconds)
	}
	format, err := rows.ResultFormat(c)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return printColumns(c, arg, format, results, names)
	}
	if format == "csv" {
		return sweep.WriteCSV(c.App.Writer, results)
	}
	columns := append(pointColumns(), tables.Column{Name: "load", Type: tables.Decimal, Digits: -1},
		tables.Column{Name: "accepted", Type: tables.Decimal, Digits: 4}, tables.Column{Name: "latency", Type: tables.Decimal, Digits: 2},
		tables.Column{Name: "p99", Type: tables.Decimal})
	answers := slices.ContainsFunc(results, func(r sweep.Result) bool { return r.Messages != nil })
	if answers {
		columns = append(columns, tables.Column{Name: "requests", Type: tables.Decimal, Digits: 4},
			tables.Column{Name: "round trip", Type: tables.Decimal, Digits: 2})
	}
	columns = append(columns, tables.Column{Name: "remark"})
	var list [][]any
	for _, r := range results {
		p := r.Point
		row := []any{p.Network, p.Routing, p.Traffic, p.Seed, p.Load, r.Accepted, r.MeanLatency, r.P99Latency}
		if answers {
			row = append(row, float64(r.Messages.Classes[0].Accepted), float64(r.Messages.RoundTrips.Mean))
		}
		list = append(list, append(row, pointRemark(&r)))
	}
	return rows.Print(c.App.Writer, format, tables.Schema{Caption: "Simulations of " + resolve.Title(arg), Columns: columns}, list, nil)
}

// columnNames returns the value of --columns, nil if it is not set. It returns an error if a name is not that of a column of --csv. Columns
// of messages are not known before the simulations.
func columnNames(c *cli.Context, messages bool) ([]string, error) {
	var known []tables.Column
	for _, name := range sweep.ColumnNames() {
		known = append(known, tables.Column{Name: name})
	}
	names, err := rows.Columns(c, known)
	if messages && err != nil {
		return strings.Split(c.String("columns"), ","), nil
	}
	return names, err
}

// printColumns prints the columns of --csv with these names.
func printColumns(c *cli.Context, arg, format string, results []sweep.Result, names []string) error {
	list := make([][]any, len(results))
	var columns []tables.Column
	for _, name := range names {
		values, ok, err := sweep.Values(results, name)
		switch {
		case err != nil:
			return err
		case !ok && slices.Contains(sweep.ColumnNames(), name):
			values = make([]any, len(results)) // no result has it
		case !ok:
			return fmt.Errorf("--columns: no column %q", name)
		}
		columns = append(columns, tables.Column{Name: name, Type: typeOf(values), Digits: 4})
		for i, v := range values {
			list[i] = append(list[i], v)
		}
	}
	return rows.Print(c.App.Writer, format, tables.Schema{Caption: "Simulations of " + resolve.Title(arg), Columns: columns}, list, nil)
}

// typeOf returns the type of a column with these values.
func typeOf(values []any) tables.Type {
	of := tables.Integer
	for _, v := range values {
		switch v.(type) {
		case string, bool:
			return tables.Text
		case float64:
			of = tables.Decimal
		}
	}
	return of
}

// pointColumns are the columns that name a point, except its load.
func pointColumns() []tables.Column {
	return []tables.Column{{Name: "network"}, {Name: "routing"}, {Name: "traffic"}, {Name: "seed", Type: tables.Integer}}
}

// pointRemark says what limits the meaning of the figures of a point.
func pointRemark(r *sweep.Result) string {
	switch {
	case r.Deadlock:
		return fmt.Sprintf("deadlock in clock %d", r.DeadlockClock)
	case r.Lag > measure.MaxLag:
		return "saturated"
	case r.Delivered == 0:
		return "no packet was delivered"
	case !r.Converged:
		return "not converged"
	}
	return "-"
}

func printJSON(c *cli.Context, arg string, results []sweep.Result, found []sweep.Saturation, seconds float64) error {
	return cli.PrintJSON(c.App.Writer, struct {
		Schema     string           `json:"schema"`
		Experiment string           `json:"experiment"`
		Results    []sweep.Result   `json:"results"`
		Saturation []saturationJSON `json:"saturation,omitempty"`
		Seconds    float64          `json:"seconds"`
	}{"turnproof.sweep/1", arg, append([]sweep.Result{}, results...), saturationsJSON(found), seconds})
}
