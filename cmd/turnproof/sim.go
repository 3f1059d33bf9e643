package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/figure"
)

// This file is the command "sim": one simulation.

// words is a flag that takes one of a list of words.
func words(category, name, about string, list []string) cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: name, Usage: about + ": " + strings.Join(list, ", "), DefaultText: list[0], Category: category}, List: list}
}

// simFlags are what a simulation is told, for sim and sweep.
func simFlags() []cli.Flag {
	return []cli.Flag{
		words(cli.CategoryRouter, "model", "router model", wordsOf(engine.Timings())),
		words(cli.CategoryRouter, "switching", "`DISCIPLINE` (default: wormhole with model booksim, vct with model paper)", wordsOf(engine.Switchings())),
		cli.In(cli.CategoryRouter, waitingFlag()),
		&cli.Input{StringFlag: cli.StringFlag{Name: "traffic", Value: "uniform", Usage: "`PATTERN`, or trace:FILE with lines \"id clock source destination\"", Category: cli.CategoryTraffic}, Words: trafficWords()},
		&cli.BoolFlag{Name: "no-self", Usage: "no packets of hosts to themselves", Category: cli.CategoryTraffic},
		&cli.IntFlag{Name: "packet", Value: 8, Usage: "`FLITS` of a packet", Category: cli.CategoryTraffic},
		&cli.IntFlag{Name: "buffer", Usage: "`FLITS` that fit into the buffer of a VC (default: 8, or a packet if that is more and whole packets must fit)", Category: cli.CategoryRouter},
		words(cli.CategoryRouter, "select", "which of several free outputs a packet asks for", wordsOf(engine.Selections())),
		words(cli.CategoryRouter, "arbiter", "who wins an output", wordsOf(engine.Arbiters())),
		&cli.BoolFlag{Name: "atomic", Usage: "a VC is given to a packet only when it is empty", Category: cli.CategoryRouter},
		&cli.Words{StringFlag: cli.StringFlag{Name: "vc-rule", Usage: "VCs of dor on a ring: dateline, plain, position, entry or balanced, as the key of the routing", Category: cli.CategoryRouter}, List: []string{"dateline", "plain", "position", "entry", "balanced"}},
		&cli.IntFlag{Name: "link-clocks", Value: 1, Usage: "`CLOCKS` that a channel is busy with a flit", Category: cli.CategoryRouter},
		&cli.IntFlag{Name: "eject-clocks", Usage: "the same of the channels to the hosts (default: as --link-clocks)", Category: cli.CategoryRouter},
		&cli.Int64Flag{Name: "clocks", Usage: "`CLOCKS` of the run (default: 50000; until all has arrived where the traffic ends)", Category: cli.CategoryRun},
		&cli.Int64Flag{Name: "warmup", Value: -1, Usage: "`CLOCKS` at the beginning that are not measured", DefaultText: "a fifth of --clocks", Category: cli.CategoryRun},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that all that is random is drawn from", Category: cli.CategoryRun},
	}
}

// delayFlags set the delays of the booksim model.
func delayFlags() (flags []cli.Flag) {
	defaults := engine.BookSimDelays()
	for _, d := range simDelays {
		flags = append(flags, &cli.IntFlag{Name: d.name, Value: *d.at(&defaults), Usage: "`CLOCKS` of " + d.about + " (model booksim)", Category: cli.CategoryDelays})
	}
	return flags
}

var simDelays = []struct {
	name, about string
	at          func(*engine.Delays) *int
}{
	{"routing-delay", "route computation; 0: worked out a switch ahead", func(d *engine.Delays) *int { return &d.Route }},
	{"vc-alloc-delay", "VC allocation", func(d *engine.Delays) *int { return &d.VCAlloc }},
	{"switch-alloc-delay", "switch allocation", func(d *engine.Delays) *int { return &d.SwitchAlloc }},
	{"traversal-delay", "crossing the switch", func(d *engine.Delays) *int { return &d.Traversal }},
	{"link-delay", "a channel between switches", func(d *engine.Delays) *int { return &d.Link }},
	{"credit-delay", "a slot's way back, beyond the channel's", func(d *engine.Delays) *int { return &d.Credit }},
}

// readDelays reads them, if any is given.
func readDelays(c *cli.Context) *engine.Delays {
	d, given := engine.BookSimDelays(), false
	for _, x := range simDelays {
		if c.IsSet(x.name) {
			*x.at(&d), given = c.Int(x.name), true
		}
	}
	if !given {
		return nil
	}
	return &d
}

func wordsOf[T ~string](list []T) (words []string) {
	for _, w := range list {
		words = append(words, string(w))
	}
	return words
}

func simCommand() *cli.Command {
	var patterns []string
	for _, k := range traffic.Kinds() {
		patterns = append(patterns, fmt.Sprintf("  %-32s %s", k.Syntax, k.Text))
	}
	return &cli.Command{
		Name:         "sim",
		Usage:        "simulate a network flit by flit: load, latency, deadlock",
		ArgsUsage:    "NETWORK --routing FILE|NAME --load FLITS [flags]",
		BashComplete: cli.Complete(networkArgument()),
		Description: "Loads are in flits per clock and host. Latency is from creation to the tail's arrival.\n" +
			"A deadlock is found exactly, with the clock in which it closed, and ends the run soon\n" +
			"after. With --model booksim a network behaves as in BookSim 2 (iq router, default delays): uniform traffic includes\n" +
			"the sender, and dor on a torus is dor-booksim unless --vc-rule says otherwise.\n" +
			"Exit status: 0 it ran, 1 it froze, 2 wrong usage or input.\n\n" +
			"Patterns:\n" + strings.Join(patterns, "\n") + "\n\n" +
			"Examples:\n" +
			"  turnproof sim torus:8x8,vcs=2 --routing dor --load 0.2\n" +
			"  turnproof sim random:switches=64,degree=4,hosts=4 -r lturn-alpha --model paper --packet 128 --load 0.02 --clocks 1000000\n" +
			"  turnproof sim mesh:8x8 -r west-first --traffic transpose --load 0.1 --figure load.svg --json\n" +
			"  turnproof sim torus:7x7,vcs=2 -r dor --vc-rule entry --traffic trace:in.txt --packets-out out.txt\n" +
			"  turnproof sim fabric.yaml -r vlans.json --ethernet pause,host=820 --flows h1:h6,h3:h4",
		Flags: append(append(append(append(routingFlags(), simFlags()...), delayFlags()...), ethernetFlags()...),
			&cli.Float64Flag{Name: "load", Usage: "`FLITS` per clock and host that are offered, 0 to 1; with --ethernet the part of its rate that a host sends", Category: cli.CategoryTraffic},
			&cli.IntSliceFlag{Name: "length", Usage: "`FLITS` of a packet, again for each of several lengths that are drawn alike, in place of --packet", Category: cli.CategoryTraffic},
			&cli.Float64Flag{Name: "burst", Usage: "mean `PACKETS` of a burst (default: no bursts)", Category: cli.CategoryTraffic},
			&cli.Float64Flag{Name: "peak", Usage: "`LOAD` within a burst (default: 1)", Category: cli.CategoryTraffic},
			&cli.IntFlag{Name: "collective", Usage: "no steady load: so many `PACKETS` of each host at once", Category: cli.CategoryTraffic},
			&cli.IntFlag{Name: "rounds", Value: 1, Usage: "how often --collective is repeated", Category: cli.CategoryTraffic},
			&cli.Int64Flag{Name: "every", Usage: "`CLOCKS` from a round to the next (default: as soon as a host has sent the one before)", Category: cli.CategoryTraffic},
			&cli.Output{StringFlag: cli.StringFlag{Name: "packets-out", Usage: "write \"id clock source destination arrival\" of each packet that arrives to `FILE`", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "occupancy", Usage: "write the flits in buffers over time to `FILE` (CSV)", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "loads-out", Usage: "write the flits of channels and turns to `FILE` (CSV)", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the load of the channels, or the deadlock if there is one, to `FILE` (.svg, .png, .pdf, .dot)", Category: cli.CategoryOutput}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "gate", Usage: "gates, `PLACE[,KEY=VALUE...]`: turn, injection or both; keys: " + gateKeys(), Category: cli.CategoryGates}, List: []string{"turn", "injection", "both"}, Open: true},
			&cli.Text{StringFlag: cli.StringFlag{Name: "throttle", Usage: "entropy throttling, `rth=MOBILITY,pn=OCCUPANCY[,release=full]`", Category: cli.CategoryGates}},
			words(cli.CategoryGates, "control", "how the information for gates and throttling travels", wordsOf(engine.ControlPaths())),
			&cli.BoolFlag{Name: "check", Usage: "count flits and slots anew at every clock", Category: cli.CategoryRun},
			&cli.BoolFlag{Name: "flitwise", Usage: "flit by flit, also where packet events are exact", Category: cli.CategoryRun},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/sim.json)", Category: cli.CategoryOutput},
		),
		Action: runSim,
	}
}

// simSettings reads the settings from the flags. They are finished by forInput.
func simSettings(c *cli.Context) (s trial.Settings, err error) {
	e := &s.Engine
	e.Timing, e.Switching = engine.Timing(c.String("model")), engine.Switching(c.String("switching"))
	if e.Timing == "" {
		e.Timing = engine.Timings()[0]
	}
	if e.Switching == "" && e.Timing == engine.Paper {
		e.Switching = engine.CutThrough
	}
	e.Select, e.Arbiter, e.Atomic = engine.Selection(c.String("select")), engine.Arbiter(c.String("arbiter")), c.Bool("atomic")
	if word := c.String("waiting"); word != "" {
		if e.Waiting, err = model.ParseWaiting(word); err != nil {
			return s, fmt.Errorf("--waiting: %w", err)
		}
	}
	e.Delays = readDelays(c)
	e.BufferFlits, e.LinkClocks, e.EjectClocks = c.Int("buffer"), c.Int("link-clocks"), c.Int("eject-clocks")
	s.Traffic, s.Load, s.Flits, s.Mixed = c.String("traffic"), c.Float64("load"), c.Int("packet"), c.IntSlice("length")
	s.Burst, s.Peak, s.Packets, s.Rounds, s.Every = c.Float64("burst"), c.Float64("peak"), c.Int("collective"), c.Int("rounds"), engine.Clock(c.Int64("every"))
	s.NoSelf = c.Bool("no-self")
	s.Clocks, s.Seed, s.Check, s.Flitwise = engine.Clock(c.Int64("clocks")), c.Uint64("seed"), c.Bool("check"), c.Bool("flitwise")
	if len(s.Mixed) > 0 {
		s.Flits = slices.Max(s.Mixed)
	}
	if err := readControl(c, e); err != nil {
		return s, err
	}
	if w := c.Int64("warmup"); w >= 0 {
		s.Warmup, s.NoWarm = engine.Clock(w), true
	}
	if err := fitting(c, &s); err != nil {
		return s, err
	}
	return s, inRange(c)
}

// fitting refuses flags that say nothing about the traffic or the model chosen.
func fitting(c *cli.Context, s *trial.Settings) error {
	trace, collective := strings.HasPrefix(s.Traffic, "trace:"), c.IsSet("collective")
	for _, rule := range []struct {
		wrong bool
		with  string // what the flags go with
		flags []string
	}{
		{trace || collective, "steady traffic, not with a trace or --collective", []string{"load", "length", "burst", "peak"}},
		{trace, "a pattern, not with a trace", []string{"collective", "no-self"}},
		{!collective, "--collective", []string{"rounds", "every"}},
		{!c.IsSet("burst"), "--burst", []string{"peak"}},
		{c.IsSet("length"), "packets of one length, not with --length", []string{"packet"}},
		{s.Engine.Timing != engine.BookSim, "model booksim", delayNames()},
	} {
		for _, flag := range rule.flags {
			if rule.wrong && c.IsSet(flag) {
				return fmt.Errorf("--%s goes with %s", flag, rule.with)
			}
		}
	}
	return nil
}

func delayNames() (names []string) {
	for _, d := range simDelays {
		names = append(names, d.name)
	}
	return names
}

// inRange refuses numbers that mean nothing.
func inRange(c *cli.Context) error {
	for _, x := range []struct {
		flag        string
		least, most int64
	}{
		{"packet", 1, 1 << 20}, {"buffer", 1, math.MaxInt16}, {"clocks", 1, 1 << 40}, {"warmup", 0, 1 << 40}, {"link-clocks", 1, 1 << 20}, {"eject-clocks", 1, 1 << 20},
		{"collective", 1, 1 << 30}, {"rounds", 1, 1 << 30}, {"every", 1, 1 << 40}, {"workers", 1, 1 << 10}, {"seeds", 1, sweep.MaxPoints},
	} {
		if !c.IsSet(x.flag) {
			continue
		}
		v, err := strconv.ParseInt(fmt.Sprint(c.Value(x.flag)), 10, 64)
		if err != nil || v < x.least || v > x.most {
			return fmt.Errorf("--%s %v: a number from %d to %d was expected", x.flag, c.Value(x.flag), x.least, x.most)
		}
	}
	for _, k := range c.IntSlice("length") {
		if k < 1 || k > 1<<20 {
			return fmt.Errorf("--length %d: a number from 1 to %d was expected", k, 1<<20)
		}
	}
	if x := c.Float64("burst"); c.IsSet("burst") && !(x >= 1) {
		return fmt.Errorf("--burst %g: at least 1 packet", x)
	}
	if x := c.Float64("peak"); c.IsSet("peak") && !(x > 0 && x <= 1) {
		return fmt.Errorf("--peak %g: a load above 0, up to 1", x)
	}
	return nil
}

// bookSimRouting is what dor means with the booksim model: the routing of BookSim
// 2, unless the rule for VCs is given.
func bookSimRouting(c *cli.Context, network string) error {
	switch rule := c.String("vc-rule"); {
	case c.String("routing") == "":
		return nil // it is missing, or the network's file names it
	case rule != "":
		return c.Set("routing", c.String("routing")+",vc-rule="+rule)
	case c.String("model") == "" || c.String("model") == string(engine.BookSim):
		return c.Set("routing", bookSimName(network, c.String("routing")))
	}
	return nil
}

// bookSimName is BookSim 2's name for a routing of a network.
func bookSimName(network, routing string) string {
	if routing != "dor" || !strings.HasPrefix(network, "torus:") {
		return routing
	}
	if n, err := topo.Parse(network); err != nil || n.VCs() < 2 {
		return routing // what is wrong will be said, and one VC has no classes
	}
	return "dor-booksim"
}

// selectionOf are the selections that belong to a routing.
var selectionOf = map[string]engine.Selection{
	"dor-booksim":     engine.SelectDrawn, // ties are drawn, once
	"simple-adaptive": engine.SelectLoad,
	"cross-line":      engine.SelectAhead,
}

// fitInput adapts settings to the network and its routing.
func fitInput(s *trial.Settings, in *input) {
	if s.Engine.Timing == engine.BookSim && s.Traffic == "uniform" && !s.NoSelf {
		s.Traffic = "uniform-self"
	}
	if name, _, _ := strings.Cut(cmp.Or(in.bookSimWord(), in.routing), ","); s.Engine.Select == "" {
		s.Engine.Select = selectionOf[name]
	}
}

func runSim(c *cli.Context) error {
	if c.String("ethernet") != "" {
		return runEthernet(c)
	}
	if c.IsSet("flows") {
		return errors.New("--flows goes with --ethernet")
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	s, err := simSettings(c)
	if err != nil {
		return err
	}
	if err := simOutputs(c); err != nil {
		return err
	}
	if !c.IsSet("load") && !s.Finite() && !isBookSim(path) {
		return errors.New("--load is missing: flits per clock and host, as 0.2; or --collective, or --traffic trace:FILE")
	}
	if _, file, ok := strings.Cut(s.Traffic, ":"); ok {
		cli.Reads(c, file) // if it is one
	}
	if err := bookSimRouting(c, path); err != nil {
		return err
	}
	in, err := readInput(c, path, true, c.Bool("json"))
	if err != nil {
		return err
	}
	if err := in.fitBookSim(&s, c.IsSet); err != nil {
		return err
	}
	in.spreadBookSim()
	in.warnBookSim(s.Engine.Timing)
	in.printNotes(c)
	in.printWarnings(c)
	fitInput(&s, in)
	if err := in.simDiscipline(c, &s); err != nil {
		return err
	}
	s.Engine.Loads = c.String("figure") != "" || c.String("loads-out") != ""
	if c.String("occupancy") != "" {
		s.Occupancy = 1000
	}
	return in.simulate(c, s)
}

// simOutputs refuses outputs that cannot be written.
func simOutputs(c *cli.Context) error {
	return checkOutputs(c, "packets-out", "occupancy", "loads-out")
}

// simulate runs and reports.
func (in *input) simulate(c *cli.Context, s trial.Settings) error {
	began := time.Now()
	var res *trial.Result
	if line := cli.ProgressOf(c.App.ErrWriter); line != nil {
		line.Say("simulating")
		s.Progress = func(clock, of engine.Clock) {
			line.Tell("clock %s of %s", thousands(int64(clock)), thousands(int64(of)))
			line.Part(float64(clock) / float64(of))
		}
	}
	run := func() (err error) {
		res, err = trial.Run(c.Context, in.rel, s)
		return err
	}
	if f := c.String("packets-out"); f != "" {
		var failed error // of the run, which is no fault of the file
		err := cli.WriteFile(c, f, func(w io.Writer) error {
			out := traffic.NewPacketWriter(w, "", in.rel.DestinationHost)
			s.Report = out.Deliver
			if failed = run(); failed != nil {
				return failed
			}
			return out.Close()
		})
		if failed != nil {
			return fmt.Errorf("%s: %w", in.name, failed)
		}
		if err != nil {
			return err
		}
	} else if err := run(); err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	in.sumTraffic(s.Traffic)
	seconds := time.Since(began).Seconds()
	if err := in.writeSim(c, res); err != nil {
		return err
	}
	if err := printSim(c, in, &s, res, seconds); err != nil {
		return err
	}
	if res.Deadlock != nil {
		return cli.Status(cli.ExitRefuted)
	}
	return nil
}

// writeSim writes the files that were asked for.
func (in *input) writeSim(c *cli.Context, res *trial.Result) error {
	if f := c.String("occupancy"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return occupancyCSV(w, res.Occupancy) }); err != nil {
			return err
		}
	}
	if f := c.String("loads-out"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return in.loadsCSV(w, res) }); err != nil {
			return err
		}
	}
	f := c.String("figure")
	if f == "" {
		return nil
	}
	kind, err := figureFormat(f)
	if err != nil {
		return err
	}
	if res.Deadlock != nil {
		title := fmt.Sprintf("Frozen since clock %d", res.Deadlock.Clock)
		return render(c, f, kind, figure.Configuration(in.net, heldFigure(in.rel, res.Deadlock), figureOptions(in.net, title)))
	}
	load := make([]float64, in.net.NumChannels())
	for ch := range load {
		load[ch] = float64(res.Loads.ChannelFlits(model.ChannelID(ch))) / math.Max(1, float64(res.Clocks))
	}
	title := fmt.Sprintf("Flits per clock on %s, %s", subject(in.name), in.routingName())
	return render(c, f, kind, figure.Load(in.net, load, figureOptions(in.net, title)))
}

func occupancyCSV(w io.Writer, points []measure.Sample) error {
	fmt.Fprintln(w, "clock,flits,min,max")
	for _, p := range points {
		if _, err := fmt.Fprintf(w, "%d,%.6g,%g,%g\n", p.Clock, p.Mean, p.Min, p.Max); err != nil {
			return err
		}
	}
	return nil
}

// loadsCSV lists the channels out of switches and the turns with their flits.
func (in *input) loadsCSV(w io.Writer, res *trial.Result) error {
	n := in.net
	fmt.Fprintln(w, "switch,in_port,from,out_port,to,flits,flits_per_clock")
	line := func(u model.SwitchID, port, from string, out model.ChannelID, flits int64) error {
		to := n.HostOf(out)
		name, _ := endName(n, n.Head(out), to)
		_, err := fmt.Fprintf(w, "%q,%s,%s,%d,%q,%d,%.6f\n", n.SwitchLabel(u), port, from, n.TailPort(out), name, flits, float64(flits)/math.Max(1, float64(res.Clocks)))
		return err
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, out := range n.Out(u) {
			if err := line(u, "", "", out, res.Loads.ChannelFlits(out)); err != nil {
				return err
			}
			for _, back := range n.Out(u) {
				from := n.Reverse(back)
				name, _ := endName(n, n.Tail(from), n.HostOf(from))
				if flits := res.Loads.TurnFlits(from, out); flits > 0 {
					if err := line(u, fmt.Sprint(n.HeadPort(from)), fmt.Sprintf("%q", name), out, flits); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
