package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file puts verdicts to the test in the simulator: what is refuted is driven
// into its deadlock, what is proved is run at saturation.

// simulated is what the simulator made of a verdict.
type simulated struct {
	Clocks   int64    `json:"clocks"`   // of the run that is told of
	Accepted *float64 `json:"accepted"` // null: it froze
	Deadlock bool     `json:"deadlock"`
	Reached  *bool    `json:"reached"` // null: there was no deadlock to reach
	How      string   `json:"how"`
	Tries    int      `json:"tries"`

	frozen *engine.Deadlock
}

// simulate runs the routing of a report. It fails where the simulator freezes
// what is proved.
// Where the deadlock has multicast packets, the result's Reached is nil.
func simulate(ctx context.Context, rep *verify.Report, seed uint64) (*simulated, error) {
	o := replay.Options{Switching: engine.Switching(rep.Switching), Waiting: rep.Waiting, Seed: seed}
	stands := false
	if rep.Gating != nil {
		o.Engine = gatedEngine(rep.Gating)
		if rep.DeadlockFree.Verdict == verify.Refuted {
			if _, err := replay.Stand(ctx, rep.Relation, standing(rep), *o.Engine, standClocks); err != nil {
				return nil, fmt.Errorf("internal error: %w", err)
			}
			stands = true
		}
	}
	if slices.ContainsFunc(rep.Configuration, func(p *cdg.Packet) bool { return p.Group > 0 }) {
		return &simulated{How: multicastOnly}, nil
	}
	if rep.DeadlockFree.Verdict != verify.Proved {
		res, err := replay.Run(ctx, rep.Relation, heldPackets(rep), o)
		if err != nil {
			return nil, err
		}
		s := &simulated{Deadlock: res.Reached, Reached: &res.Reached, How: res.How, Tries: res.Tries, frozen: res.Deadlock}
		if res.Reached {
			s.Clocks = int64(res.Deadlock.Clock)
		} else if stands {
			s.How = stood
		}
		return s, nil
	}
	o.Atomic = rep.Switching == verify.Wormhole && rep.Acyclic.Verdict != verify.Proved // the premise of the escape
	sat, err := replay.Saturate(ctx, rep.Relation, o)
	if err != nil {
		return nil, err
	}
	if sat.Deadlock != nil {
		return nil, fmt.Errorf("internal error: proved free of deadlock, the simulator froze in clock %d", sat.Deadlock.Clock)
	}
	return &simulated{Clocks: int64(sat.Clocks), Accepted: &sat.Accepted, How: "saturation", Tries: 1}, nil
}

// standClocks is how long a placed deadlock is looked at, and stood what is said of it.
const (
	standClocks = 1000
	stood       = "placed, it stands"
	// multicastOnly is said of a deadlock that the simulator does not know the packets of.
	multicastOnly = "not simulated: the deadlock has multicast packets"
)

// gatedEngine are the options of the simulator under gates.
func gatedEngine(g *verify.Gating) *engine.Options {
	return &engine.Options{Switching: engine.CutThrough, Select: engine.SelectRandom, Arbiter: engine.FirstCome, MaxFlits: g.Packet, BufferFlits: g.Buffer, Gate: &g.Rule}
}

// standing are the packets of a deadlock with gates.
func standing(rep *verify.Report) (list []replay.Standing) {
	for i, p := range rep.Configuration {
		list = append(list, replay.Standing{Source: p.Source, Dest: p.Dest, Path: p.Path, Flits: rep.Flits[i]})
	}
	return list
}

// heldPackets are the packets of a refutation.
func heldPackets(rep *verify.Report) []replay.Held {
	held := make([]replay.Held, len(rep.Configuration))
	for i, p := range rep.Configuration {
		held[i] = replay.Held{Source: p.Source, Dest: p.Dest, Path: p.Path, Holds: len(heldBy(rep, i))}
		if rep.Chosen != nil && rep.Chosen[i] >= 0 {
			held[i].Commits, held[i].Chosen = true, rep.Chosen[i]
		}
	}
	return held
}

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:         "replay",
		Usage:        "drive a refuted routing into its deadlock, from the empty network",
		ArgsUsage:    "NETWORK --routing FILE|NAME [flags]",
		BashComplete: cli.Complete(networkArgument()),
		Description: "Checks the routing first. The packets of the refutation are then injected at hosts\n" +
			"only: at once at the switches where their channels begin, then in other orders and on\n" +
			"other ways, then under heavy load. What the simulator calls frozen can never move.\n\n" +
			"Exit status: 0 there is no deadlock to drive it into, 1 a deadlock was reached, 2 wrong\n" +
			"usage or input, 3 none was reached, which proves nothing.\n\n" +
			"Examples:\n" +
			"  turnproof replay torus:4x4 --routing dor\n" +
			"  turnproof replay topology.ibnetdiscover -r opensm-lfts.dump --figure frozen.svg\n" +
			"  turnproof replay mesh:4x4 --routing minimal --switching wormhole --json",
		Flags: append(routingFlags(),
			switchingFlag(),
			waitingFlag(),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that random orders are drawn from"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the frozen network to `FILE` (.svg, .png, .pdf, .dot)", Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/replay.json)", Category: cli.CategoryOutput},
		),
		Action: runReplay,
	}
}

// replayJSON is docs/schema/replay.json.
type replayJSON struct {
	Schema       string          `json:"schema"`
	Network      string          `json:"network"`
	Switching    string          `json:"switching"`
	DeadlockFree *bool           `json:"deadlock_free"` // what check says
	Reached      *bool           `json:"reached"`       // null: nothing to drive it into
	How          string          `json:"how"`
	Tries        int             `json:"tries"`
	Clock        *int64          `json:"clock"` // in which the deadlock closed
	Frozen       []waitJSON      `json:"frozen"`
	Premises     []model.Premise `json:"premises"`
	Inputs       []cert.Input    `json:"inputs"` // the files that were read
	Seconds      float64         `json:"seconds"`
}

func runReplay(c *cli.Context) error {
	began := time.Now()
	if err := checkOutputs(c); err != nil {
		return err
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	in, err := readInput(c, path, true, c.Bool("json"))
	if err != nil {
		return err
	}
	o, err := in.judging(c)
	if err != nil {
		return err
	}
	rep, err := verify.Check(c.Context, in.rel, o)
	if err != nil {
		return err
	}
	var sim *simulated
	if rep.DeadlockFree.Verdict != verify.Proved {
		if sim, err = simulate(c.Context, rep, c.Uint64("seed")); err != nil {
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
	case sim.Deadlock:
		return cli.Status(cli.ExitRefuted)
	}
	return cli.Status(cli.ExitUndecided)
}

func printReplay(c *cli.Context, in *input, rep *verify.Report, sim *simulated, seconds float64) error {
	if c.Bool("json") {
		j := replayJSON{Schema: "turnproof.replay/1", Network: in.name, Switching: string(rep.Switching), DeadlockFree: rep.DeadlockFree.Holds(), Frozen: []waitJSON{}, Premises: append([]model.Premise{}, rep.Premises...), Inputs: in.inputsJSON(), Seconds: seconds}
		if sim != nil {
			j.Reached, j.How, j.Tries = sim.Reached, sim.How, sim.Tries
			if sim.frozen != nil {
				clock := int64(sim.frozen.Clock)
				j.Clock, j.Frozen = &clock, frozenJSON(in.rel, sim.frozen)
			}
		}
		return cli.PrintJSON(c.App.Writer, j)
	}
	in.printNotes(c)
	in.printWarnings(c)
	w := c.App.Writer
	fmt.Fprintf(w, "%s, routing %s, switching %s: deadlock-free %s\n", in.name, in.routing, rep.Switching, rep.DeadlockFree.Verdict)
	switch {
	case sim == nil:
		fmt.Fprintln(w, "There is no deadlock to drive it into.")
	case sim.Deadlock:
		fmt.Fprintf(w, "REACHED: frozen in clock %s, %s; simulation %d.\n", thousands(sim.Clocks), sim.How, sim.Tries)
		printFrozen(w, in, sim.frozen)
	default:
		fmt.Fprintf(w, "NOT REACHED in %s. That proves nothing: an order of injection that was not tried may do it.\n", count(sim.Tries, "simulation", "s"))
	}
	fmt.Fprintf(w, "%.2f s\n", seconds)
	return nil
}

// printFrozen lists the packets of a deadlock in the simulator.
func printFrozen(w io.Writer, in *input, d *engine.Deadlock) {
	fmt.Fprintf(w, "\n%s can never move again. Each entry: the channels that a packet is on, and those that it waits for.\n", count(len(d.Packets), "packet", "s"))
	for i, p := range d.Packets {
		if i == maxShown {
			fmt.Fprintf(w, "  and %s more\n", count(len(d.Packets)-i, "packet", "s"))
			break
		}
		for _, v := range p.On {
			fmt.Fprintf(w, "  %s\n", channelText(in.net, v))
		}
		fmt.Fprintf(w, "      packet from %s", in.net.HostLabel(p.Source))
		if p.Behind {
			fmt.Fprintln(w, ", behind another")
			continue
		}
		if len(p.Gated) > 0 && len(p.Waits) == 0 {
			fmt.Fprintln(w, ", its head got away, waits at the gate before")
		} else {
			fmt.Fprintln(w, " waits for")
		}
		for _, v := range slices.Concat(p.Waits, p.Gated) {
			fmt.Fprintf(w, "        %s\n", channelText(in.net, v))
		}
	}
}

// frozenJSON writes a deadlock in the terms of a refutation's configuration.
func frozenJSON(r model.Relation, d *engine.Deadlock) []waitJSON {
	n := r.Network()
	list := make([]waitJSON, 0, len(d.Packets))
	for _, p := range d.Packets {
		j := waitJSON{Packet: &packetJSON{Source: n.HostLabel(p.Source), Destination: destination(r, p), Class: int(p.Class), Path: []hopJSON{}}, WaitsFor: []hopJSON{}}
		for _, v := range p.On {
			j.Holds = append(j.Holds, newHopJSON(n, v))
		}
		for _, v := range slices.Concat(p.Waits, p.Gated) {
			j.WaitsFor = append(j.WaitsFor, newHopJSON(n, v))
		}
		list = append(list, j)
	}
	return list
}

// destination names where a packet of the simulator goes.
func destination(r model.Relation, p engine.Blocked) string {
	return r.Network().HostLabel(r.DestinationHost(p.Dest))
}

// frozenFigure draws the frozen network.
func frozenFigure(c *cli.Context, file string, rep *verify.Report, sim *simulated) error {
	if sim == nil || sim.frozen == nil {
		return errors.New("--figure: no deadlock was reached, so there is none to draw")
	}
	kind, err := figureFormat(file)
	if err != nil {
		return err
	}
	n := rep.Relation.Network()
	title := fmt.Sprintf("Frozen since clock %d", sim.frozen.Clock)
	return render(c, file, kind, figure.Configuration(n, heldFigure(rep.Relation, sim.frozen), figureOptions(n, title)))
}

// heldFigure is a deadlock as the figures know it.
func heldFigure(r model.Relation, d *engine.Deadlock) (held []figure.Held) {
	n := r.Network()
	for _, p := range d.Packets {
		for k, v := range p.On {
			h := figure.Held{VC: v, Source: p.Source, Destination: r.DestinationHost(p.Dest), Waits: p.Waits}
			if k+1 < len(p.On) {
				h.Waits = []model.VCID{p.On[k+1]}
			}
			if n.IsLinkVC(v) && !p.Behind {
				held = append(held, h)
			}
		}
	}
	return held
}

// simulatedText says in a line what the simulator made of a verdict.
func simulatedText(s *simulated) string {
	switch {
	case s.Accepted != nil:
		return fmt.Sprintf("no deadlock in %s clocks at saturation, %.3f flits per clock and host accepted", thousands(s.Clocks), *s.Accepted)
	case s.Deadlock:
		return fmt.Sprintf("deadlock reached in clock %s, %s", thousands(s.Clocks), s.How)
	}
	if s.How == multicastOnly {
		return s.How
	}
	if s.How == stood {
		return fmt.Sprintf("placed in the network the deadlock stands; not reached from the empty one in %s, which proves nothing", count(s.Tries, "simulation", "s"))
	}
	return fmt.Sprintf("no deadlock reached in %s, which proves nothing", count(s.Tries, "simulation", "s"))
}

// simulateTurns puts a turn set to the test, as the routing by all its shortest
// ways. What packets do of it may be free of deadlock even where the set has a
// cycle.
func simulateTurns(ctx context.Context, allowed *model.TurnSet) (*simulated, error) {
	rep, err := verify.Check(ctx, route.FromTurns(allowed, false), verify.Options{NoPairs: true})
	if err != nil {
		return nil, err
	}
	return simulate(ctx, rep, 1)
}
