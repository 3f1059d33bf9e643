package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/model/format/meshgraph"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/crosscheck"
	"github.com/turnproof/turnproof/verify/protocols"
	"github.com/turnproof/turnproof/verify/smt"
	"github.com/turnproof/turnproof/verify/ttfabric"
)

// This file runs the command on a network with a routing.

// crossCheckLimit is the timeout of Z3 for each claim.
const crossCheckLimit = 60 * time.Second

// A run is one run of the command. Its methods follow each other in the order below.
type run struct {
	c        *cli.Context
	began    time.Time
	line     *cli.Progress
	in       *resolve.Subject
	options  verify.Options
	protocol *model.Protocol // of --classes, or nil
	failing  *analysis

	rep     *verify.Report
	fewest  *verdict.FewestJSON // nil without --fewest-networks
	judge   string              // empty without --cross-check
	sim     *confirm.Result     // nil without --simulate
	fabric  *ttfabric.Answer    // nil if the input is no TT-Fabric
	quality *quality.Result     // nil without --quality and its limits
	advice  *advised            // nil if the input is proved, or no tables of InfiniBand
	changed *mended             // nil if nothing was to mend
}

// runCheck is the action of the command. Finite lists of packets have an action of their own.
func runCheck(c *cli.Context) error {
	began := time.Now()
	markUnfinished(c)
	if err := picture.CheckOutputs(c, "journal"); err != nil {
		return err
	}
	if list, isList := networksIn(c); isList {
		return runNetworks(c, list)
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	if c.String(meshgraph.SettingCables) != "" {
		return runAnyCables(c, path)
	}
	if files := descriptorsIn(path); files != nil {
		return runDescriptors(c, path, files)
	}
	if kind := streamsKind(path); kind != "" {
		return runStreams(c, path, kind)
	}
	if flows := c.String("flows"); flows != "" && streamsKind(flows) == "problem" {
		return runFlowsOn(c, path, flows)
	} else if flows != "" && lists.IsRecipes(flows) {
		return runRecipes(c, path, flows)
	}
	r := &run{c: c, began: began, line: cli.ProgressOf(c.App.ErrWriter)}
	if err := r.read(path); err != nil {
		return err
	}
	if machines.Elsewhere(c) { // they come first, because a shard does nothing else, and items may be missing
		if done, err := r.failing.run(c); err != nil || !done {
			return err
		}
	}
	for _, step := range []func() error{r.decide, r.askOthers, r.writeEvidence, r.simulate, r.measure, r.advise, r.report, r.end} {
		if err := step(); err != nil {
			return err
		}
	}
	if r.quality.Exceeded() {
		return cli.Status(cli.ExitRefuted)
	}
	return verdict.Status(worse(r.rep.Verdict(), r.failing.found().Verdict()))
}

// read reads the network, its routing and the flags, and prepares the analysis of failures.
func (r *run) read(path string) (err error) {
	c := r.c
	if r.in, err = input.Read(c, path, true, c.String("certificate") != "" || c.Bool("json") || c.String("fail") != ""); err != nil {
		return err
	}
	if err := cmp.Or(checkFailFlags(c, r.in), quality.CheckFlags(c)); err != nil {
		return err
	}
	gating, err := input.ReadGating(c, r.in)
	if err != nil {
		return err
	}
	flow, err := input.ReadFlowSizes(c, r.in)
	if err != nil {
		return err
	}
	classes, err := readClasses(c, r.in)
	if err != nil {
		return err
	}
	r.line.Say("checking %s", wording.Count(r.in.Net.NumSwitches(), "switch", "es"))
	o, err := judging.Options(c, r.in)
	if err != nil {
		return err
	}
	o.Management = c.String(input.ManagementFlagName) == ""
	if c.String("classes") != "" {
		o.Conditions = slices.DeleteFunc(o.Conditions, func(m model.Condition) bool { // those of the network's file
			return m.Condition() == model.ConditionProtocol
		})
	}
	o.AllStates, o.Conditions = c.Bool("cross-check"), append(o.Conditions, conditions(gating, flow, classes)...)
	r.options, r.protocol = o, classes
	r.failing, err = newAnalysis(c, r.in, failureOptions(&o))
	return err
}

// decide checks the routing, and with --check the network and the dependency graph for inconsistencies.
func (r *run) decide() (err error) {
	if r.rep, err = verify.Check(r.c.Context, r.in.Rel, r.options); err != nil {
		return err
	}
	if r.fabric, err = fabricAnswer(r.c.Context, r.in, r.rep); err != nil {
		return err
	}
	if err := r.decidePriorities(); err != nil {
		return err
	}
	if r.c.Bool("check") {
		if errs := append(r.in.Net.Check(), graphCheck(r.rep)...); len(errs) > 0 {
			return fmt.Errorf("internal error: %d inconsistencies, the first: %w", len(errs), errs[0])
		}
	}
	return nil
}

// askOthers searches for the fewest virtual networks and asks Z3, if flags say so.
func (r *run) askOthers() error {
	if r.c.Bool("fewest-networks") {
		r.line.Say("searching for the fewest virtual networks")
		s, err := protocols.FindSharing(r.c.Context, r.in.Rel, r.protocol, r.options)
		if err != nil {
			return fmt.Errorf("--fewest-networks: %w", err)
		}
		r.fewest = verdict.NewFewestJSON(r.protocol, s)
	}
	if r.c.Bool("cross-check") {
		r.line.Say("asking Z3")
		said, err := crosscheck.Check(r.c.Context, r.rep, crossCheckLimit)
		if err != nil {
			return fmt.Errorf("--cross-check: %w", err)
		}
		r.judge = "Z3 " + smt.Version() + " on " + strings.Join(said, ", ")
	}
	return nil
}

// writeEvidence writes the files of --certificate and --figure.
func (r *run) writeEvidence() error {
	if f := r.c.String("certificate"); f != "" {
		if err := cli.WriteFile(r.c, f, func(w io.Writer) error { return cert.Write(w, r.rep.Certificate) }); err != nil {
			return err
		}
	}
	if f := r.c.String("figure"); f != "" {
		return picture.CheckFigure(r.c, f, r.rep)
	}
	return nil
}

// simulate tests the verdict by simulation, with --simulate.
func (r *run) simulate() (err error) {
	if !r.c.Bool("simulate") {
		return nil
	}
	r.line.Say("simulating")
	if r.sim, err = confirm.Report(r.c.Context, r.rep, 1); err != nil {
		return err
	}
	if r.rep.Reached == nil {
		r.rep.Reached = r.sim.Reached
	}
	return nil
}

// measure measures how the routing uses the links, if flags say so.
func (r *run) measure() (err error) {
	if quality.Given(r.c) != "" {
		r.line.Say("measuring the load of links")
	}
	r.quality, err = quality.Measure(r.c, r.in.Rel)
	return err
}

// advise finds what helps.
func (r *run) advise() (err error) {
	r.advice, err = adviseOn(r.c, r.in, r.rep)
	return err
}

// report writes the findings and prints the text output about the routing as it is. What --mend and --fail add takes longer and follows.
func (r *run) report() error {
	c := r.c
	if err := mendable(c, r.in, r.rep); err != nil {
		return err
	}
	if err := writeFindings(r.c, r.found()); err != nil {
		return err
	}
	if c.Bool("json") {
		return nil
	}
	return r.print()
}

// print prints the text output about the routing as it is.
func (r *run) print() error {
	c := r.c
	input.PrintNotes(c, r.in)
	input.PrintWarnings(c, r.in)
	verdict.PrintCheck(c.App.Writer, r.in, r.rep, r.judge, r.sim, time.Since(r.began).Seconds())
	if r.fewest != nil {
		verdict.PrintFewest(c.App.Writer, r.fewest)
	}
	printFabric(c.App.Writer, r.fabric)
	printEthernet(c.App.Writer, ethernetFound(r.in))
	r.advice.print(c.App.Writer, r.rep)
	r.quality.Print(c.App.Writer)
	return cli.Flush(c)
}

// end mends the tables, checks the failures, and prints what is not printed yet. After an interruption it prints the
// results so far, and returns the error of the context.
func (r *run) end() (err error) {
	c := r.c
	r.changed, err = mendTables(c, r.in, r.rep, r.options)
	interrupted := cmp.Or(err, c.Context.Err())
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if interrupted == nil {
		if _, interrupted = r.failing.run(c); interrupted != nil && !errors.Is(interrupted, context.Canceled) {
			return interrupted
		}
	}
	if r.failing != nil {
		if err := writeFindings(r.c, r.found()); err != nil { // now with the failures
			return err
		}
	}
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, r.json()); err != nil {
			return err
		}
	} else {
		printMend(c.App.Writer, r.in, r.changed, r.rep, c.String("mend"))
		printFailures(c, r.in, r.failing.found())
	}
	return interrupted
}

// found returns what the files of --sarif and --junit say.
func (r *run) found() *foundSet {
	f := &foundSet{in: r.in, rep: r.rep, limits: r.quality.AllLimits(), seconds: time.Since(r.began).Seconds()}
	if r.failing != nil {
		f.failing, f.failures = r.c.String("fail"), r.failing.found()
	}
	return f
}

// json returns the output of --json.
func (r *run) json() resultJSON {
	out := resultJSON{Fabric: r.fabric, Ethernet: ethernetFound(r.in), Quality: r.quality.JSON(r.in.Rel), Next: r.advice.next(), Ranking: r.advice.ranking()}
	out.CheckJSON = verdict.NewCheckJSON(r.in, r.rep, r.judge, r.sim, time.Since(r.began).Seconds())
	if out.Failures = r.failing.found(); r.fewest != nil {
		out.Messages.Fewest = r.fewest
	}
	if r.changed != nil {
		out.Mend = r.changed.mendJSON
	}
	return out
}

// graphCheck returns the inconsistencies in the dependency graph. It returns nil if none was
// built.
func graphCheck(rep *verify.Report) []error {
	if rep.Graph == nil {
		return nil
	}
	return rep.Graph.Check()
}
