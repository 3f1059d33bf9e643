package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
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
