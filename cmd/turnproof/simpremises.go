package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"turnproof/engine"
	"turnproof/engine/trial"
	"turnproof/model"
	"turnproof/verify"
)

// This file makes simulations run under the discipline that check decides, and
// warns where a proof does not cover the run.

// mostAsked bounds hosts times VCs of a network whose routing is decided before
// a simulation. Larger ones would wait for it.
const mostAsked = 1 << 18

// simDiscipline sets the switching discipline of a run, as check has it: that of
// the flags, else that of the input, else wormhole. The model of the papers is
// cut-through.
func (in *input) simDiscipline(c *cli.Context, s *trial.Settings) error {
	switch known, open, err := in.discipline(c); {
	case err != nil:
		return err
	case c.String("switching") == "" && s.Engine.Timing == engine.Paper:
		in.premises = model.MergePremises(in.premises, []model.Premise{{Name: model.PremiseSwitching, Value: string(engine.CutThrough), Source: "--model paper"}})
	case in.booksim != nil && c.String("switching") == "":
		in.premises = model.MergePremises(in.premises, []model.Premise{{Name: model.PremiseSwitching, Value: string(engine.Wormhole), Source: "the routers of BookSim 2"}})
	case open:
		in.premise(model.PremiseSwitching, string(engine.Wormhole), "left open by the input, the weakest is simulated")
	default:
		s.Engine.Switching = engine.Switching(known)
	}
	in.premise(model.PremiseBuffers, simSizes(s).Text(), "the settings of the run")
	if err := in.simWaiting(c, s); err != nil {
		return err
	}
	return in.warnBefore(c, s)
}

// mostStates bounds the states that are examined for a choice of next hops before a simulation.
const mostStates = 1 << 20

// simWaiting sets what packets with several permitted next hops wait for, and adds the
// premise. It adds none if every state has a single next hop.
func (in *input) simWaiting(c *cli.Context, s *trial.Settings) error {
	w, err := in.waiting(c)
	if err != nil {
		return err
	}
	if !verify.HasChoice(in.rel, mostStates) {
		in.premises = slices.DeleteFunc(in.premises, func(p model.Premise) bool { return p.Name == model.PremiseWaiting })
		return nil
	}
	s.Engine.Waiting = w
	p := verify.WaitingPremise(in.rel, w)
	if s.Engine.Select == engine.SelectDrawn && model.CommitsIn(in.rel, w) == nil {
		p.Value, p.Source = waitsForDrawn, "routing "+in.routing
		if c.String("select") != "" {
			p.Source = "--select"
		}
	}
	in.premises = model.MergePremises([]model.Premise{p}, in.premises)
	return nil
}

// waitsForDrawn is the value of the premise for runs with --select drawn.
const waitsForDrawn = "drawn: a packet waits for the virtual channels of one port, drawn among the permitted ones when it is routed"

// simSizes are the sizes of packets and buffers of a run.
func simSizes(s *trial.Settings) *verify.Sizes {
	buffer := s.Engine.BufferFlits
	if buffer == 0 {
		if buffer = 8; s.Engine.Switching != engine.Wormhole && s.Engine.Switching != "" {
			buffer = max(buffer, s.Flits)
		}
	}
	return &verify.Sizes{Packet: s.Flits, Buffer: buffer, Atomic: s.Engine.Atomic, Source: "the settings of the run"}
}

// warnBefore warns, before a run under wormhole switching, of a routing that is
// proved deadlock-free for other disciplines, or other sizes of packets, alone.
func (in *input) warnBefore(c *cli.Context, s *trial.Settings) error {
	if s.Engine.Switching != engine.Wormhole && s.Engine.Switching != "" || s.Engine.Gate != nil {
		return nil
	}
	if in.table != nil || in.net.NumHosts()*in.net.NumLinkVCs() > mostAsked {
		return nil
	}
	rep, err := verify.Check(c.Context, in.rel, verify.Options{Open: true, NoSearch: true, NoPairs: true, Sizes: simSizes(s)})
	if err != nil {
		return err
	}
	if len(rep.Disciplines) < 2 || rep.DeadlockFree.Verdict == verify.Proved {
		return nil
	}
	proved := rep.Disciplines[0]
	in.warnings = append(in.warnings, fmt.Sprintf("the routing is proved deadlock-free under %s only, and this run is under wormhole: it may freeze; %s", strings.Join(wordsOf(proved.Switching), ", "), rep.DeadlockFree.Reason))
	in.printWarnings(c)
	return nil
}
