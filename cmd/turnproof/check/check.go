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
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/crosscheck"
	"github.com/turnproof/turnproof/verify/protocols"
	"github.com/turnproof/turnproof/verify/smt"
)

// Command returns the command check with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "check",
		Usage:        "decide whether a routing is deadlock-free, connected and livelock-free",
		ArgsUsage:    "NETWORK --routing FILE|NAME [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "Exit status: 0 all three hold, 1 one is refuted, 2 wrong usage or input, 3 undecided.\n" +
			"The independent checker accepts every verdict before it is printed;\n" +
			"--certificate writes the evidence, which turnproof-check judges again.\n" +
			"--fail runs on several machines by --slurm or --shard; see docs/cluster.md.\n" +
			"NETWORK may be a folder with the dumps of a fabric: topology, tables, service levels.\n" +
			"NETWORK may also be a flow problem, or a routed design of mlir-aie: finite lists of packets\n" +
			"that hold arbiters, links and buffers (docs/finite-flows.md). Then no routing is named.\n" +
			"A flow problem behind --flows has packets between hosts of NETWORK.\n\n" +
			"Examples:\n" +
			"  turnproof check topology.ibnetdiscover --routing opensm-lfts.dump\n" +
			"  turnproof check topology.ibnetdiscover -r opensm.fdbs --sl path-sl.txt --sl2vl opensm-sl2vl.dump\n" +
			"  turnproof check opensm-subnet.lst -r lfts.dump --figure loop.svg --certificate loop.cert\n" +
			"  turnproof check dumps/ --mend mended.lfts\n" +
			"  turnproof check dumps/ --routing updown --fail links:1\n" +
			"  turnproof check dumps/ --routing updown --fail links:1 --journal failures.journal --slurm --slurm-tasks 50\n" +
			"  turnproof check dumps/ --sarif findings.sarif --junit findings.xml\n" +
			"  turnproof check mesh:8x8 --routing west-first\n" +
			"  turnproof check torus:8x8,vcs=3 --routing duato --switching wormhole\n" +
			"  turnproof check torus:8x8,vcs=2 -r dor --classes request,reply\n" +
			"  turnproof check mesh:8x8 -r minimal --waiting one\n" +
			"  turnproof check torus:8x8,vcs=2 -r dor --gate injection,level=8\n" +
			"  turnproof check torus:8x8 -r dor --flow bubble --packet 4 --buffer 8\n" +
			"  turnproof check design.mlir --certificate design.cert",
		Flags: append(slices.Concat(input.RoutingFlags(), input.PremiseFlags(), mendFlags(), findingFlags(), failFlags()),
			&cli.Text{StringFlag: cli.StringFlag{Name: "classes",
				Usage: "check messages that cause other messages, `request,reply`: one virtual network for each class; classes joined by + share one; " +
					"aw:,w:,b:aw&w names causes; a file .yaml or .json describes a protocol",
				Category: cli.CategoryChecked}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "initiators", Usage: "with --classes: only these `HOSTS` begin transactions (default: all)",
				Category: cli.CategoryChecked}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "targets", Usage: "with --classes: only these `HOSTS` answer (default: all)",
				Category: cli.CategoryChecked}},
			&cli.BoolFlag{Name: "fewest-networks", Usage: "with --classes: find which classes may share a virtual network, and the fewest networks",
				Category: cli.CategoryChecked},
			&cli.Words{StringFlag: cli.StringFlag{Name: "gate",
				Usage:    "add gates, `PLACE[,KEY=VALUE...]`, as in sim: packets also wait there for the buffers ahead (switching vct, mesh or torus)",
				Category: cli.CategoryChecked}, List: []string{"turn", "injection", "both"}, Open: true},
			input.FlowFlag(cli.CategoryChecked),
			&cli.IntFlag{Name: "packet", Value: 8,
				Usage: "length of the longest packet in `FLITS`, with --buffer; with --gate or --flow of every packet", Category: cli.CategoryChecked},
			&cli.IntFlag{Name: "buffer", Value: 15, Usage: "size of the buffer of a VC in `FLITS`, with --packet; words before a receiver of a routed design",
				Category: cli.CategoryChecked},
			&cli.BoolFlag{Name: "atomic", Usage: "give a VC to a packet only when the VC is empty"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the evidence to `FILE`", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure",
				Usage: "draw the dependency cycle, or the dependency graph if it has none, to `FILE` (.svg, .png, .pdf, .dot)", Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "cross-check", Usage: "let Z3 also answer the finite questions; a disagreement is an error", Category: cli.CategoryOpinions},
			&cli.BoolFlag{Name: "simulate",
				Usage:    "test the verdict by simulation: run a proved routing at saturation, drive a refuted one into its deadlock",
				Category: cli.CategoryOpinions},
			&cli.BoolFlag{Name: "check", Usage: "check the network and the graph for internal inconsistencies", Category: cli.CategoryOpinions},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/check.json)", Category: cli.CategoryOutput},
		),
		Action: runCheck,
	}
}

// crossCheckLimit is the timeout of Z3 for each claim.
const crossCheckLimit = 60 * time.Second

func runCheck(c *cli.Context) error {
	began := time.Now()
	if err := picture.CheckOutputs(c, "journal"); err != nil {
		return err
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	if kind := streamsKind(path); kind != "" {
		return runStreams(c, path, kind)
	}
	if flows := c.String("flows"); flows != "" && streamsKind(flows) == "problem" {
		return runFlowsOn(c, path, flows)
	}
	in, err := input.Read(c, path, true, c.String("certificate") != "" || c.Bool("json"))
	if err != nil {
		return err
	}
	if err := checkFailFlags(c, in); err != nil {
		return err
	}
	gating, err := input.ReadGating(c, in)
	if err != nil {
		return err
	}
	flow, err := input.ReadFlowSizes(c, in)
	if err != nil {
		return err
	}
	messages, protocol, err := readClasses(c, in)
	if err != nil {
		return err
	}
	if c.String("classes") != "" && gating != nil {
		return errors.New("--classes cannot be combined with --gate")
	}
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Say("checking %s", wording.Count(in.Net.NumSwitches(), "switch", "es"))
	o, err := judging.Options(c, in)
	if err != nil {
		return err
	}
	failing, err := newAnalysis(c, in, verify.Options{Switching: o.Switching, Open: o.Open, Waiting: o.Waiting, Facts: o.Facts,
		Conditions: conditions(gating, flow, messages, nil), Premises: o.Premises, Doubts: failureDoubts(&o), Strict: o.Strict})
	if err != nil {
		return err
	}
	if machines.Elsewhere(c) { // they come first, because a shard does nothing else, and items may be missing
		if done, err := failing.run(c); err != nil || !done {
			return err
		}
	}
	o.Management = c.String(input.ManagementFlagName) == ""
	if c.String("classes") != "" {
		o.Conditions = nil // they replace those of the network's file
	}
	o.AllStates, o.Conditions = c.Bool("cross-check"), append(o.Conditions, conditions(gating, flow, messages, protocol)...)
	rep, err := verify.Check(c.Context, in.Rel, o)
	if err != nil {
		return err
	}
	if c.Bool("check") {
		if errs := append(in.Net.Check(), graphCheck(rep)...); len(errs) > 0 {
			return fmt.Errorf("internal error: %d inconsistencies, the first: %w", len(errs), errs[0])
		}
	}
	var fewest *verdict.FewestJSON
	if c.Bool("fewest-networks") {
		line.Say("searching for the fewest virtual networks")
		s, err := protocols.FindSharing(c.Context, in.Rel, protocol, o)
		if err != nil {
			return fmt.Errorf("--fewest-networks: %w", err)
		}
		fewest = verdict.NewFewestJSON(protocol, s)
	}
	var judge string
	if c.Bool("cross-check") {
		line.Say("asking Z3")
		said, err := crosscheck.Check(c.Context, rep, crossCheckLimit)
		if err != nil {
			return fmt.Errorf("--cross-check: %w", err)
		}
		judge = "Z3 " + smt.Version() + " on " + strings.Join(said, ", ")
	}
	if f := c.String("certificate"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return cert.Write(w, rep.Certificate) }); err != nil {
			return err
		}
	}
	if f := c.String("figure"); f != "" {
		if err := picture.CheckFigure(c, f, rep); err != nil {
			return err
		}
	}
	var sim *confirm.Result
	if c.Bool("simulate") {
		line.Say("simulating")
		if sim, err = confirm.Report(c.Context, rep, 1); err != nil {
			return err
		}
		if rep.Reached == nil {
			rep.Reached = sim.Reached
		}
	}
	if err := mendable(c, in, rep); err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	if err := writeFindings(c, in, rep, seconds); err != nil {
		return err
	}
	if !c.Bool("json") {
		input.PrintNotes(c, in)
		input.PrintWarnings(c, in)
		verdict.PrintCheck(c.App.Writer, in, rep, judge, sim, seconds)
		if fewest != nil {
			verdict.PrintFewest(c.App.Writer, fewest)
		}
		if err := cli.Flush(c); err != nil {
			return err
		}
	}
	changed, err := mendTables(c, in, rep, o)
	interrupted := cmp.Or(err, c.Context.Err())
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if interrupted == nil {
		if _, interrupted = failing.run(c); interrupted != nil && !errors.Is(interrupted, context.Canceled) {
			return interrupted
		}
	}
	failed := failing.found()
	if c.Bool("json") {
		out := verdict.NewCheckJSON(in, rep, judge, sim, time.Since(began).Seconds())
		if out.Failures = failed; fewest != nil {
			out.Messages.Fewest = fewest
		}
		if changed != nil {
			out.Mend = changed.MendJSON
		}
		if err := cli.PrintJSON(c.App.Writer, out); err != nil {
			return err
		}
	} else {
		printMend(c.App.Writer, changed, rep, c.String("mend"))
		printFailures(c.App.Writer, failed)
	}
	if interrupted != nil {
		return interrupted
	}
	return verdict.Status(worse(rep.Verdict(), failed.Verdict()))
}

// graphCheck returns the inconsistencies in the dependency graph. It returns nil if none was
// built.
func graphCheck(rep *verify.Report) []error {
	if rep.Graph == nil {
		return nil
	}
	return rep.Graph.Check()
}
