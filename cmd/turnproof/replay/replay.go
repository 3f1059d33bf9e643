package replay

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file declares the command replay. It simulates routings that check refutes or leaves
// undecided.

func Command() *cli.Command {
	return &cli.Command{
		Name:         "replay",
		Usage:        "drive a refuted routing into its deadlock, from the empty network",
		ArgsUsage:    "NETWORK --routing FILE|NAME [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "replay checks the routing first. Hosts then inject the packets of the refutation:\n" +
			"first at the switches where their channels begin, all at the same time; then in other\n" +
			"orders and on other paths; then under heavy load. A frozen packet can never move.\n" +
			"If no simulation succeeds, the moves that check has found count, in which packets may pause.\n\n" +
			"Exit status: 0 there is no deadlock to reach, 1 a deadlock was reached, 2 wrong\n" +
			"usage or input, 3 no deadlock was reached, which proves nothing.\n\n" +
			"Examples:\n" +
			"  turnproof replay torus:4x4 --routing dor\n" +
			"  turnproof replay topology.ibnetdiscover -r opensm-lfts.dump --figure frozen.svg\n" +
			"  turnproof replay mesh:4x4 --routing minimal --switching wormhole --json\n" +
			"  turnproof replay torus:4x4 -r dor --flow bubble,off=5 --packet 4 --buffer 8",
		Flags: append(append(input.RoutingFlags(), input.SizeFlags()...),
			input.FlowFlag(""),
			input.SwitchingFlag(),
			input.WaitingFlag(),
			&cli.BoolFlag{Name: "atomic", Usage: "give a VC to a packet only when the VC is empty"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "use `NUMBER` as the seed for random orders"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the frozen network to `FILE` (.svg, .png, .pdf, .dot)",
				Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/replay.json)", Category: cli.CategoryOutput},
		),
		Action: runReplay,
	}
}

// replayJSON is the output with --json (docs/schema/replay.json).
type replayJSON struct {
	Schema       string          `json:"schema"`
	Network      string          `json:"network"`
	Switching    string          `json:"switching"`
	DeadlockFree *bool           `json:"deadlock_free"` // null if undecided
	Reached      *bool           `json:"reached"`       // null if the routing is proved, so that there is no deadlock to reach
	How          string          `json:"how"`
	Tries        int             `json:"tries"`
	Clock        *int64          `json:"clock"` // clock in which the deadlock formed
	Frozen       []say.WaitJSON  `json:"frozen"`
	Premises     []model.Premise `json:"premises"`
	Inputs       []model.Input   `json:"inputs"` // the files that were read
	Seconds      float64         `json:"seconds"`
}

// bySchedule is the value of how if the moves of the verdict reach the deadlock and no simulation does.
const bySchedule = "schedule of the packet model"

func runReplay(c *cli.Context) error {
	began := time.Now()
	if err := picture.CheckOutputs(c); err != nil {
		return err
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	in, err := input.Read(c, path, true, c.Bool("json"))
	if err != nil {
		return err
	}
	o, err := judging.Options(c, in)
	if err != nil {
		return err
	}
	flow, err := input.ReadFlowSizes(c, in)
	if err != nil {
		return err
	}
	if flow != nil {
		o.Conditions = append(o.Conditions, flow)
	}
	rep, err := verify.Check(c.Context, in.Rel, o)
	if err != nil {
		return err
	}
	var sim *confirm.Result
	if rep.DeadlockFree.Verdict != verify.Proved {
		if sim, err = confirm.Report(c.Context, rep, c.Uint64("seed")); err != nil {
			return err
		}
	}
	if f := c.String("figure"); f != "" {
		if err := frozenFigure(c, f, rep, sim); err != nil {
			return err
		}
	}
	if err := printReplay(c, in, rep, sim, time.Since(began).Seconds()); err != nil {
		return err
	}
	switch {
	case sim == nil:
		return nil
	case sim.Deadlock || rep.Schedule != nil:
		return cli.Status(cli.ExitRefuted)
	}
	return cli.Status(cli.ExitUndecided)
}

func printReplay(c *cli.Context, in *resolve.Subject, rep *verify.Report, sim *confirm.Result, seconds float64) error {
	if c.Bool("json") {
		j := replayJSON{Schema: "turnproof.replay/1", Network: in.Name, Switching: string(rep.Switching), DeadlockFree: rep.DeadlockFree.Holds(),
			Frozen: []say.WaitJSON{}, Premises: append([]model.Premise{}, rep.Premises...), Inputs: input.InputsJSON(in), Seconds: seconds}
		if sim != nil {
			j.Reached, j.How, j.Tries = sim.Reached, sim.How, sim.Tries
			if !sim.Deadlock && rep.Schedule != nil {
				j.Reached, j.How = rep.Reached, bySchedule
			}
			if sim.Frozen != nil {
				clock := int64(sim.Frozen.Clock)
				j.Clock, j.Frozen = &clock, verdict.FrozenJSON(in.Rel, sim.Frozen)
			}
		}
		return cli.PrintJSON(c.App.Writer, j)
	}
	input.PrintNotes(c, in)
	input.PrintWarnings(c, in)
	w := c.App.Writer
	fmt.Fprintf(w, "%s, routing %s, switching %s: deadlock-free %s\n", in.Name, in.Routing, rep.Switching, rep.DeadlockFree.Verdict)
	switch {
	case sim == nil:
		fmt.Fprintln(w, "There is no deadlock to reach.")
	case sim.Deadlock:
		fmt.Fprintf(w, "REACHED: frozen in clock %s, %s; simulation %d.\n", wording.Thousands(sim.Clocks), sim.How, sim.Tries)
		verdict.PrintFrozen(w, in, sim.Frozen)
	case rep.Schedule != nil && sim.How == confirm.MulticastOnly:
		fmt.Fprintf(w, "REACHED %s, which the checker accepts. It is %s.\n", explain.ScheduleText(rep), sim.How)
	case rep.Schedule != nil:
		fmt.Fprintf(w, "REACHED %s, which the checker accepts. No simulation of %d reaches it, because packets do not pause there.\n",
			explain.ScheduleText(rep), sim.Tries)
	case strings.HasPrefix(sim.How, confirm.NotSimulated) && rep.Run != nil:
		fmt.Fprintf(w, "REACHED by the run of the certificate, which the checker accepts. It is %s.\n", sim.How)
	default:
		fmt.Fprintf(w, "NOT REACHED in %s. This proves nothing: another order of injection may reach the deadlock.\n",
			wording.Count(sim.Tries, "simulation", "s"))
	}
	fmt.Fprintf(w, "%.2f s\n", seconds)
	return nil
}

// frozenFigure draws the deadlocked network.
func frozenFigure(c *cli.Context, file string, rep *verify.Report, sim *confirm.Result) error {
	if sim == nil || sim.Frozen == nil {
		return errors.New("--figure: no deadlock was reached, nothing to draw")
	}
	kind, err := picture.Format(file)
	if err != nil {
		return err
	}
	n := rep.Relation.Network()
	title := fmt.Sprintf("Frozen since clock %d", sim.Frozen.Clock)
	return picture.Render(c, file, kind, figure.Configuration(n, picture.Worms(rep.Relation, sim.Frozen), figure.OptionsFor(n, title)))
}
