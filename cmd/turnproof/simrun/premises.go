package simrun

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// mostAsked is the largest product of hosts and VCs for which warnBefore decides the routing. For
// larger networks this would delay the simulation too much.
const mostAsked = 1 << 18

// Discipline sets the switching discipline of a run and records the premises of the run. The
// discipline is that of the flags, otherwise of the input, otherwise wormhole. Model paper and
// gates default to virtual cut-through.
func Discipline(in *resolve.Subject, c *cli.Context, s *trial.Settings) error {
	if err := errors.Join(OnlyHosts(in), in.Contradiction()); err != nil {
		return err
	}
	switch known, open, err := in.Discipline(); {
	case err != nil:
		return err
	case c.String("switching") == "" && s.Engine.Timing == engine.Paper:
		in.Premises = model.MergePremises(in.Premises, []model.Premise{{Name: model.PremiseSwitching, Value: string(model.CutThrough),
			Source: "--model paper"}})
	case in.Booksim != nil && c.String("switching") == "" && s.Engine.Gate == nil:
		in.Premises = model.MergePremises(in.Premises, []model.Premise{{Name: model.PremiseSwitching, Value: string(model.Wormhole),
			Source: "the routers of BookSim 2"}})
	case open:
		in.Premise(model.PremiseSwitching, string(model.Wormhole), "not stated by the input; the weakest is simulated")
	default:
		s.Engine.Switching = model.Switching(known)
	}
	in.Premise(model.PremiseBuffers, runFacts(in, s).On(in.Rel.Network()).Text(), "the settings of the run")
	warnFurther(in, c)
	if err := simWaiting(in, c, s); err != nil {
		return err
	}
	return warnBefore(in, c, s)
}

// OnlyHosts returns an error if packets to and from switches are part of the routing: patterns have hosts only.
func OnlyHosts(in *resolve.Subject) error {
	if in.Rel != nil && in.Rel.Sources() > in.Rel.Network().NumHosts() {
		return errors.New("packets to and from switches are not simulated: remove --management")
	}
	return nil
}

// warnFurther adds a warning if hosts have several LIDs: the simulator has one destination for each host.
func warnFurther(in *resolve.Subject, c *cli.Context) {
	var further int
	seen := map[model.HostID]bool{}
	for d := range model.DestID(in.Rel.Destinations()) {
		h := in.Rel.DestinationHost(d)
		if seen[h] {
			further++
		}
		seen[h] = true
	}
	if further > 0 {
		warn(in, c, wording.Count(further, "further LID", "s")+" of hosts not simulated: packets go to one LID of each host; check judges all")
	}
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

// runFacts returns the facts about packets, buffers and routers of a run.
func runFacts(in *resolve.Subject, s *trial.Settings) facts.Facts {
	buffer := s.Engine.BufferFlits
	if buffer == 0 {
		if buffer = 8; s.Engine.Switching != model.Wormhole && s.Engine.Switching != "" {
			buffer = max(buffer, s.Longest())
		}
		if f := s.Engine.Flow; f != nil && f.Kind == bubble.Local {
			buffer = max(buffer, 2*f.Assumed(s.Longest()))
		}
	}
	f := facts.Facts{Packet: s.Longest(), Mixed: len(s.Mixed) > 0, Buffer: buffer, Channels: s.Engine.Channels, Everywhere: s.Engine.Channels == nil,
		Reuse: facts.WhenUnused, LateControl: true, Source: "the settings of the run"}
	switch {
	case s.Engine.Atomic:
		f.Reuse = facts.WhenEmpty
	case s.Engine.NotFull:
		f.Reuse = facts.WhenNotFull
	}
	return f
}

// warnBefore adds a warning if the routing is proved deadlock-free under other disciplines, sizes
// or rules of waiting, but not under those of the run. It does not examine forwarding tables
// and large networks.
func warnBefore(in *resolve.Subject, c *cli.Context, s *trial.Settings) error {
	if in.Table != nil || in.Net.NumHosts()*in.Net.NumLinkVCs() > mostAsked {
		return nil
	}
	if s.Engine.Gate != nil {
		return warnOfGates(in, c, s)
	}
	if s.Engine.Flow != nil {
		return warnOfFlow(in, c, s)
	}
	run := verify.Options{Switching: runSwitching(s), Facts: runFacts(in, s), Waiting: runWaiting(in, s), NoSearch: true, NoPairs: true}
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
	input.PrintWarnings(c, &resolve.Subject{Stated: resolve.Stated{Warnings: []string{text}}})
}

// warnOfFlow adds a warning if flow control of rings does not keep the run from a deadlock. It examines packets of one
// length only.
func warnOfFlow(in *resolve.Subject, c *cli.Context, s *trial.Settings) error {
	known := runFacts(in, s)
	f := &bubble.Flow{Rule: *s.Engine.Flow, Packet: known.Packet, Buffer: sameBuffer(known, in)}
	return warnUnlessProved(in, c, verify.Options{Switching: runSwitching(s), Waiting: runWaiting(in, s), Facts: known,
		Conditions: []model.Condition{f}, NoPairs: true})
}

// warnOfGates adds a warning if no proof with late control information covers a run with gates.
func warnOfGates(in *resolve.Subject, c *cli.Context, s *trial.Settings) error {
	known := runFacts(in, s)
	g := &gate.Setup{Rule: *s.Engine.Gate, Packet: known.Packet, Buffer: sameBuffer(known, in)}
	return warnUnlessProved(in, c, verify.Options{Switching: runSwitching(s), Waiting: runWaiting(in, s), Facts: known,
		Conditions: []model.Condition{g}, NoPairs: true})
}

// runWaiting returns which of several permitted next hops a packet of a run waits for.
func runWaiting(in *resolve.Subject, s *trial.Settings) model.Waiting {
	if s.Engine.Select.Commits() && verify.HasChoice(in.Rel, mostStates) {
		return model.WaitOne
	}
	return s.Engine.Waiting
}

// sameBuffer returns the buffer of a VC of a run, if all channels between switches have the same one.
func sameBuffer(f facts.Facts, in *resolve.Subject) int {
	if same := f.On(in.Rel.Network()).Same(); same > 0 {
		return same
	}
	return f.Buffer
}

// warnUnlessProved adds a warning unless a run with these options is proved free of deadlock. If the options contradict each
// other, so that nothing is decided, the warning says why.
func warnUnlessProved(in *resolve.Subject, c *cli.Context, o verify.Options) error {
	rep, err := verify.Check(c.Context, in.Rel, o)
	switch {
	case c.Context.Err() != nil:
		return c.Context.Err()
	case err != nil:
		warn(in, c, fmt.Sprintf("no proof covers this run, which may freeze: %v", err))
	case rep.DeadlockFree.Verdict != verify.Proved:
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
