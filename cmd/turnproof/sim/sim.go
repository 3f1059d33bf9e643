package sim

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/energy"
	"github.com/turnproof/turnproof/engine/follow"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file declares the command "sim".

// delayFlags returns the flags for the delays of model booksim.
func delayFlags() (flags []cli.Flag) {
	defaults := engine.BookSimDelays()
	for _, d := range engine.DelayKinds() {
		flags = append(flags, &cli.IntFlag{Name: d.Name, Value: *d.At(&defaults), Usage: "`CLOCKS` of " + d.Summary + " (model booksim)",
			Category: cli.CategoryDelays})
	}
	return flags
}

// description returns the help of the command, below its usage.
func description() string {
	var patterns []string
	for _, k := range traffic.Kinds() {
		patterns = append(patterns, fmt.Sprintf("  %-32s %s", k.Syntax, k.About))
	}
	return "Loads are in flits per clock and host. Latency is from the creation of a packet to the\n" +
		"arrival of its tail. A deadlock is found exactly, with the clock in which it closed, and\n" +
		"ends the run. --model booksim behaves as BookSim 2 (iq router, default delays): uniform\n" +
		"traffic includes the sender, and dor on a torus is dor-booksim unless --vc-rule is given.\n" +
		"With --workload the messages of an application are sent, each when those before it have\n" +
		"arrived; the result is the time to completion, and the operations that decide it.\n" +
		"Exit status: 0 the run ended, 1 the network froze, 2 wrong usage or input.\n\n" +
		"Patterns:\n" + strings.Join(patterns, "\n") + "\n" +
		"With :switches at the end, a permutation such as bit-reversal:switches, shift:3:switches or\n" +
		"permutation:FILE:switches moves the switches with hosts, which have equally many hosts each:\n" +
		"host i of a switch sends to host i of the other switch.\n\n" + workloadHelp() + "\n\n" +
		"Examples:\n" +
		"  turnproof sim torus:8x8,vcs=2 --routing dor --load 0.2\n" +
		"  turnproof sim random:switches=64,degree=4,hosts=4 -r lturn-alpha --model paper --packet 128 --load 0.02 --clocks 1000000\n" +
		"  turnproof sim mesh:8x8 -r west-first --traffic transpose --load 0.1 --figure load.svg --json\n" +
		"  turnproof sim torus:7x7,vcs=2 -r dor --vc-rule entry --traffic trace:in.txt --packets-out out.txt\n" +
		"  turnproof sim mesh:8x8 -r dor --traffic transpose --load 0.2 --page run.html --compare west-first\n" +
		"  turnproof sim mesh:8x8 -r dor --workload collective:kind=ring-all-reduce,bytes=64KiB\n" +
		"  turnproof sim fattree:k=4 -r updown --workload trace.goal --mapping random --messages-out messages.csv\n" +
		"  turnproof sim fabric.yaml -r vlans.json --ethernet pause,host=820 --flows h1:h6,h3:h4"
}

// Command returns the command sim with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "sim",
		Usage:        "simulate a network flit by flit: load, latency, deadlock",
		ArgsUsage:    "NETWORK --routing FILE|NAME --load FLITS [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description:  description(),
		Flags: append(slices.Concat(input.RoutingFlags(), simrun.Flags(), delayFlags(), ethernetFlags(), workloadFlags(), simrun.MessageFlags(),
			energyFlags(), watchFlags()),
			&cli.Float64Flag{Name: "load",
				Usage: "offer `FLITS` per clock and host, 0 to 1; with --ethernet the fraction of its rate that a host sends", Category: cli.CategoryTraffic},
			&cli.IntSliceFlag{Name: "length",
				Usage:    "draw packet lengths from these `FLITS` with equal probability, in place of --packet; repeat for several",
				Category: cli.CategoryTraffic},
			&cli.Float64Flag{Name: "burst", Usage: "send bursts of `PACKETS` on average (default: no bursts)", Category: cli.CategoryTraffic},
			&cli.Float64Flag{Name: "peak", Usage: "offer `LOAD` within a burst (default: 1)", Category: cli.CategoryTraffic},
			&cli.IntFlag{Name: "collective", Usage: "send `PACKETS` of each host at the same time instead of a steady load", Category: cli.CategoryTraffic},
			&cli.IntFlag{Name: "rounds", Value: 1, Usage: "repeat --collective this often", Category: cli.CategoryTraffic},
			&cli.Int64Flag{Name: "every", Usage: "start a round every `CLOCKS` (default: when a host has sent the previous round)",
				Category: cli.CategoryTraffic},
			&cli.Output{StringFlag: cli.StringFlag{Name: "packets-out",
				Usage: "write \"id clock source destination arrival\" of each packet that arrives to `FILE`", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "occupancy", Usage: "write the flits in buffers over time to `FILE` (CSV)",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "loads-out", Usage: "write the flits of channels and turns to `FILE` (CSV)",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure",
				Usage: "draw the load of the channels, or the deadlock if there is one, to `FILE` (.svg, .png, .pdf, .dot)", Category: cli.CategoryOutput}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "gate",
				Usage: "add gates, `PLACE[,KEY=VALUE...]`: turn, injection or both; keys: " + input.GateKeys(), Category: cli.CategoryGates},
				List: []string{"turn", "injection", "both"}, Open: true},
			&cli.Text{StringFlag: cli.StringFlag{Name: "throttle", Usage: "add entropy throttling, `rth=MOBILITY,pn=OCCUPANCY[,release=empty]`",
				Category: cli.CategoryGates}},
			simrun.Words(cli.CategoryGates, "control", "choose how the information for gates and throttling travels", say.WordsOf(engine.ControlPaths())),
			&cli.BoolFlag{Name: "check", Usage: "recount flits and slots at every clock", Category: cli.CategoryRun},
			&cli.BoolFlag{Name: "flitwise", Usage: "simulate flit by flit, even if packet events are exact", Category: cli.CategoryRun},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/sim.json)", Category: cli.CategoryOutput},
		),
		Action: runSim,
	}
}

// bookSimRouting adapts the flag --routing.
func bookSimRouting(c *cli.Context, network string) error {
	if c.String("routing") == "" {
		return nil // a BookSim configuration may name the routing; if not, input.Read reports the missing flag
	}
	return c.Set("routing", routingWord(c, network, c.String("routing")))
}

// routingWord adapts the name of a routing. With --vc-rule it adds this option. Otherwise, with model
// booksim, it replaces dor by the variant of BookSim 2.
func routingWord(c *cli.Context, network, word string) string {
	switch rule := c.String("vc-rule"); {
	case rule != "":
		return word + ",vc-rule=" + rule
	case c.String("model") == "" || c.String("model") == string(engine.BookSim):
		return resolve.BookSimName(network, word)
	}
	return word
}

// runSim is the action of the command. Ethernet and workloads have actions of their own.
func runSim(c *cli.Context) error {
	if c.String("ethernet") != "" {
		return runEthernet(c)
	}
	if c.String("workload") != "" {
		return runWorkload(c)
	}
	if err := needsWorkload(c); err != nil {
		return err
	}
	r, err := readRun(c)
	if err != nil {
		return err
	}
	if err := r.readNetwork(); err != nil {
		return err
	}
	return r.simulate()
}

// A run is one run of the command with packets of a traffic pattern.
type run struct {
	c        *cli.Context
	path     string // of the network
	settings trial.Settings
	messages trial.MessageWords
	costs    *energy.Costs  // of --energy, or nil
	chosen   *follow.Chosen // the packets to follow, or nil
	paper    *paged         // of --page, or nil
	in       *resolve.Subject
}

// readRun reads what flags say of a run. It reads no network.
func readRun(c *cli.Context) (*run, error) {
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return nil, err
	}
	r := &run{c: c, path: path}
	if r.settings, err = simrun.Settings(c); err != nil {
		return nil, err
	}
	s := &r.settings
	s.Engine.Workers = runtime.GOMAXPROCS(0)
	if r.messages, err = simrun.MessagesOf(c); err != nil {
		return nil, err
	}
	if err := simOutputs(c); err != nil {
		return nil, err
	}
	if r.costs, err = readCosts(c); err != nil {
		return nil, err
	}
	if r.chosen, err = readFollow(c); err != nil {
		return nil, err
	}
	if !c.IsSet("load") && !s.Finite() && !resolve.IsBookSim(path) {
		return nil, errors.New("--load is missing: want flits per clock and host, such as 0.2; or --collective, --traffic trace:FILE or --workload SPEC")
	}
	if _, file, ok := strings.Cut(s.Traffic, ":"); ok {
		cli.Reads(c, file) // for other patterns, this names no file and has no effect
	}
	r.paper, err = readPage(c, path, *s)
	return r, err
}

// readNetwork reads the network and its routing, and fits the settings to them.
func (r *run) readNetwork() (err error) {
	c, s := r.c, &r.settings
	if err := bookSimRouting(c, r.path); err != nil {
		return err
	}
	cli.Reads(c, c.String("links"))
	if r.in, err = input.Read(c, r.path, true, c.Bool("json") || r.paper != nil); err != nil {
		return err
	}
	if err := adapt(r.in, c, s, r.messages); err != nil {
		return err
	}
	if err := r.paper.loadOther(c, r.messages); err != nil {
		return err
	}
	simrun.StateMessages(c, r.messages, r.in)
	s.Engine.Loads = c.String("figure") != "" || c.String("loads-out") != "" || r.costs != nil
	s.Flitwise = s.Flitwise || r.costs != nil // packet events do not count the flits in buffers
	if c.String("occupancy") != "" {
		s.Occupancy = 1000
	}
	if r.chosen != nil {
		s.Engine.Follow = r.chosen
	}
	return nil
}

// adapt fits the settings and messages to the network and its routing, and prints the notes and warnings.
func adapt(in *resolve.Subject, c *cli.Context, s *trial.Settings, messages trial.MessageWords) (err error) {
	if in.Flows != nil {
		if c.IsSet("traffic") {
			return errors.New("--flows and --traffic both choose the traffic: remove one of them")
		}
		s.Traffic = "flows"
		if s.Matrix, err = in.FlowTraffic(); err != nil {
			return err
		}
	}
	if err := simrun.FitBookSim(s, in, c.IsSet); err != nil {
		return err
	}
	simrun.FitRouted(s, in, c.IsSet)
	if err := simrun.FitFlow(s, in, c.IsSet); err != nil {
		return err
	}
	for _, flag := range []string{"packet", "length"} {
		if s.Messages != nil && c.IsSet(flag) {
			return fmt.Errorf("%s sets the lengths of messages by use_read_write; remove --%s", in.Name, flag)
		}
	}
	in.SpreadBookSim()
	simrun.RemarkBookSim(in, s.Engine.Timing)
	input.PrintNotes(c, in)
	input.PrintWarnings(c, in)
	simrun.FitInput(s, in)
	if err := simrun.FitLinks(s, in, c.IsSet, c.String("links")); err != nil {
		return err
	}
	rel, err := simrun.MessageRouting(messages, in, s)
	if err != nil {
		return err
	}
	if err := simrun.WarnShort(c, in, s); err != nil {
		return err
	}
	if err := simrun.Discipline(in, c, s); err != nil { // one virtual network answers for all
		return err
	}
	in.Rel, in.Net = rel, rel.Network()
	return nil
}

// simulate runs the simulation, writes the output files and prints the result.
func (r *run) simulate() error {
	began := time.Now()
	c, in, s := r.c, r.in, &r.settings
	showProgress(c, s, "simulating")
	r.paper.watch(in, s)
	res, err := r.trial()
	if err != nil {
		return err
	}
	if res.Delivered == 0 && res.Deadlock == nil {
		input.PrintWarnings(c, in.Warn("no packet was delivered: the run measures nothing"))
	}
	in.SumTraffic(s.Traffic)
	in.SumFile(c.String("energy"))
	seconds := time.Since(began).Seconds()
	if err := writeSim(in, c, res); err != nil {
		return err
	}
	var spent *energy.Report
	if sim, ok := res.Loads.(*engine.Sim); ok && r.costs != nil {
		spent = energy.Of(sim, in.Net, r.costs, res.Clocks, c.Float64("frequency"))
	}
	if err := printSim(c, in, s, res, seconds, spent); err != nil {
		return err
	}
	if r.chosen != nil {
		if err := printFollowed(in, c, r.chosen, res); err != nil {
			return err
		}
	}
	frozen := res.Deadlock != nil
	if r.paper != nil {
		other, err := r.paper.finish(c, in, s, res)
		if err != nil {
			return err
		}
		frozen = frozen || other
	}
	if frozen {
		return cli.Status(cli.ExitRefuted)
	}
	return nil
}

// trial runs the simulation, and writes the arriving packets to the file of --packets-out meanwhile.
func (r *run) trial() (res *trial.Result, err error) {
	f := r.c.String("packets-out")
	if f == "" {
		if res, err = trial.Run(r.c.Context, r.in.Rel, r.settings); err != nil {
			err = fmt.Errorf("%s: %w", r.in.Name, err)
		}
		return res, err
	}
	var failed error // error of the simulation, not of writing the file
	err = cli.WriteFile(r.c, f, func(w io.Writer) error {
		out := traffic.NewPacketWriter(w, "", r.in.Net, r.in.Rel.DestinationHost)
		r.settings.Report = out.Deliver
		if res, failed = trial.Run(r.c.Context, r.in.Rel, r.settings); failed != nil {
			return failed
		}
		return out.Close()
	})
	if failed != nil {
		return nil, fmt.Errorf("%s: %w", r.in.Name, failed)
	}
	return res, err
}

// showProgress shows the clock of a simulation on the progress line.
func showProgress(c *cli.Context, s *trial.Settings, what string) {
	line := cli.ProgressOf(c.App.ErrWriter)
	if line == nil {
		return
	}
	line.Say("%s", what)
	s.Progress = func(clock, of engine.Clock) {
		line.Tell("clock %s of %s", wording.Thousands(int64(clock)), wording.Thousands(int64(of)))
		line.Part(float64(clock) / float64(of))
	}
}
