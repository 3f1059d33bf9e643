package reroute

import (
	"errors"
	"fmt"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file is the command.

// Command returns the command reroute with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:      "reroute",
		Usage:     "find an order in which new tables replace old ones without a deadlock on the way",
		ArgsUsage: "OLD NEW [--network FILE] | TOPOLOGY --old ROUTING --new ROUTING [flags]",
		Description: "OLD and NEW are folders of dumps or files of forwarding tables, as compare reads them, of one\n" +
			"fabric with the same LIDs, or folders of Ethernet dumps. --old and --new take what --routing of check\n" +
			"takes: files of tables, turn sets and programs, and routings by name. First turnproof decides\n" +
			"whether the entries can be replaced in any order:\n" +
			"no cycle of dependencies and no loop arises while each switch has the old or the new entry for\n" +
			"each LID, with packets in the network. Then it looks for an order of single destinations (or\n" +
			"switches) in which each intermediate state is proved, or for a proof that none exists.\n" +
			"A packet looks up its entry when it enters a switch. A step begins when no packet is left that was\n" +
			"in the network before the previous step ended.\n" +
			"--simulate changes the tables in the simulator while hosts send packets.\n" +
			"Exit status: 0 no order is needed or one is found, 1 none exists, 2 wrong usage or input, 3 unknown.\n\n" +
			"Examples:\n" +
			"  turnproof reroute before/ after/ -o steps\n" +
			"  turnproof reroute topology.ibnetdiscover --old old.lfts --new new.lfts --by switch\n" +
			"  turnproof reroute before/ after/ --simulate\n" +
			"  turnproof reroute mesh:4x4 --old west-first --new negative-first",
		Flags: append(states.Flags(),
			&cli.Words{StringFlag: cli.StringFlag{Name: "atomic", Value: string(transition.Entry), Category: cli.CategoryChecked,
				Usage: "in the verdict on any order, let each `PART` change at once: entry, switch (its whole table), destination (at all switches)"},
				List: say.WordsOf(atoms)},
			&cli.Words{StringFlag: cli.StringFlag{Name: "by", Value: string(transition.Destination), Category: cli.CategoryChecked,
				Usage: "change one `PART` after the other: destination (its entries at all switches) or switch (its whole table)"},
				List: say.WordsOf(parts)},
			&cli.BoolFlag{Name: "drained", Category: cli.CategoryChecked,
				Usage: "change a part while no packets meet it: none to the destination, or none at all for a switch (default: in service)"},
			cli.In(cli.CategoryChecked, input.SwitchingFlag()),
			cli.In(cli.CategoryChecked, input.WaitingFlag()),
			&cli.Seconds{StringFlag: cli.StringFlag{Name: "seconds", Usage: "limit the search", Value: "60"}},
			&cli.BoolFlag{Name: "simulate", Usage: "let the simulator change the tables under load: what is refuted freezes, and what is proved must not"},
			&cli.IntFlag{Name: "runs", Usage: "with --simulate, try each answer `NUMBER` times, or until it freezes", Value: 20},
			&cli.Uint64Flag{Name: "seed", Usage: "with --simulate, use `NUMBER` as the seed", Value: 1},
			&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage: "write certificates, and the tables after each step, into the new folder `DIR`", Category: cli.CategoryOutput}, Stored: true},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure",
				Usage: "draw the cycle of old and new entries, and the steps, to `FILE` (.svg, .png, .pdf, .dot)", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "page",
				Usage:    "write an HTML page with verdicts, the cycle and the steps as pictures, and what changes in each, to `FILE`",
				Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/reroute.json)", Category: cli.CategoryOutput},
			input.HostsFlag(),
			input.LMCFlag(),
			input.MulticastFlag(),
		),
		Action: runReroute,
	}
}

// parts are the values of --by.
var parts = []transition.Part{transition.Destination, transition.Switch}

// atoms are the values of --atomic.
var atoms = []transition.Part{transition.Entry, transition.Switch, transition.Destination}

func runReroute(c *cli.Context) error {
	began := time.Now()
	limit, err := cli.ReadSeconds(c, "seconds")
	if err != nil {
		return err
	}
	if err := errors.Join(cli.DistinctOutputs(c, "output", "figure", "page"), cli.NewFolder(c, "output")); err != nil {
		return err
	}
	by, err := registry.Find("part", c.String("by"), parts, func(p transition.Part) string { return string(p) })
	if err != nil {
		return err
	}
	atomic, err := registry.Find("part", c.String("atomic"), atoms, func(p transition.Part) string { return string(p) })
	if err != nil {
		return err
	}
	if err := checkSimulation(c); err != nil {
		return err
	}
	s, err := states.Read(c)
	if err != nil {
		return err
	}
	if err := s.Join(c.Context); err != nil {
		return err
	}
	if err := s.Complete(); err != nil {
		return err
	}
	r := &result{Pair: s, part: by, atomic: atomic, drained: c.Bool("drained")}
	if err := r.decide(c, limit); err != nil {
		return err
	}
	if c.Bool("simulate") {
		cli.ProgressOf(c.App.ErrWriter).Say("simulating the change")
		if err := r.simulate(c.Context, c.Int("runs"), c.Uint64("seed")); err != nil {
			return err
		}
	}
	if err := r.writeFiles(c); err != nil {
		return err
	}
	r.seconds = time.Since(began).Seconds()
	if c.Bool("json") {
		err = cli.PrintJSON(c.App.Writer, r.json())
	} else {
		for _, in := range s.In {
			input.PrintNotes(c, in)
			input.PrintWarnings(c, in)
		}
		r.print(c.App.Writer)
	}
	return errors.Join(err, verdict.Status(r.verdict()))
}

// checkSimulation returns an error if flags of simulations are given without one, or are out of range.
func checkSimulation(c *cli.Context) error {
	for _, name := range []string{"runs", "seed"} {
		if c.IsSet(name) && !c.Bool("simulate") {
			return fmt.Errorf("--%s goes with --simulate", name)
		}
	}
	if c.Int("runs") < 1 {
		return fmt.Errorf("--runs %d: want 1 or more", c.Int("runs"))
	}
	return nil
}

// writeFiles writes the files that flags name.
func (r *result) writeFiles(c *cli.Context) error {
	if file := c.String("figure"); file != "" {
		if err := drawTo(c, file, r.Any, r.mixture, r.part, r.order.Steps); err != nil {
			return err
		}
	}
	if file := c.String("page"); file != "" {
		if err := r.writePage(c, file); err != nil {
			return err
		}
	}
	if dir := c.String("output"); dir != "" {
		if err := cli.WriteFolder(c, dir, r.write); err != nil {
			return err
		}
	}
	return nil
}
