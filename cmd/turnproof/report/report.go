package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/turnset"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/evaluate"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Command writes all that the other commands find out about some routings of a network
// as one page.
func Command() *cli.Command {
	flags := []cli.Flag{&cli.Inputs{StringSliceFlag: cli.StringSliceFlag{Name: "routing", Aliases: []string{"r"}, Usage: "add the routing `FILE` or NAME, as in check; repeat for several; FILE,sl=FILE,sl2vl=FILE adds service levels to tables", Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()}}
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
			&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`; - is standard output", Category: cli.CategoryOutput}, Result: true},
			&cli.Input{StringFlag: cli.StringFlag{Name: "traffic", Usage: "load the channels with this traffic, as in turns: uniform, halves[:BETWEEN] or a `FILE`"}, Words: input.LoadWords()},
			&cli.Words{StringFlag: cli.StringFlag{Name: "compare", Usage: "compare the routings with `METHODS` of turns, separated by commas, or none", DefaultText: fmt.Sprintf("the published ones; updown from %d switches on, none from %d on", compareAll+1, compareSome+1)}, List: synth.Names(), Open: true},
			&cli.BoolFlag{Name: "simulate", Usage: "simulate latency under load, also in large networks; --simulate=false never simulates", DefaultText: fmt.Sprintf("up to %d hosts", simulateHosts), Category: cli.CategoryOpinions},
			&cli.Int64Flag{Name: "clocks", Value: 10_000, Usage: "simulate `CLOCKS`, of which the first fifth is not measured"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "use `NUMBER` as the seed of the simulated traffic"},
		),
		Action: runReport,
	}
}

// Sizes up to which costly things are done unasked.
const (
	compareAll    = 128  // switches
	compareSome   = 1024 // switches
	simulateHosts = 256
	onePathHosts  = 512
	leastClocks   = 100
	// measureSteps bounds destinations times VCs, what measuring a routing may look at.
	measureSteps = 100_000_000
)

// report is what the page tells of.
type report struct {
	c        *cli.Context
	path     string // of the network
	traffic  *model.Traffic
	word     string // for the traffic
	routings []*reported
	compared []*turnset.Made
	notes    []string // what is not compared, and why
}

// reported is a routing in a report.
type reported struct {
	in    *input.Input
	c     *cli.Context // as if it were the only one
	id    string       // r1, r2, ...
	name  string       // short
	check *verify.Report

	certificate []byte
	sum         string // SHA-256 of the certificate, in hexadecimal

	made    *synth.Result       // its turn set as a method made it, nil: none did
	allowed *model.TurnSet      // its turn set, of the network with one VC; nil: there is none
	count   *synth.Prohibitions // of that
	flow    *synth.Flow         // nil: noFlow says why
	noFlow  string
	onePath *float64 // throughput of its turn set with one balanced way a pair; nil: not worked out
}

func runReport(c *cli.Context) error {
	r, err := newReport(c)
	if err != nil {
		return err
	}
	p, err := r.page(c.Context)
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
		r.print(c.App.Writer, file, html.Len())
	}
	return verdict.Status(r.verdict())
}

// newReport reads, decides and measures.
func newReport(c *cli.Context) (*report, error) {
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return nil, err
	}
	if c.String("output") == "" {
		return nil, errors.New("-o FILE is missing: want a page to write (.html)")
	}
	r := &report{c: c, path: path}
	if k := c.Int64("clocks"); k < leastClocks {
		return nil, fmt.Errorf("--clocks %d: want at least %d", k, leastClocks)
	}
	methods, err := r.methods()
	if err != nil {
		return nil, err
	}
	words := c.StringSlice("routing")
	if len(words) == 0 {
		words = []string{""} // the network may name its own
	}
	if len(words) > 1 && (path == "-" || slices.Contains(words, "-")) {
		return nil, errors.New("standard input can be read only once: several routings need files")
	}
	for i, word := range words {
		if word == "" && len(c.StringSlice("routing")) > 0 {
			return nil, errors.New("--routing has no value")
		}
		if slices.Contains(words[:i], word) {
			return nil, fmt.Errorf("--routing %s is given twice", word)
		}
		if err := r.add(word, i); err != nil {
			return nil, err
		}
	}
	r.nameRoutings()
	return r, r.compare(methods)
}

// add reads a routing, decides its claims and measures it.
func (r *report) add(word string, i int) (err error) {
	x := &reported{id: fmt.Sprintf("r%d", i+1)}
	if x.c, err = routingContext(r.c, word, i == 0); err != nil {
		return err
	}
	if x.in, err = input.Read(x.c, r.path, true, true); err != nil {
		return err
	}
	input.PrintNotes(r.c, x.in)
	if r.traffic == nil {
		if r.traffic, r.word, err = resolve.Traffic(r.c.String("traffic"), r.path, x.in.Net, x.in.SumsOnly()); err != nil {
			return err
		}
	}
	input.PrintWarnings(r.c, x.in)
	o, err := input.Judging(r.c, x.in)
	if err != nil {
		return err
	}
	o.Management = r.c.String(input.ManagementFlagName) == ""
	if x.check, err = verify.Check(r.c.Context, x.in.Rel, o); err != nil {
		return err
	}
	var evidence bytes.Buffer
	if err := cert.Write(&evidence, x.check.Certificate); err != nil {
		return err
	}
	sum := sha256.Sum256(evidence.Bytes())
	x.certificate, x.sum = evidence.Bytes(), hex.EncodeToString(sum[:])
	if err := x.measure(r.c.Context, r.traffic); err != nil {
		return err
	}
	r.routings = append(r.routings, x)
	return nil
}

// verdict is that of the worst routing.
func (r *report) verdict() verify.Verdict {
	v := verify.Proved
	for _, x := range r.routings {
		switch x.check.Verdict() {
		case verify.Refuted:
			return verify.Refuted
		case verify.Undecided:
			v = verify.Undecided
		}
	}
	return v
}

// measure counts the turns of the routing's set, and its load on the channels.
func (x *reported) measure(ctx context.Context, t *model.Traffic) (err error) {
	if x.made, err = turnSet(x.in, ctx); err != nil {
		return err
	}
	in := *x.in
	in.Made = x.made
	if x.allowed = in.TurnSet(); x.allowed != nil {
		x.count = synth.Count(x.allowed)
	}
	n := x.in.Net
	switch steps := x.in.Rel.Destinations() * n.NumVCs(); {
	case x.check.Routes.Loop != nil:
		x.noFlow = "Packets of this routing can circle, so the load is not defined."
		return nil
	case steps > measureSteps:
		x.noFlow = fmt.Sprintf("The load of the channels is omitted: %s destinations times %s virtual channels are more than %s.", wording.Thousands(int64(x.in.Rel.Destinations())), wording.Thousands(int64(n.NumVCs())), wording.Thousands(measureSteps))
		return nil
	}
	if x.flow, err = synth.MeasureFlow(ctx, x.in.Rel, t); err != nil {
		return err
	}
	if x.allowed == nil || n.NumHosts() > onePathHosts || n.NumSwitches() > compareAll || x.check.Acyclic.Verdict != verify.Proved || x.check.Connected.Verdict != verify.Proved {
		return nil
	}
	x.onePath, err = evaluate.OnePathThroughput(ctx, x.allowed, model.NewDemand(x.allowed.Network(), t))
	return err
}

// print says what was found and where it stands.
func (r *report) print(w io.Writer, file string, size int) {
	for _, x := range r.routings {
		fmt.Fprintf(w, "%-9s  %s", strings.ToUpper(string(x.check.Verdict())), x.name)
		sep := ": "
		for _, claim := range x.check.Claims() {
			fmt.Fprintf(w, "%s%s %s", sep, claim.Name, claim.Verdict)
			sep = ", "
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s: %s\n", filepath.Clean(file), page.SizeText(int64(size)))
}
