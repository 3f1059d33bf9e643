package simrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/booksim"
	"github.com/turnproof/turnproof/synth/resolve"
)

// Sweeper runs the points of an experiment. It makes each routing once.
type Sweeper struct {
	mu   sync.Mutex
	Made map[[2]string]*resolve.Subject
	Set  func(flag string) bool // whether a flag or the experiment file sets it

	isFile bool // whether Set is about an experiment file, which sets every setting
}

// IsExperiment reports whether arg is an experiment file: standard input, or a YAML file that is
// not a network.
func IsExperiment(arg string) bool {
	ext := strings.ToLower(filepath.Ext(arg))
	return arg == "-" || (ext == ".yaml" || ext == ".yml") && !format.IsYAMLNetwork(arg)
}

// Experiment reads an experiment file, or makes an experiment from the flags if arg is a network.
func (w *Sweeper) Experiment(c *cli.Context, arg string) (*sweep.Experiment, error) {
	each := func(p sweep.Point) error { return w.fits(c.Context, p) }
	if IsExperiment(arg) {
		return w.readExperiment(c, arg, each)
	}
	e, err := w.flagExperiment(c, arg)
	if err != nil {
		return nil, err
	}
	if resolve.IsBookSim(arg) {
		if err := takeBookSim(c, arg, e); err != nil {
			return nil, err
		}
	}
	return e, e.Check(each)
}

// readExperiment reads an experiment file, which flags may not change. each checks every point.
func (w *Sweeper) readExperiment(c *cli.Context, file string, each func(sweep.Point) error) (*sweep.Experiment, error) {
	w.Set, w.isFile = func(string) bool { return true }, true
	for _, flag := range []string{"routing", "traffic", "loads", "seeds", "model", "switching", "waiting", "packet", "buffer", "select",
		"arbiter", "link-clocks", "links", "clocks", "warmup", "flow", "classes", "service", "reply-queue", "reply-packet",
		"outstanding", "initiators", "targets"} {
		if c.IsSet(flag) {
			return nil, fmt.Errorf("experiment %s already sets %s; remove --%s", file, flag, flag)
		}
	}
	cli.Reads(c, file)
	if err := inRange(c); err != nil {
		return nil, err
	}
	return sweep.Read(file, each)
}

// flagExperiment makes an experiment with one network from the flags.
func (w *Sweeper) flagExperiment(c *cli.Context, network string) (*sweep.Experiment, error) {
	loads, err := loadsOf(c)
	if err != nil {
		return nil, err
	}
	if len(c.StringSlice("routing")) == 0 && !resolve.IsBookSim(network) {
		return nil, errors.New("--routing is missing: want a name or a file; repeat for several")
	}
	s, err := Settings(c)
	if err != nil {
		return nil, err
	}
	messages, err := MessagesOf(c)
	if err != nil {
		return nil, err
	}
	if !resolve.IsBookSim(network) {
		if err := w.fitNetwork(c, network, &s); err != nil {
			return nil, err
		}
	}
	flow := ""
	if s.Engine.Flow != nil {
		flow = s.Engine.Flow.String()
	}
	e := &sweep.Experiment{Networks: []string{network}, Routings: c.StringSlice("routing"), Traffics: c.StringSlice("traffic"), Loads: loads}
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
	e.Settings = sweep.Settings{Model: s.Engine.Timing, Switching: s.Engine.Switching, Select: s.Engine.Select, Arbiter: s.Engine.Arbiter,
		Waiting: s.Engine.Waiting, Flow: flow, Packet: s.Flits, Buffer: s.Engine.BufferFlits,
		LinkClocks: s.Engine.LinkClocks, Links: c.String("links"), Clocks: clocks, Warmup: s.Warmup,
		Messages: messages}
	return e, nil
}

// takeBookSim takes settings that flags do not set from a configuration of BookSim.
func takeBookSim(c *cli.Context, file string, e *sweep.Experiment) error {
	b, _, err := booksim.Read(file, format.Options{})
	if err != nil {
		return err
	}
	if b.Run.Replies != nil && c.IsSet("packet") {
		return fmt.Errorf("%s sets the lengths of messages by use_read_write; remove --packet", file)
	}
	return e.TakeBookSim(b, c.IsSet)
}

// fitNetwork takes flow control and the switching discipline from a network, where flags do not set them.
func (w *Sweeper) fitNetwork(c *cli.Context, network string, s *trial.Settings) error {
	in, err := resolve.Load(c.Context, resolve.Request{Network: network, Switching: c.String("switching"), Gated: c.String("gate") != "", TakesFlow: true})
	if err != nil {
		return err
	}
	FitRouted(s, in, c.IsSet)
	if err := FitFlow(s, in, c.IsSet); err != nil || s.Engine.Switching != "" {
		return err
	}
	s.Engine.Switching, _, err = in.Discipline()
	return err
}

// loadsOf returns the loads of --loads. With --saturation the loads do not matter.
func loadsOf(c *cli.Context) ([]float64, error) {
	if !c.IsSet("saturation") {
		return ParseLoads(c.String("loads"))
	}
	if c.IsSet("loads") {
		return nil, errors.New("--saturation chooses the loads; remove --loads")
	}
	return []float64{1}, nil
}

func ParseLoads(text string) (list []float64, err error) {
	if text == "" {
		return nil, errors.New("--loads is missing: want FROM:TO:STEP, or loads separated by commas")
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
		return nil, fmt.Errorf("--loads %s: want FROM:TO:STEP", text)
	}
	return sweep.Range(list[0], list[1], list[2])
}

// input returns the network and routing of a point. It loads each pair once.
func (w *Sweeper) input(ctx context.Context, p sweep.Point) (*resolve.Subject, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := [2]string{p.Network, p.Routing}
	if in, ok := w.Made[key]; ok {
		return in, nil
	}
	routing := p.Routing
	if p.Settings.Model == engine.BookSim {
		routing = resolve.BookSimName(p.Network, routing)
	}
	in, err := resolve.Load(ctx, resolve.Request{Network: p.Network, Routing: routing, TakesFlow: true})
	if err != nil {
		return nil, err
	}
	in.SpreadBookSim()
	RemarkBookSim(in, p.Settings.Model)
	w.Made[key] = in
	return in, nil
}

// PrintWarnings prints the warnings of all inputs, each once.
func (w *Sweeper) PrintWarnings(c *cli.Context) {
	all := &resolve.Subject{}
	for _, in := range w.Made {
		all.Warnings = append(all.Warnings, in.Warnings...)
	}
	slices.Sort(all.Warnings)
	all.Warnings = slices.Compact(all.Warnings)
	input.PrintWarnings(c, all)
}

// fits returns an error if a point cannot run because of its network, routing or traffic.
func (w *Sweeper) fits(ctx context.Context, p sweep.Point) error {
	in, err := w.input(ctx, p)
	if err != nil {
		return err
	}
	if err := w.fitLinks(&trial.Settings{}, in, p); err != nil {
		return err
	}
	if p.Settings.Messages.Classes != "" {
		if _, err := w.routing(in, &trial.Settings{Flits: p.Settings.Packet}, p); err != nil {
			return err
		}
	}
	if file, ok := strings.CutPrefix(p.Traffic, "trace:"); ok {
		_, err := os.Stat(file)
		return err
	}
	_, err = traffic.NewPattern(p.Traffic, in.Net, p.Seed)
	return err
}

// fitLinks sets the attributes of channels at a point.
func (w *Sweeper) fitLinks(s *trial.Settings, in *resolve.Subject, p sweep.Point) error {
	set := func(flag string) bool { return !w.isFile && w.Set != nil && w.Set(flag) }
	return FitLinks(s, in, set, p.Settings.Links)
}

// routing sets the messages of a point in s and returns the routing, in virtual networks if there are messages.
func (w *Sweeper) routing(in *resolve.Subject, s *trial.Settings, p sweep.Point) (model.Relation, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return MessageRouting(p.Settings.Messages, in, s)
}

// sets reports whether a flag or the point determines a setting, so that a BookSim configuration
// does not.
func (w *Sweeper) sets(flag string) bool {
	return flag == "load" || flag == "seed" || flag == "traffic" || w.Set != nil && w.Set(flag) && flag != "atomic"
}

// Point simulates one point.
func (w *Sweeper) Point(ctx context.Context, p sweep.Point) (sweep.Result, error) {
	in, err := w.input(ctx, p)
	if err != nil {
		return sweep.Result{}, err
	}
	k := p.Settings
	s := trial.Settings{Engine: engine.Options{Timing: k.Model, Switching: k.Switching, Select: k.Select, Arbiter: k.Arbiter, Waiting: k.Waiting,
		Flow: k.FlowRule(), BufferFlits: k.Buffer, LinkClocks: k.LinkClocks},
		Traffic: p.Traffic, Load: p.Load, Flits: k.Packet, Clocks: k.Clocks, Warmup: k.Warmup, NoWarm: true, Seed: p.Seed}
	if s.Engine.Select == engine.SelectAll {
		s.Engine.Select = ""
	}
	if err := FitBookSim(&s, in, w.sets); err != nil {
		return sweep.Result{}, err
	}
	FitInput(&s, in)
	if err := w.fitLinks(&s, in, p); err != nil {
		return sweep.Result{}, err
	}
	rel, err := w.routing(in, &s, p)
	if err != nil {
		return sweep.Result{}, err
	}
	began := time.Now()
	r, err := trial.Run(ctx, rel, s)
	if err != nil {
		return sweep.Result{}, err
	}
	out := sweep.Result{Offered: r.Offered, Accepted: r.Accepted, AcceptedError: r.AcceptedError, MeanLatency: r.MeanLatency,
		LatencyError: r.LatencyError, MedianLatency: r.Median, P99Latency: r.P99,
		MeanNetworkLatency: r.MeanNetworkLatency, Delivered: r.Delivered, Deadlock: r.Deadlock != nil, Clocks: r.Clocks, FlitHops: r.FlitHops,
		Seconds: time.Since(began).Seconds(), Lag: r.Lag, WarmUp: r.WarmUp, Converged: r.Unsettled == "" && r.Deadlock == nil,
		Messages: sweep.MessagesOf(r)}
	if r.Deadlock != nil {
		out.DeadlockClock = r.Deadlock.Clock
	}
	return out, nil
}
