package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/demand"
	"github.com/turnproof/turnproof/cmd/turnproof/engines"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/cmd/turnproof/turnset"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/evaluate"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/report"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// Command returns the command report.
func Command() *cli.Command {
	flags := []cli.Flag{&cli.Inputs{StringSliceFlag: cli.StringSliceFlag{Name: "routing", Aliases: []string{"r"},
		Usage:    "add the routing `FILE` or NAME, as in check; repeat for several; FILE,sl=FILE,sl2vl=FILE adds service levels to tables",
		Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()}}
	for _, f := range input.RoutingFlags() {
		if f.Names()[0] != "routing" {
			flags = append(flags, f)
		}
	}
	return &cli.Command{
		Name:         "report",
		Usage:        "write one self-contained HTML page on one or more routings of a network",
		ArgsUsage:    "NETWORK --routing FILE|NAME [--routing ...] -o FILE.html",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "Verdicts with theorems and certificates, figures to zoom, prohibited turns, loads, a\n" +
			"comparison with published methods, latency under load, tables to save: docs/report.md.\n" +
			"The page needs no server and no network. --sl and --sl2vl apply to the first routing;\n" +
			"for others, append sl= and sl2vl= to the file of tables.\n" +
			"Exit status: 0 all claims hold for all routings, 1 one is refuted, 2 wrong usage or\n" +
			"input, 3 none is refuted but some are undecided.\n\n" +
			"Examples:\n" +
			"  turnproof report topology.ibnetdiscover -r opensm-lfts.dump -o report.html\n" +
			"  turnproof report topology.ibnetdiscover -r opensm.fdbs --sl path-sl.txt --sl2vl opensm-sl2vl.dump -r lturn-beta -o report.html\n" +
			"  turnproof report topology.ibnetdiscover -r updn.lfts -r lash.lfts,sl=lash.sl,sl2vl=lash.sl2vl -o report.html\n" +
			"  turnproof report mesh:8x8 -r west-first -r odd-even -o report.html\n" +
			"  turnproof report random:switches=64,degree=4 -r updown -r tp --compare lturn-beta,turn-addition --clocks 50000 -o report.html",
		Flags: append(append(flags, input.PremiseFlags()...),
			&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`; - is standard output",
				Category: cli.CategoryOutput}, Result: true},
			&cli.Text{StringFlag: cli.StringFlag{Name: "title", Usage: "head the page with `TEXT`", DefaultText: "the name of the network",
				Category: cli.CategoryOutput}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "date", Usage: "date the page with `TEXT`, such as 2026-11-30, or today", Category: cli.CategoryOutput,
				DefaultText: "that of the topology file, if it has one"}},
			&cli.Input{StringFlag: cli.StringFlag{Name: "traffic",
				Usage: "load channels by this traffic, as in turns: uniform, halves[:BETWEEN], a permutation of sim or a `FILE`"}, Words: demand.LoadWords()},
			&cli.Words{StringFlag: cli.StringFlag{Name: "compare",
				Usage:       "compare the routings with `METHODS` of turns, separated by commas, or none",
				DefaultText: fmt.Sprintf("the published ones; updown from %d switches on, none from %d on", report.CompareAll+1, report.CompareSome+1)},
				List: synth.Names(), Open: true},
			&cli.BoolFlag{Name: "mend", Category: cli.CategoryFailures,
				Usage: "also find the fewest entries to change in tables that are not proved, as check --mend, and show the mended tables"},
			&cli.Memory{StringFlag: cli.StringFlag{Name: "memory", Usage: "limit the memory of --mend to `SIZE`, such as 512M or 4G",
				DefaultText: "half of the machine", Category: cli.CategoryFailures}},
			&cli.Input{StringFlag: cli.StringFlag{Name: "whatif", Category: cli.CategoryFailures,
				Usage: "also show the results of other engines and of failures in `FILE`, the output of whatif --json"}},
			&cli.BoolFlag{Name: "simulate", Usage: "simulate latency under load, also in large networks; --simulate=false never simulates",
				DefaultText: fmt.Sprintf("up to %d hosts", simulateHosts), Category: cli.CategoryOpinions},
			&cli.Int64Flag{Name: "clocks", Value: 10_000, Usage: "simulate `CLOCKS`, of which the first fifth is not measured"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "use `NUMBER` as the seed of the simulated traffic"},
		),
		Action: runReport,
	}
}

// leastClocks is the smallest value of --clocks.
const leastClocks = 100

func runReport(c *cli.Context) error {
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	r, err := makeReport(c, path)
	if err != nil {
		return err
	}
	if r.Latency, err = curves(c, path, r); err != nil {
		return err
	}
	if err := addWhatif(c, r); err != nil {
		return err
	}
	p, err := r.Page(c.Context)
	if err != nil {
		return err
	}
	var html bytes.Buffer
	if err := page.Write(&html, p); err != nil {
		return err
	}
	file := c.String("output")
	if err := cli.WriteFile(c, file, func(w io.Writer) error { _, err := w.Write(html.Bytes()); return err }); err != nil {
		return err
	}
	if file != "-" {
		print(c.App.Writer, r, file, html.Len())
	}
	return verdict.Status(r.Verdict())
}

// makeReport reads the routings, decides and measures them, and makes the sets of other methods.
func makeReport(c *cli.Context, path string) (*report.Report, error) {
	if c.String("output") == "" {
		return nil, errors.New("-o FILE is missing: want a page to write (.html)")
	}
	if k := c.Int64("clocks"); k < leastClocks {
		return nil, fmt.Errorf("--clocks %d: want at least %d", k, leastClocks)
	}
	compared, err := comparedMethods(c)
	if err != nil {
		return nil, err
	}
	words, err := routingWords(c, path)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Foot: []string{"Made by turnproof " + c.App.Version + " with: " + commandLine(c, path) + "."},
		Title: c.String("title"), Date: dateText(c.String("date"))}
	for i, word := range words {
		if slices.Contains(words[:i], word) {
			return nil, fmt.Errorf("--routing %s is given twice", word)
		}
		q, err := request(c, path, word, i == 0)
		if err != nil {
			return nil, err
		}
		if err := add(c, r, q); err != nil {
			return nil, err
		}
	}
	return r, r.Compare(c.Context, compared, func(_ context.Context, name string) (*evaluate.TurnSet, error) { return turnSet(c, r, name) })
}

// dateText returns the value of --date. Only the word today makes pages of different days differ.
func dateText(word string) string {
	if word == "today" {
		return time.Now().Format(time.DateOnly)
	}
	return word
}

// comparedMethods returns the methods that --compare names, or nil for the default.
func comparedMethods(c *cli.Context) ([]string, error) {
	switch word := c.String("compare"); word {
	case "":
		return nil, nil
	case "none":
		return []string{}, nil
	default:
		names := strings.Split(word, ",")
		for i, name := range names {
			if !methods.IsMethod(name) {
				return nil, fmt.Errorf("--compare: no method %q, known are %s", name, strings.Join(synth.Names(), ", "))
			}
			if slices.Contains(names[:i], name) {
				return nil, fmt.Errorf("--compare: %s is given twice", name)
			}
		}
		return names, nil
	}
}

// routingWords returns the values of --routing. Without the flag, they are one empty word, since the
// network may name its own routing.
func routingWords(c *cli.Context, path string) ([]string, error) {
	words := c.StringSlice("routing")
	if len(words) == 0 {
		return []string{""}, nil
	}
	if len(words) > 1 && (path == "-" || slices.Contains(words, "-")) {
		return nil, errors.New("standard input can be read only once: several routings need files")
	}
	if slices.Contains(words, "") {
		return nil, errors.New("--routing has no value")
	}
	return words, nil
}

// add reads a routing, decides its claims and adds it to the report.
func add(c *cli.Context, r *report.Report, q resolve.Request) error {
	in, err := input.Load(c, q)
	if err != nil {
		return err
	}
	input.PrintNotes(c, in)
	if r.Traffic == nil {
		if r.Traffic, r.TrafficName, err = reportTraffic(c, q, in); err != nil {
			return err
		}
	}
	input.PrintWarnings(c, in)
	o, err := judging.Options(c, in)
	if err != nil {
		return err
	}
	o.Management = c.String(input.ManagementFlagName) == ""
	check, err := verify.Check(c.Context, in.Rel, o)
	if err != nil {
		return err
	}
	x := &report.Routing{Subject: in, Request: q, Check: check}
	if err := r.Add(c.Context, x); err != nil || !c.Bool("mend") || check.Verdict() == verify.Proved {
		return err
	}
	return mendRouting(c, r, x, o)
}

// addWhatif adds the section of --whatif.
func addWhatif(c *cli.Context, r *report.Report) error {
	file := c.String("whatif")
	if file == "" {
		return nil
	}
	cli.Reads(c, file)
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--whatif: %w", err)
	}
	result, err := engines.Read(data)
	if err == nil {
		first := r.Routings()[0].Subject
		var files [][]model.Input
		for _, x := range r.Routings() {
			files = append(files, x.Subject.WithoutMulticast())
		}
		err = result.Fits(first.Net, first.Name, files)
	}
	if err != nil {
		return fmt.Errorf("--whatif: cannot read %s: %w", file, err)
	}
	r.Further = append(r.Further, result.Section())
	return nil
}

// reportTraffic returns the traffic that loads channels, and its name.
func reportTraffic(c *cli.Context, q resolve.Request, in *resolve.Subject) (*model.Traffic, string, error) {
	if in.Flows == nil {
		return demand.LoadTraffic(c.String("traffic"), q.Network, in, c.Uint64("seed"))
	}
	if c.IsSet("traffic") {
		return nil, "", errors.New("--flows and --traffic both choose the traffic: remove one of them")
	}
	t, err := in.FlowTraffic()
	return t, "flows", err
}

// turnSet makes a turn set for the comparison, and shows the progress.
func turnSet(c *cli.Context, r *report.Report, method string) (*evaluate.TurnSet, error) {
	first := r.Routings()[0].Subject
	run := &turnset.Run{In: &resolve.Subject{Fabric: resolve.Fabric{Name: first.Name, Net: first.Net.WithVCs(1)}}, Traffic: r.Traffic,
		Options: synth.Options{Traffic: r.Traffic}, Pairs: report.OnePathHosts}
	m, _, err := run.Prove(c, method)
	if err != nil {
		return nil, err
	}
	return m.TurnSet, nil
}

// commandLine returns the command line of the report.
func commandLine(c *cli.Context, path string) string {
	words := []string{"turnproof", "report", path}
	for _, w := range c.StringSlice("routing") {
		words = append(words, "-r", w)
	}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if c.IsSet(name) && !slices.Contains([]string{"routing", "output", "help", "date"}, name) {
			words = append(words, fmt.Sprintf("--%s=%v", name, c.Value(name)))
		}
	}
	return wording.ShellLine(words...)
}

// print prints the verdicts, and the name and size of the page.
func print(w io.Writer, r *report.Report, file string, size int) {
	for _, x := range r.Routings() {
		fmt.Fprintf(w, "%-9s  %s", strings.ToUpper(string(x.Check.Verdict())), x.Name)
		sep := ": "
		for _, claim := range x.Check.Claims() {
			fmt.Fprintf(w, "%s%s %s", sep, claim.Name, claim.Verdict)
			sep = ", "
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s: %s\n", filepath.Clean(file), page.SizeText(int64(size)))
}
