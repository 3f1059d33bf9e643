package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/synth/resolve"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model/format"
)

// This file is the command "sweep": many simulations.

func sweepCommand() *cli.Command {
	var keys []string
	for _, k := range sweep.Keys() {
		def := k.Default
		if def == "" {
			def = "must be given"
		}
		keys = append(keys, fmt.Sprintf("  %-12s %s: %s (%s)", k.Name, k.Value, k.Help, def))
	}
	var flags []cli.Flag
	for _, f := range simFlags() {
		switch f.Names()[0] { // what an experiment has no key for
		case "traffic", "atomic", "eject-clocks", "no-self", "seed", "vc-rule":
		default:
			flags = append(flags, f)
		}
	}
	return &cli.Command{
		Name:         "sweep",
		Usage:        "simulate over loads, or an experiment file, on all processors",
		ArgsUsage:    "EXPERIMENT.yaml, or NETWORK --routing NAME --loads FROM:TO:STEP [flags]",
		BashComplete: cli.Complete(networkArgument()),
		Description: "Each point is a simulation as \"sim\" runs it. Finished points go to a journal at once,\n" +
			"with which the same command goes on after a break; an experiment file has one beside\n" +
			"it, EXPERIMENT.yaml.journal, unless --journal names another.\n" +
			"Several machines share the work by --slurm, or with other batch systems by --shard;\n" +
			"docs/cluster.md tells how.\n" +
			"Exit status: 0 it ran, 1 some point froze, 2 wrong usage or input, 3 --merge: points\n" +
			"are missing. A shard that ran has 0.\n\n" +
			"Keys of an experiment file:\n" + strings.Join(keys, "\n") + "\n\n" +
			"Examples:\n" +
			"  turnproof sweep torus:8x8,vcs=2 -r dor -r updown --loads 0.05:0.5:0.05 --latency latency.svg\n" +
			"  turnproof sweep experiment.yaml --csv results.csv --latency latency.pdf --throughput throughput.png\n" +
			"  turnproof sweep experiment.yaml --csv results.csv --slurm --slurm-tasks 50 --slurm-option --partition=long --slurm-option --time=2:00:00\n" +
			"  parallel turnproof sweep experiment.yaml --shard {}/8 ::: 1 2 3 4 5 6 7 8; turnproof sweep experiment.yaml --merge --csv results.csv",
		Flags: slices.Concat(flags, []cli.Flag{
			&cli.Inputs{StringSliceFlag: cli.StringSliceFlag{Name: "routing", Aliases: []string{"r"}, Usage: "`NAME` or FILE, again for each of several", Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
			&cli.Inputs{StringSliceFlag: cli.StringSliceFlag{Name: "traffic", Usage: "`PATTERN`, again for each of several", Value: cli.NewStringSlice("uniform"), Category: cli.CategoryTraffic}, Words: trafficWords()},
			&cli.Text{StringFlag: cli.StringFlag{Name: "loads", Usage: "`FROM:TO:STEP`, or loads with commas, in flits per clock and host", Category: cli.CategoryTraffic}},
			&cli.UintFlag{Name: "seeds", Value: 1, Usage: "`HOW MANY` simulations of each, with seeds 1, 2, ...", Category: cli.CategoryTraffic},
			&cli.Output{StringFlag: cli.StringFlag{Name: "journal", Usage: "`FILE` that finished points are added to, and taken from (default: none, but for an experiment file)", Category: cli.CategoryRun}, Stored: true},
			&cli.IntFlag{Name: "workers", Usage: "points at a `TIME` (default: one for each processor)", Category: cli.CategoryRun},
			&cli.Output{StringFlag: cli.StringFlag{Name: "csv", Usage: "write the results to `FILE`", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "jsonl", Usage: "write the results to `FILE`, an object a line", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "latency", Usage: "draw latency over load to `FILE` (.svg, .png, .pdf)", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "throughput", Usage: "draw accepted over offered load to `FILE` (.svg, .png, .pdf)", Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/sweep.json)", Category: cli.CategoryOutput},
		}, shardFlags(), slurmFlags()),
		Action: runSweep,
	}
}

// sweeper makes the routings of an experiment, each once.
type sweeper struct {
	mu   sync.Mutex
	made map[[2]string]*input
	set  func(flag string) bool // whether a flag or the experiment file sets it
}

func runSweep(c *cli.Context) error {
	began := time.Now()
	arg, err := cli.OneArgument(c, "EXPERIMENT.yaml or NETWORK")
	if err != nil {
		return err
	}
	if err := errors.Join(sweepOutputs(c), shardUse(c), slurmUse(c)); err != nil {
		return err
	}
	w := &sweeper{made: map[[2]string]*input{}, set: c.IsSet}
	e, err := w.experiment(c, arg)
	if err != nil {
		return err
	}
	w.printWarnings(c)
	for _, spec := range e.Traffics {
		if _, file, ok := strings.Cut(spec, ":"); ok {
			cli.Reads(c, file) // if it is one
		}
	}
	results, err := w.results(c, e, arg)
	if err != nil || results == nil {
		return err
	}
	if err := writeSweep(c, results); err != nil {
		return err
	}
	if err := printSweep(c, arg, results, time.Since(began).Seconds()); err != nil {
		return err
	}
	for _, r := range results {
		if r.Deadlock {
			return cli.Status(cli.ExitRefuted)
		}
	}
	return nil
}

// sweepOutputs refuses outputs that cannot be written.
func sweepOutputs(c *cli.Context) error {
	if err := cli.DistinctOutputs(c, "csv", "jsonl", "latency", "throughput", "journal"); err != nil {
		return err
	}
	for _, flag := range []string{"latency", "throughput"} {
		if c.String(flag) == "-" {
			continue // SVG
		}
		switch f := c.String(flag); strings.ToLower(filepath.Ext(f)) {
		case "", ".svg", ".png", ".pdf":
			if f != "" && filepath.Ext(f) == "" {
				return fmt.Errorf("%s: curves end in .svg, .png or .pdf", f)
			}
		default:
			return fmt.Errorf("%s: curves end in .svg, .png or .pdf", f)
		}
	}
	return nil
}

// isExperiment reports whether arg names an experiment file: standard input, or
// a YAML file that is not a network.
func isExperiment(arg string) bool {
	ext := strings.ToLower(filepath.Ext(arg))
	return arg == "-" || (ext == ".yaml" || ext == ".yml") && !format.IsYAMLNetwork(arg)
}

// experiment reads the experiment of a file, or makes that of flags.
func (w *sweeper) experiment(c *cli.Context, arg string) (*sweep.Experiment, error) {
	each := func(p sweep.Point) error { return w.fits(c.Context, p) }
	if isExperiment(arg) {
		w.set = func(string) bool { return true }
		for _, flag := range []string{"routing", "traffic", "loads", "seeds", "model", "switching", "waiting", "packet", "buffer", "select", "arbiter", "link-clocks", "clocks", "warmup"} {
			if c.IsSet(flag) {
				return nil, fmt.Errorf("experiment %s already sets %s; remove --%s", arg, flag, flag)
			}
		}
		cli.Reads(c, arg)
		if err := inRange(c); err != nil {
			return nil, err
		}
		return sweep.Read(arg, each)
	}
	loads, err := parseLoads(c.String("loads"))
	if err != nil {
		return nil, err
	}
	if len(c.StringSlice("routing")) == 0 && !isBookSim(arg) {
		return nil, errors.New("--routing is missing: a name or a file, again for each of several")
	}
	s, err := simSettings(c)
	if err != nil {
		return nil, err
	}
	if s.Engine.Switching == "" && !isBookSim(arg) {
		if s.Engine.Switching, err = w.discipline(c, arg); err != nil {
			return nil, err
		}
	}
	e := &sweep.Experiment{Networks: []string{arg}, Routings: c.StringSlice("routing"), Traffics: c.StringSlice("traffic"), Loads: loads}
	for k := range c.Uint("seeds") {
		e.Seeds = append(e.Seeds, uint64(k+1))
	}
	clocks := s.Clocks
	if clocks == 0 {
		clocks = 50_000
	}
	if !s.NoWarm {
		s.Warmup = clocks / 5
	}
	e.Settings = sweep.Settings{Model: s.Engine.Timing, Switching: s.Engine.Switching, Select: s.Engine.Select, Arbiter: s.Engine.Arbiter, Waiting: s.Engine.Waiting, Packet: s.Flits, Buffer: s.Engine.BufferFlits,
		LinkClocks: s.Engine.LinkClocks, Clocks: clocks, Warmup: s.Warmup}
	if isBookSim(arg) {
		if err := bookSimExperiment(e, arg, c.IsSet); err != nil {
			return nil, err
		}
	}
	return e, e.Check(each)
}

// discipline returns the switching discipline that a network is known to have, or
// "" if its discipline is open.
func (w *sweeper) discipline(c *cli.Context, network string) (engine.Switching, error) {
	in := &input{name: network, from: sources{network: network}}
	if err := in.readNetwork(format.Options{}); err != nil {
		return "", err
	}
	known, _, err := in.discipline(c)
	return engine.Switching(known), err
}

func parseLoads(text string) (list []float64, err error) {
	if text == "" {
		return nil, errors.New("--loads is missing: FROM:TO:STEP, or loads with commas")
	}
	words, ranged := strings.Split(text, ","), strings.Contains(text, ":")
	if ranged {
		words = strings.Split(text, ":")
	}
	for _, word := range words {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("--loads %s: %q is no load", text, word)
		}
		list = append(list, x)
	}
	if !ranged {
		return list, nil
	}
	if len(list) != 3 {
		return nil, fmt.Errorf("--loads %s: FROM:TO:STEP was expected", text)
	}
	return sweep.Range(list[0], list[1], list[2])
}

// input returns the network with its routing, made when it is first asked for.
func (w *sweeper) input(ctx context.Context, p sweep.Point) (*input, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := [2]string{p.Network, p.Routing}
	if in, ok := w.made[key]; ok {
		return in, nil
	}
	in := &input{name: p.Network, from: sources{network: p.Network, routing: p.Routing}}
	if err := in.readPoint(ctx, p); err != nil {
		return nil, err
	}
	w.made[key] = in
	return in, nil
}

// readPoint reads the network and the routing of a point.
func (in *input) readPoint(ctx context.Context, p sweep.Point) error {
	if isBookSim(p.Network) {
		if err := in.readBookSim(p.Routing, format.Options{}); err != nil {
			return err
		}
		in.warnBookSim(p.Settings.Model)
		if in.rel != nil {
			in.spreadBookSim()
			return nil
		}
	} else if err := in.readNetwork(format.Options{}); err != nil {
		return err
	}
	routing := p.Routing
	if p.Settings.Model == engine.BookSim {
		routing = bookSimName(p.Network, routing)
	}
	return in.route(ctx, routing, "", format.Options{})
}

// printWarnings prints the warnings of all inputs, each once.
func (w *sweeper) printWarnings(c *cli.Context) {
	all := &input{}
	for _, in := range w.made {
		all.warnings = append(all.warnings, in.warnings...)
	}
	slices.Sort(all.warnings)
	all.warnings = slices.Compact(all.warnings)
	all.printWarnings(c)
}

// fits reports what is wrong with a point before anything runs.
func (w *sweeper) fits(ctx context.Context, p sweep.Point) error {
	in, err := w.input(ctx, p)
	if err != nil {
		return err
	}
	if file, ok := strings.CutPrefix(p.Traffic, "trace:"); ok {
		_, err := os.Stat(file)
		return err
	}
	_, err = traffic.NewPattern(p.Traffic, in.net, p.Seed)
	return err
}

// sets reports whether a flag or a point says what a BookSim configuration says too.
func (w *sweeper) sets(flag string) bool {
	return flag == "load" || flag == "seed" || flag == "traffic" || w.set(flag) && flag != "atomic"
}

// point runs one.
func (w *sweeper) point(ctx context.Context, p sweep.Point) (sweep.Result, error) {
	in, err := w.input(ctx, p)
	if err != nil {
		return sweep.Result{}, err
	}
	k := p.Settings
	s := trial.Settings{Engine: engine.Options{Timing: k.Model, Switching: k.Switching, Select: k.Select, Arbiter: k.Arbiter, Waiting: k.Waiting, BufferFlits: k.Buffer, LinkClocks: k.LinkClocks},
		Traffic: p.Traffic, Load: p.Load, Flits: k.Packet, Clocks: k.Clocks, Warmup: k.Warmup, NoWarm: true, Seed: p.Seed}
	if s.Engine.Select == engine.SelectAll {
		s.Engine.Select = ""
	}
	if err := in.fitBookSim(&s, w.sets); err != nil {
		return sweep.Result{}, err
	}
	fitInput(&s, in)
	began := time.Now()
	r, err := trial.Run(ctx, in.rel, s)
	if err != nil {
		return sweep.Result{}, err
	}
	out := sweep.Result{Offered: r.Offered, Accepted: r.Accepted, AcceptedError: r.AcceptedError, MeanLatency: r.MeanLatency, LatencyError: r.LatencyError, MedianLatency: r.Median, P99Latency: r.P99,
		MeanNetworkLatency: r.MeanNetworkLatency, Delivered: r.Delivered, Deadlock: r.Deadlock != nil, Clocks: r.Clocks, FlitHops: r.FlitHops, Seconds: time.Since(began).Seconds()}
	if r.Deadlock != nil {
		out.DeadlockClock = r.Deadlock.Clock
	}
	return out, nil
}

// results returns the results of all points, nil if they are not for now.
func (w *sweeper) results(c *cli.Context, e *sweep.Experiment, arg string) ([]sweep.Result, error) {
	o := sweep.Options{Workers: c.Int("workers"), Journal: c.String("journal"), Stamp: c.App.Version}
	if o.Journal == "" && isExperiment(arg) && arg != "-" {
		o.Journal = arg + ".journal"
	}
	if o.Journal != "" {
		cli.Reads(c, o.Journal)
	}
	switch {
	case c.IsSet("shard"):
		return nil, w.shard(c, e, o)
	case c.Bool("merge"):
		return mergeShards(c, e, o)
	case c.Bool("slurm"):
		return viaSlurm(c, e, o, arg)
	}
	return w.run(c, e, o)
}

// run runs points.
func (w *sweeper) run(c *cli.Context, e *sweep.Experiment, o sweep.Options) ([]sweep.Result, error) {
	o.Progress = cli.ProgressOf(c.App.ErrWriter).Counter("points")
	return sweep.Run(c.Context, e, o, w.point)
}

// writeSweep writes the files that were asked for.
func writeSweep(c *cli.Context, results []sweep.Result) error {
	for _, out := range []struct {
		flag  string
		write func(io.Writer) error
	}{
		{"csv", func(w io.Writer) error { return sweep.WriteCSV(w, results) }},
		{"jsonl", func(w io.Writer) error { return sweep.WriteJSONL(w, results) }},
		{"latency", func(w io.Writer) error {
			return sweep.WriteLatency(w, curveFormat(c.String("latency")), sweep.Curves(results), sweep.Drawing{})
		}},
		{"throughput", func(w io.Writer) error {
			return sweep.WriteThroughput(w, curveFormat(c.String("throughput")), sweep.Curves(results), sweep.Drawing{})
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

func curveFormat(file string) string {
	if file == "-" {
		return "svg"
	}
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
}

func printSweep(c *cli.Context, arg string, results []sweep.Result, seconds float64) error {
	if c.Bool("json") {
		return cli.PrintJSON(c.App.Writer, struct {
			Schema     string         `json:"schema"`
			Experiment string         `json:"experiment"`
			Results    []sweep.Result `json:"results"`
			Seconds    float64        `json:"seconds"`
		}{"turnproof.sweep/1", arg, append([]sweep.Result{}, results...), seconds})
	}
	t := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "network\trouting\ttraffic\tseed\tload\taccepted\tlatency\tp99\tdeadlock")
	for _, r := range results {
		frozen := "-"
		if r.Deadlock {
			frozen = fmt.Sprintf("in clock %d", r.DeadlockClock)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%g\t%s\t%s\t%s\t%s\n", r.Point.Network, r.Point.Routing, r.Point.Traffic, r.Point.Seed, r.Point.Load, figureText(r.Accepted, 4), figureText(r.MeanLatency, 2), figureText(r.P99Latency, 0), frozen)
	}
	return t.Flush()
}

func figureText(x float64, digits int) string {
	if known(x) == nil {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}
