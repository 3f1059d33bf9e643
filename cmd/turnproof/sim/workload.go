package sim

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine/energy"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/engine/workload"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file implements "sim --workload": it simulates the messages of an application.

// workloadOnly are the flags that need --workload.
var workloadOnly = []string{"mapping", "flit-bytes", "messages-out"}

// notWithWorkload are the flags that do not apply to workloads.
var notWithWorkload = []string{"traffic", "flows", "load", "length", "burst", "peak", "no-self", "collective", "rounds", "every", "warmup",
	"occupancy", "gate", "throttle", "control", "flitwise", "follow", "follow-out", "page", "compare",
	"classes", "service", "reply-queue", "reply-packet", "outstanding", "initiators", "targets"}

func workloadFlags() []cli.Flag {
	var words []string
	for _, f := range workload.Formats() {
		words = append(words, f.Name+":")
	}
	return []cli.Flag{
		&cli.Input{StringFlag: cli.StringFlag{Name: "workload", Category: cli.CategoryWorkload,
			Usage: "send the messages of an application, `SPEC`: a GOAL file, Chakra traces, CSV or a collective"}, Words: words},
		&cli.Input{StringFlag: cli.StringFlag{Name: "mapping", Value: "linear", Usage: "put ranks on hosts: linear, random, or lines \"rank host\" of `FILE`",
			Category: cli.CategoryWorkload}, Words: []string{"linear", "random"}},
		&cli.IntFlag{Name: "flit-bytes", Value: workload.DefaultFlitBytes, Usage: "put `BYTES` of a message into a flit", Category: cli.CategoryWorkload},
		&cli.Float64Flag{Name: "frequency", Value: workload.DefaultGHz, Usage: "run at `GHZ`: durations of calculations, and static power of --energy",
			Category: cli.CategoryWorkload},
		&cli.Output{StringFlag: cli.StringFlag{Name: "messages-out", Usage: "write the times of each message to `FILE` (CSV)", Category: cli.CategoryOutput}},
	}
}

// workloadHelp lists the formats and the collectives.
func workloadHelp() string {
	lines := []string{"Workloads:"}
	for _, f := range workload.Formats() {
		lines = append(lines, fmt.Sprintf("  %s\n  %-32s %s", f.Syntax, "", f.About))
	}
	lines = append(lines, "\nCollectives (kind=KIND):")
	for _, k := range workload.Collectives() {
		lines = append(lines, fmt.Sprintf("  %-32s %s", k.Name, k.About))
	}
	lines = append(lines, "\nKeys of collectives:")
	for _, k := range workload.CollectiveKeys() {
		lines = append(lines, fmt.Sprintf("  %-32s %s", k.Name, k.Help()))
	}
	return strings.Join(lines, "\n")
}

// needsWorkload returns an error if a flag needs --workload, which is not given.
func needsWorkload(c *cli.Context) error {
	for _, name := range workloadOnly {
		if c.IsSet(name) {
			return fmt.Errorf("--%s needs --workload", name)
		}
	}
	if c.IsSet("frequency") && !c.IsSet("energy") {
		return errors.New("--frequency needs --workload or --energy")
	}
	return nil
}

// workloadRun is a run of sim --workload.
type workloadRun struct {
	in       *resolve.Subject
	spec     string
	graph    *workload.Graph
	settings workload.Settings
	trial    trial.Settings
	mapping  string
	result   *workload.Result
	costs    *energy.Costs // nil without --energy
	seconds  float64
}

// runWorkload runs sim with --workload.
func runWorkload(c *cli.Context) error {
	for _, name := range notWithWorkload {
		if c.IsSet(name) {
			return fmt.Errorf("--%s does not apply to --workload", name)
		}
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	x := &workloadRun{spec: c.String("workload"), mapping: c.String("mapping")}
	if x.trial, err = simrun.Settings(c); err != nil {
		return err
	}
	if err := simOutputs(c); err != nil {
		return err
	}
	if x.costs, err = readCosts(c); err != nil {
		return err
	}
	if err := bookSimRouting(c, path); err != nil {
		return err
	}
	cli.Reads(c, c.String("links"))
	if x.in, err = input.Read(c, path, true, c.Bool("json")); err != nil {
		return err
	}
	if err := x.fit(c); err != nil {
		return err
	}
	if err := x.open(c); err != nil {
		return err
	}
	input.PrintNotes(c, x.in)
	input.PrintWarnings(c, x.in)
	if err := x.run(c); err != nil {
		return err
	}
	return x.report(c)
}

// fit adapts the settings to the network.
func (x *workloadRun) fit(c *cli.Context) error {
	taken := func(flag string) bool { return c.IsSet(flag) || flag == "load" || flag == "traffic" }
	if err := simrun.FitBookSim(&x.trial, x.in, taken); err != nil {
		return err
	}
	simrun.FitRouted(&x.trial, x.in, c.IsSet)
	if err := simrun.FitFlow(&x.trial, x.in, c.IsSet); err != nil {
		return err
	}
	if x.trial.Messages != nil {
		return fmt.Errorf("%s has classes of messages by use_read_write, which do not apply to --workload", x.in.Name)
	}
	if len(x.trial.Mixed) > 0 {
		return errors.New("the configuration draws the lengths of packets: set --packet for --workload")
	}
	x.in.SpreadBookSim()
	simrun.RemarkBookSim(x.in, x.trial.Engine.Timing)
	simrun.FitInput(&x.trial, x.in)
	if err := simrun.FitLinks(&x.trial, x.in, c.IsSet, c.String("links")); err != nil {
		return err
	}
	if err := simrun.WarnShort(c, x.in, &x.trial); err != nil {
		return err
	}
	return simrun.Discipline(x.in, c, &x.trial)
}

// open reads the workload and the mapping.
func (x *workloadRun) open(c *cli.Context) (err error) {
	hosts := x.in.Net.NumHosts()
	if x.graph, err = workload.Open(x.spec, hosts); err != nil {
		return err
	}
	s := &x.settings
	*s = workload.Settings{Engine: x.trial.Engine, FlitBytes: c.Int("flit-bytes"), Packet: x.trial.Flits, GHz: c.Float64("frequency"),
		Clocks: x.trial.Clocks, Seed: x.trial.Seed, Check: x.trial.Check}
	if s.FlitBytes < 1 || s.FlitBytes > 1<<20 {
		return fmt.Errorf("--flit-bytes %d: want a number from 1 to %d", s.FlitBytes, 1<<20)
	}
	if !(s.GHz > 0 && s.GHz <= 1000) {
		return fmt.Errorf("--frequency %g: want GHz above 0, up to 1000", s.GHz)
	}
	if s.Hosts, err = workload.Mapping(x.mapping, x.graph.Ranks, x.in.Net, s.Seed); err != nil {
		return err
	}
	s.Engine.Loads = c.String("figure") != "" || c.String("loads-out") != "" || x.costs != nil
	for _, file := range x.graph.Files {
		cli.Reads(c, file)
	}
	if x.mapping != "linear" && x.mapping != "random" {
		cli.Reads(c, x.mapping)
	}
	x.in.Notes = append(x.in.Notes, x.graph.Notes...)
	if messages, _ := x.graph.Messages(); messages == 0 {
		x.in.Warnings = append(x.in.Warnings, fmt.Sprintf("%s sends no message: the run measures nothing of the network", x.spec))
	}
	return nil
}

// run simulates, and writes the packets that arrive if --packets-out is set.
func (x *workloadRun) run(c *cli.Context) error {
	began := time.Now()
	if line := cli.ProgressOf(c.App.ErrWriter); line != nil {
		line.Say("simulating")
		x.settings.Progress = func(done, of int) {
			line.Tell("operation %s of %s", wording.Thousands(int64(done)), wording.Thousands(int64(of)))
			line.Part(float64(done) / float64(of))
		}
	}
	simulate := func() (err error) {
		x.result, err = workload.Run(c.Context, x.in.Rel, x.graph, x.settings)
		return err
	}
	defer func() { x.seconds = time.Since(began).Seconds() }()
	f := c.String("packets-out")
	if f == "" {
		return simulate()
	}
	var failed error // error of the simulation, not of writing the file
	err := cli.WriteFile(c, f, func(w io.Writer) error {
		out := traffic.NewPacketWriter(w, "", x.in.Net, x.in.Rel.DestinationHost)
		x.settings.Report = out.Deliver
		if failed = simulate(); failed != nil {
			return failed
		}
		return out.Close()
	})
	if failed != nil {
		return failed
	}
	return err
}

// report writes the output files and prints the result.
func (x *workloadRun) report(c *cli.Context) error {
	for _, file := range x.graph.Files {
		x.in.SumFile(file)
	}
	x.in.SumFile(x.mapping)
	x.in.SumFile(c.String("energy"))
	r := x.result
	if f := c.String("messages-out"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return workload.WriteMessages(w, x.graph, r, x.hosts()) }); err != nil {
			return err
		}
	}
	if err := writeSim(x.in, c, &trial.Result{Clocks: r.Clocks, Deadlock: r.Deadlock, Loads: r.Loads}); err != nil {
		return err
	}
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, x.json()); err != nil {
			return err
		}
	} else {
		x.text(c.App.Writer)
	}
	if r.Deadlock != nil {
		return cli.Status(cli.ExitRefuted)
	}
	return nil
}

// energy returns the energy of the run, or nil without --energy.
func (x *workloadRun) energy() *energy.Report {
	if x.costs == nil {
		return nil
	}
	return energy.Of(x.result.Loads, x.in.Net, x.costs, x.result.Clocks, x.settings.GHz)
}

// hosts returns the host of each rank.
func (x *workloadRun) hosts() []model.HostID { return x.settings.Hosts }
