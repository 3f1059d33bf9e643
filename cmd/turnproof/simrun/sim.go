package simrun

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/demand"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth/resolve"
)

// Words returns a flag whose value is a word of list. The first word is the default.
func Words(category, name, about string, list []string) cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: name, Usage: about + ": " + strings.Join(list, ", "), DefaultText: list[0],
		Category: category}, List: list}
}

// Flags returns the flags of a simulation that sim and sweep share.
func Flags() []cli.Flag {
	return []cli.Flag{
		Words(cli.CategoryRouter, "model", "router model", say.WordsOf(engine.Timings())),
		Words(cli.CategoryRouter, "switching", "`DISCIPLINE` (default: wormhole with model booksim, vct with model paper)", say.WordsOf(engine.Switchings())),
		cli.In(cli.CategoryRouter, input.WaitingFlag()),
		&cli.Input{StringFlag: cli.StringFlag{Name: "traffic", Value: "uniform",
			Usage: "send by `PATTERN`, or by trace:FILE with lines \"id clock source destination\"", Category: cli.CategoryTraffic},
			Words: demand.TrafficWords()},
		&cli.BoolFlag{Name: "no-self", Usage: "send no packets from a host to itself", Category: cli.CategoryTraffic},
		&cli.IntFlag{Name: "packet", Value: 8, Usage: "set the length of a packet in `FLITS`", Category: cli.CategoryTraffic},
		&cli.IntFlag{Name: "buffer", Category: cli.CategoryRouter,
			Usage: "set the buffer of a VC in `FLITS` (default: 8, 15 with --gate, or a packet if whole packets must fit and are longer)"},
		input.FlowFlag(cli.CategoryRouter),
		selectFlag(),
		Words(cli.CategoryRouter, "arbiter", "choose which packet wins an output", say.WordsOf(engine.Arbiters())),
		&cli.BoolFlag{Name: "atomic", Usage: "give a VC to a packet only when the VC is empty", Category: cli.CategoryRouter},
		&cli.Words{StringFlag: cli.StringFlag{Name: "vc-rule",
			Usage:    "choose the VCs of dor on a ring: dateline, plain, position, entry or balanced, as the key of the routing",
			Category: cli.CategoryRouter}, List: []string{"dateline", "plain", "position", "entry", "balanced"}},
		&cli.IntFlag{Name: "link-clocks", Value: 1, Usage: "keep a channel busy for `CLOCKS` per flit", Category: cli.CategoryRouter},
		&cli.IntFlag{Name: "eject-clocks", Usage: "the same for the channels to the hosts (default: as --link-clocks)", Category: cli.CategoryRouter},
		linksFlag(),
		&cli.Int64Flag{Name: "clocks", Usage: "simulate `CLOCKS` (default: 50000; until all packets arrive if the traffic ends)", Category: cli.CategoryRun},
		&cli.Int64Flag{Name: "warmup", Value: -1, Usage: "do not measure the first `CLOCKS`", DefaultText: "a fifth of --clocks", Category: cli.CategoryRun},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "use `NUMBER` as the seed for all random choices", Category: cli.CategoryRun},
	}
}

// selectFlag returns the flag of the selection rule, whose value may have keys.
func selectFlag() cli.Flag {
	const about = "choose which of several free outputs a packet requests, or its path"
	f := Words(cli.CategoryRouter, "select", about, say.WordsOf(engine.Selections())).(*cli.Words)
	f.Usage += "; the last three have keys, as in ugal,detours=4,bias=8"
	f.Open = true
	return f
}

// readDelays returns the delays that flags set, or nil if none is set.
func readDelays(c *cli.Context) *engine.Delays {
	d, given := engine.BookSimDelays(), false
	for _, x := range engine.DelayKinds() {
		if c.IsSet(x.Name) {
			*x.At(&d), given = c.Int(x.Name), true
		}
	}
	if !given {
		return nil
	}
	return &d
}

// Settings returns the settings that the flags select. FitInput adapts them to the network.
func Settings(c *cli.Context) (s trial.Settings, err error) {
	e := &s.Engine
	e.Timing, e.Switching = engine.Timing(c.String("model")), model.Switching(c.String("switching"))
	if e.Timing == "" {
		e.Timing = engine.Timings()[0]
	}
	if e.Switching == "" && e.Timing == engine.Paper {
		e.Switching = model.CutThrough
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
	if e.Flow, err = input.ReadFlow(c, nil); err != nil {
		return s, err
	}
	if e.Flow != nil && e.Switching == "" {
		e.Switching = e.Flow.Switching()
	}
	if err := demand.ReadControl(c, e); err != nil {
		return s, err
	}
	if e.Gate != nil && e.BufferFlits == 0 {
		e.BufferFlits = max(facts.GatedBuffer, s.Flits)
	}
	if w := c.Int64("warmup"); w >= 0 {
		s.Warmup, s.NoWarm = engine.Clock(w), true
	}
	if err := fitting(c, &s); err != nil {
		return s, err
	}
	return s, inRange(c)
}

// fitting returns an error if a flag does not apply to the traffic or model.
func fitting(c *cli.Context, s *trial.Settings) error {
	trace, collective := strings.HasPrefix(s.Traffic, "trace:"), c.IsSet("collective")
	for _, rule := range []struct {
		wrong bool
		with  string // what the flags need, for the error
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
				return fmt.Errorf("--%s needs %s", flag, rule.with)
			}
		}
	}
	return nil
}

func delayNames() (names []string) {
	for _, d := range engine.DelayKinds() {
		names = append(names, d.Name)
	}
	return names
}

// inRange returns an error if the value of a flag is out of its range.
func inRange(c *cli.Context) error {
	for _, x := range []struct {
		flag        string
		least, most int64
	}{
		{"packet", 1, 1 << 20}, {"buffer", 1, math.MaxInt16}, {"clocks", 1, 1 << 40}, {"warmup", 0, 1 << 40}, {"link-clocks", 1, 1 << 20},
		{"eject-clocks", 1, 1 << 20},
		{"collective", 1, 1 << 30}, {"rounds", 1, 1 << 30}, {"every", 1, 1 << 40}, {"workers", 1, 1 << 10}, {"seeds", 1, sweep.MaxPoints},
	} {
		if !c.IsSet(x.flag) {
			continue
		}
		v, err := strconv.ParseInt(fmt.Sprint(c.Value(x.flag)), 10, 64)
		if err != nil || v < x.least || v > x.most {
			return fmt.Errorf("--%s %v: want a number from %d to %d", x.flag, c.Value(x.flag), x.least, x.most)
		}
	}
	for _, k := range c.IntSlice("length") {
		if k < 1 || k > 1<<20 {
			return fmt.Errorf("--length %d: want a number from 1 to %d", k, 1<<20)
		}
	}
	if x := c.Float64("burst"); c.IsSet("burst") && !(x >= 1) {
		return fmt.Errorf("--burst %g: want at least 1 packet", x)
	}
	if x := c.Float64("peak"); c.IsSet("peak") && !(x > 0 && x <= 1) {
		return fmt.Errorf("--peak %g: want a load above 0, up to 1", x)
	}
	return nil
}

// FitInput adapts settings to the network and its routing.
func FitInput(s *trial.Settings, in *resolve.Subject) {
	if s.Engine.Timing == engine.BookSim && s.Traffic == "uniform" && !s.NoSelf {
		s.Traffic = "uniform-self"
	}
	if _, weighs := in.Rel.(model.HopWeighted); weighs && s.Engine.Select == "" && model.CommitsIn(in.Rel, s.Engine.Waiting) == nil {
		s.Engine.Select = engine.SelectDrawn // by weight
	}
	if s.Engine.Select == "" {
		s.Engine.Select = engine.Selection(in.BookSimSelection())
	}
	if name, _, _ := strings.Cut(cmp.Or(in.BookSimWord(), in.Routing), ","); s.Engine.Select == "" {
		if r, err := route.Find(name); err == nil && !(s.Engine.Waiting == model.WaitOne && r.Selection == string(engine.SelectDrawn)) {
			s.Engine.Select = engine.Selection(r.Selection) // waiting one chooses the hop of each flow instead of drawing that of each packet
		}
	}
}

// FitFlow takes flow control of rings from the network's file, if it states any and the flags do not, with its sizes of packets
// and buffers. It skips sizes for which set returns true.
func FitFlow(s *trial.Settings, in *resolve.Subject, set func(flag string) bool) error {
	f := in.Net.FlowControl()
	if f == nil || s.Engine.Flow != nil {
		return nil
	}
	rule, err := bubble.Parse(f.Rule)
	if err != nil {
		return err
	}
	s.Engine.Flow = &rule
	if s.Engine.Switching == "" {
		s.Engine.Switching = rule.Switching()
	}
	if f.Packet > 0 && !set("packet") && !set("length") {
		s.Flits = f.Packet
	}
	if f.Buffer > 0 && !set("buffer") {
		s.Engine.BufferFlits = f.Buffer
	}
	return nil
}

// FitRouted takes sizes from a network file that states its routing (floogen, gem5). It skips sizes for which set returns true. A
// warning names what the file states and the simulation ignores.
func FitRouted(s *trial.Settings, in *resolve.Subject, set func(flag string) bool) {
	run := in.Routed
	if run == nil {
		return
	}
	ignored := slices.Clone(run.Ignored)
	switch {
	case run.Packet > 0 && run.Lengths && !set("packet") && !set("length"):
		s.Flits = run.Packet
	case run.Packet > 0 && !run.Lengths:
		ignored = append(ignored, fmt.Sprintf("packets of up to %d flits", run.Packet))
	}
	if run.Buffer > 0 && !set("buffer") {
		s.Engine.BufferFlits = run.Buffer
	}
	s.Engine.Atomic = s.Engine.Atomic || run.Atomic && !set("atomic")
	if run.VCs > 1 && s.Engine.Select == "" && run.VCs*in.Rel.Network().VCs() <= model.MaxVCs { // a packet chooses a port, and takes any VC of it
		in.Rel, s.Engine.Select = route.Copies(in.Rel, run.VCs), engine.SelectDrawn
		in.Net = in.Rel.Network()
	}
	text := fmt.Sprintf("%s: simulated with packets of %d flits and the router of model %s", in.Name, s.Flits, cmp.Or(s.Engine.Timing, engine.BookSim))
	if len(ignored) > 0 {
		text += "; these have no effect: " + strings.Join(ignored, ", ")
	}
	in.Warnings = append(in.Warnings, text)
}

// FitBookSim takes settings from the configuration of BookSim 2, if the network is one. It skips
// settings for which set returns true.
func FitBookSim(s *trial.Settings, in *resolve.Subject, set func(flag string) bool) error {
	if in.Booksim == nil {
		return nil
	}
	return s.TakeBookSim(in.Booksim, set)
}

// RemarkBookSim adds warnings and notes about keys of the configuration that the simulation
// ignores.
func RemarkBookSim(in *resolve.Subject, model engine.Timing) {
	if in.Booksim != nil {
		warnings, notes := trial.BookSimRemarks(in.Booksim, in.Name, model)
		in.Warnings, in.Notes = append(in.Warnings, warnings...), append(in.Notes, notes...)
	}
}

// Known returns x, or nil (null in JSON) if x is NaN or infinite.
func Known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
