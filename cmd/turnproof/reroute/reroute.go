package reroute

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
)

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

// result is what the command found.
type result struct {
	*states.Pair
	part       transition.Part
	atomic     transition.Part // of the mixture
	drained    bool
	mixture    *transition.Mixture
	order      *reroute.Result
	safe, sets int // sets of switches that are safe, and all sets; 0 if not counted
	mixed      *cert.Certificate
	evidence   *cert.Certificate  // for the order, or nil
	ways       *waysOut           // if there is no order in service, or nil
	union      *cert.Certificate  // of old and new entries as one relation, if it has no cycle, or nil
	inSteps    []namedCertificate // the states of steps as routings
	seconds    float64

	simulations []simulation // with --simulate
}

func runReroute(c *cli.Context) error {
	began := time.Now()
	limit, err := cli.ReadSeconds(c, "seconds")
	if err != nil {
		return err
	}
	if err := newFolder(c.String("output")); err != nil {
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
	if file := c.String("figure"); file != "" {
		if err := drawTo(c, file, r.Any, r.mixture, r.part, r.order.Steps); err != nil {
			return err
		}
	}
	if dir := c.String("output"); dir != "" {
		if err := cli.WriteFolder(c, dir, r.write); err != nil {
			return err
		}
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

// decide decides the mixture, looks for an order, and has both checked.
func (r *result) decide(c *cli.Context, limit time.Duration) (err error) {
	line, until := cli.ProgressOf(c.App.ErrWriter), time.Now().Add(limit)
	line.Say("looking at old and new entries together")
	about := r.About()
	if r.mixture, r.mixed, err = r.AnyOrder(c.Context, r.atomic, r.drained); err != nil {
		return err
	}
	if err = r.joinTables(c.Context, about); err != nil {
		return err
	}
	line.Within(limit, "looking for an order, or a proof that there is none")
	r.order, err = reroute.Find(c.Context, r.Any, reroute.Options{Part: r.part, Drained: r.drained,
		Safe: r.mixture.Safe() && !r.drained && r.atomic != transition.Destination, Time: limit})
	if err != nil {
		return err
	}
	if r.part == transition.Switch {
		r.safe, r.sets = reroute.SafeSets(r.Any)
	}
	if r.evidence, err = r.check(about); err != nil {
		return err
	}
	if c.String("output") != "" {
		if err = r.certifySteps(c.Context, about); err != nil {
			return err
		}
	}
	if r.order.Answer != reroute.Found && !r.mixture.Safe() && r.areProved() {
		line.Say("looking for ways out")
		r.ways, err = findWays(c, r.Pair, about, max(time.Until(until), limit/10))
	}
	r.suspend()
	return err
}

// suspend makes answers on orders and ways out unknown that the input gives reason to doubt.
func (r *result) suspend() {
	found := map[reroute.Answer]verify.Verdict{reroute.Found: verify.Proved, reroute.None: verify.Refuted}[r.order.Answer]
	if text := r.Doubts.Against(found); text != "" {
		r.order = &reroute.Result{Answer: reroute.Unknown, Reason: text, Changed: r.order.Changed}
		r.evidence, r.ways, r.sets, r.inSteps = nil, nil, 0, nil
	}
	if r.Doubts.Against(verify.Proved) != "" {
		r.ways = nil
	}
}

// areProved reports whether each of the tables alone has no cycle of dependencies.
func (r *result) areProved() bool {
	return r.Rep[0].Acyclic.Verdict == verify.Proved && r.Rep[1].Acyclic.Verdict == verify.Proved
}

// check returns the evidence for the order, or for that there is none, after the checker has accepted it.
func (r *result) check(about transition.About) (*cert.Certificate, error) {
	switch r.order.Answer {
	case reroute.Found:
		if len(r.order.Steps) > 0 {
			return r.Any.StepsCertificate(r.part, r.order.Steps, r.order.Bound, about)
		}
	case reroute.None:
		return r.Any.NoOrderCertificate(r.part, r.drained, r.order.Sets, about)
	}
	return nil, nil
}

// verdict returns proved if the tables can be replaced.
func (r *result) verdict() verify.Verdict {
	switch {
	case r.mixture.Safe() || r.order.Answer == reroute.Found:
		return verify.Proved
	case r.order.Answer == reroute.None && states.Verdict(r.mixture) == verify.Refuted:
		return verify.Refuted
	}
	return verify.Undecided
}

// evidenceName returns the name of the certificate of the order.
func (r *result) evidenceName() string {
	if r.order.Answer == reroute.None {
		return "none.cert"
	}
	return "order.cert"
}

// newFolder returns an error if the folder exists and is not empty. Old files in it could be mistaken for new ones.
func newFolder(dir string) error {
	list, err := os.ReadDir(dir)
	switch {
	case dir == "" || os.IsNotExist(err):
		return nil
	case err != nil:
		return fmt.Errorf("--output: %w", err)
	case len(list) > 0:
		return fmt.Errorf("--output %s is not empty: want the name of a new folder", dir)
	}
	return nil
}
