package simrun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// mostAsked bounds hosts times VCs of a network whose routing is decided before
// a simulation. Larger ones would wait for it.
const mostAsked = 1 << 18

// Discipline sets the switching discipline of a run, as check has it: that of
// the flags, else that of the input, else wormhole. The model of the papers is
// cut-through.
func Discipline(in *input.Input, c *cli.Context, s *trial.Settings) error {
	switch known, open, err := in.Discipline(); {
	case err != nil:
		return err
	case c.String("switching") == "" && s.Engine.Timing == engine.Paper:
		in.Premises = model.MergePremises(in.Premises, []model.Premise{{Name: model.PremiseSwitching, Value: string(model.CutThrough),
			Source: "--model paper"}})
	case in.Booksim != nil && c.String("switching") == "":
		in.Premises = model.MergePremises(in.Premises, []model.Premise{{Name: model.PremiseSwitching, Value: string(model.Wormhole),
			Source: "the routers of BookSim 2"}})
	case open:
		in.Premise(model.PremiseSwitching, string(model.Wormhole), "not stated by the input; the weakest is simulated")
	default:
		s.Engine.Switching = model.Switching(known)
	}
	in.Premise(model.PremiseBuffers, simSizes(s).Text(), "the settings of the run")
	if err := simWaiting(in, c, s); err != nil {
		return err
	}
	return warnBefore(in, c, s)
}

// mostStates bounds the states that are examined for a choice of next hops before a simulation.
const mostStates = 1 << 16

// simWaiting sets what packets with several permitted next hops wait for, and adds the
// premise. It adds none if every state has a single next hop.
func simWaiting(in *input.Input, c *cli.Context, s *trial.Settings) error {
	w, err := in.Waiting()
	if err != nil {
		return err
	}
	if !verify.HasChoice(in.Rel, mostStates) {
		in.Premises = slices.DeleteFunc(in.Premises, func(p model.Premise) bool { return p.Name == model.PremiseWaiting })
		return nil
	}
	s.Engine.Waiting = w
	p := verify.WaitingPremise(in.Rel, w)
	if s.Engine.Select == engine.SelectDrawn && model.CommitsIn(in.Rel, w) == nil {
		p.Value, p.Source = waitsForDrawn, "routing "+in.Routing
		if c.String("select") != "" {
			p.Source = "--select"
		}
	}
	in.Premises = model.MergePremises([]model.Premise{p}, in.Premises)
	return nil
}

// waitsForDrawn is the value of the premise for runs with --select drawn.
const waitsForDrawn = "drawn: a packet waits for the virtual channels of one port, drawn among the permitted ones when it is routed"

// simSizes are the sizes of packets and buffers of a run.
func simSizes(s *trial.Settings) *verify.Sizes {
	buffer := s.Engine.BufferFlits
	if buffer == 0 {
		if buffer = 8; s.Engine.Switching != model.Wormhole && s.Engine.Switching != "" {
			buffer = max(buffer, s.Flits)
		}
	}
	return &verify.Sizes{Packet: s.Flits, Buffer: buffer, Atomic: s.Engine.Atomic, Source: "the settings of the run"}
}

// warnBefore warns, before a run that no proof covers, of a routing that check
// proves deadlock-free for other disciplines, sizes, or ways to wait.
func warnBefore(in *input.Input, c *cli.Context, s *trial.Settings) error {
	if in.Table != nil || s.Engine.Gate != nil || in.Net.NumHosts()*in.Net.NumLinkVCs() > mostAsked {
		return nil
	}
	run := verify.Options{Switching: runSwitching(s), Sizes: simSizes(s), Waiting: s.Engine.Waiting, NoSearch: true, NoPairs: true}
	if s.Engine.Select == engine.SelectDrawn {
		run.Waiting = model.WaitOne
	}
	covered, err := verify.Check(c.Context, in.Rel, run)
	if err != nil || covered.DeadlockFree.Verdict == verify.Proved {
		return err
	}
	usual, err := verify.Check(c.Context, in.Rel, verify.Options{Open: true, Waiting: s.Engine.Waiting, NoSearch: true, NoPairs: true})
	if err != nil {
		return err
	}
	if proved := usual.Disciplines[0]; proved.Claim.Verdict == verify.Proved {
		in.Warnings = append(in.Warnings,
			fmt.Sprintf("the routing is proved deadlock-free under %s, but the proof does not cover this run under %s, which may freeze: %s",
				strings.Join(say.WordsOf(proved.Switching), ", "), run.Switching, notCovered(covered, run)))
		input.PrintWarnings(c, in)
	}
	return nil
}

// notCovered says why a proof does not cover a run.
func notCovered(rep *verify.Report, run verify.Options) string {
	if run.Waiting == model.WaitOne {
		return "its packets wait for one next hop that is chosen before"
	}
	return rep.DeadlockFree.Reason
}

// runSwitching is the discipline of a run.
func runSwitching(s *trial.Settings) model.Switching {
	if s.Engine.Switching == "" {
		return model.Wormhole
	}
	return model.Switching(s.Engine.Switching)
}
