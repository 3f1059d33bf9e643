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
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/bubbles"
)

// mostAsked is the largest product of hosts and VCs for which warnBefore decides the routing. For
// larger networks this would delay the simulation too much.
const mostAsked = 1 << 18

// Discipline sets the switching discipline of a run and records the premises of the run. The
// discipline is that of the flags, otherwise of the input, otherwise wormhole. Model paper
// defaults to virtual cut-through.
func Discipline(in *resolve.Subject, c *cli.Context, s *trial.Settings) error {
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
	in.Premise(model.PremiseBuffers, simSizes(in, s).Text(), "the settings of the run")
	if err := simWaiting(in, c, s); err != nil {
		return err
	}
	return warnBefore(in, c, s)
}

// mostStates is the number of states in which simWaiting looks for several permitted next hops.
const mostStates = 1 << 16

// simWaiting sets which of several permitted next hops a packet waits for, and adds the premise
// about it. It adds none if every state has a single next hop.
func simWaiting(in *resolve.Subject, c *cli.Context, s *trial.Settings) error {
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
	if s.Engine.Select.Commits() && model.CommitsIn(in.Rel, w) == nil {
		if p.Value, p.Source = waitsForPath, "routing "+in.Routing; s.Engine.Select == engine.SelectDrawn {
			p.Value = waitsForDrawn
		}
		if c.String("select") != "" {
			p.Source = "--select"
		}
	}
	in.Premises = model.MergePremises([]model.Premise{p}, in.Premises)
	return nil
}

// waitsForDrawn is the value of the premise for runs with --select drawn.
const waitsForDrawn = "drawn: a packet waits for the virtual channels of one port, drawn among the permitted ones when it is routed"

// waitsForPath is the value of the premise for runs in which packets choose a path.
const waitsForPath = "path: a packet waits for the virtual channels of the next port of the path that was chosen for it"

// simSizes returns the sizes of packets and buffers in a run.
func simSizes(in *resolve.Subject, s *trial.Settings) *verify.Sizes {
	buffer := s.Engine.BufferFlits
	if buffer == 0 {
		if buffer = 8; s.Engine.Switching != model.Wormhole && s.Engine.Switching != "" {
			buffer = max(buffer, s.Longest())
		}
		if f := s.Engine.Flow; f != nil && f.Kind == bubble.Local {
			buffer = max(buffer, 2*f.Assumed(s.Longest()))
		}
	}
	n := in.Rel.Network()
	if list := s.Engine.Channels; list != nil {
		m, err := n.WithChannelAttributes(list)
		if err == nil { // otherwise the simulation reports the error
			n = m
		}
	}
	sizes := &verify.Sizes{Packet: s.Longest(), Buffer: buffer, Atomic: s.Engine.Atomic, Source: "the settings of the run"}
	return sizes.On(n)
}

// warnBefore adds a warning if the routing is proved deadlock-free under other disciplines, sizes
// or rules of waiting, but not under those of the run. It does not examine forwarding tables,
// gates and large networks.
func warnBefore(in *resolve.Subject, c *cli.Context, s *trial.Settings) error {
	if in.Table != nil || s.Engine.Gate != nil || in.Net.NumHosts()*in.Net.NumLinkVCs() > mostAsked {
		return nil
	}
	if s.Engine.Flow != nil {
		return warnOfFlow(in, c, s)
	}
	run := verify.Options{Switching: runSwitching(s), Sizes: simSizes(in, s), Waiting: s.Engine.Waiting, NoSearch: true, NoPairs: true}
	if s.Engine.Select.Commits() {
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
		warn(in, c, fmt.Sprintf("the routing is proved deadlock-free under %s, but the proof does not cover this run under %s, which may freeze: %s",
			strings.Join(say.WordsOf(proved.Switching), ", "), run.Switching, notCovered(covered, run)))
	}
	return nil
}

// warn adds a warning to in and prints it. The earlier warnings of in have been printed.
func warn(in *resolve.Subject, c *cli.Context, text string) {
	in.Warnings = append(in.Warnings, text)
	input.PrintWarnings(c, &resolve.Subject{Warnings: []string{text}})
}

// warnOfFlow adds a warning if flow control of rings does not keep the run from a deadlock. It examines packets of one
// length only.
func warnOfFlow(in *resolve.Subject, c *cli.Context, s *trial.Settings) error {
	sizes := simSizes(in, s)
	f := &bubbles.Flow{Rule: *s.Engine.Flow, Packet: sizes.Packet, Buffer: sizes.Buffer}
	rep, err := verify.Check(c.Context, in.Rel, verify.Options{Switching: f.Switching(), Flow: f, NoPairs: true})
	if err != nil || len(s.Mixed) > 0 {
		return nil // the simulation reports settings that contradict each other
	}
	if rep.DeadlockFree.Verdict != verify.Proved {
		warn(in, c, fmt.Sprintf("this run may freeze, deadlock-free is %s: %s", rep.DeadlockFree.Verdict, rep.DeadlockFree.Reason))
	}
	return nil
}

// notCovered returns the reason why no proof covers the run.
func notCovered(rep *verify.Report, run verify.Options) string {
	if run.Waiting == model.WaitOne {
		return "its packets wait for one next hop that is chosen before"
	}
	return rep.DeadlockFree.Reason
}

// runSwitching returns the switching discipline of a run.
func runSwitching(s *trial.Settings) model.Switching {
	if s.Engine.Switching == "" {
		return model.Wormhole
	}
	return model.Switching(s.Engine.Switching)
}
