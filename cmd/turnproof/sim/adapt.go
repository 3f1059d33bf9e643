package sim

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file fits the settings of a simulation to the network and its routing.

// bookSimRouting adapts the flag --routing.
func bookSimRouting(c *cli.Context, network string) error {
	if c.String("routing") == "" {
		return nil // a BookSim configuration may name the routing; if not, input.Read reports the missing flag
	}
	return c.Set("routing", routingWord(c, network, c.String("routing")))
}

// routingWord adapts the name of a routing. With --vc-rule it adds this option. Otherwise, with model
// booksim, it replaces dor by the variant of BookSim 2.
func routingWord(c *cli.Context, network, word string) string {
	switch rule := c.String("vc-rule"); {
	case rule != "":
		return word + ",vc-rule=" + rule
	case c.String("model") == "" || c.String("model") == string(engine.BookSim):
		return resolve.BookSimName(network, word)
	}
	return word
}

// adapt fits the settings and messages to the network and its routing, and prints the notes and warnings.
func adapt(in *resolve.Subject, c *cli.Context, s *trial.Settings, messages trial.MessageWords) (err error) {
	if in.Flows != nil {
		if c.IsSet("traffic") {
			return errors.New("--flows and --traffic both choose the traffic: remove one of them")
		}
		s.Traffic = "flows"
		if s.Matrix, err = in.FlowTraffic(); err != nil {
			return err
		}
	}
	if err := simrun.FitBookSim(s, in, c.IsSet); err != nil {
		return err
	}
	simrun.FitRouted(s, in, c.IsSet)
	if err := simrun.FitFlow(s, in, c.IsSet); err != nil {
		return err
	}
	for _, flag := range []string{"packet", "length"} {
		if s.Messages != nil && c.IsSet(flag) {
			return fmt.Errorf("%s sets the lengths of messages by use_read_write; remove --%s", in.Name, flag)
		}
	}
	in.SpreadBookSim()
	simrun.RemarkBookSim(in, s.Engine.Timing)
	input.PrintNotes(c, in)
	input.PrintWarnings(c, in)
	simrun.FitInput(s, in)
	if err := simrun.FitLinks(s, in, c.IsSet, c.String("links")); err != nil {
		return err
	}
	rel, err := simrun.MessageRouting(messages, in, s)
	if err != nil {
		return err
	}
	if err := simrun.WarnShort(c, in, s); err != nil {
		return err
	}
	if err := simrun.Discipline(in, c, s); err != nil { // one virtual network answers for all
		return err
	}
	in.Rel, in.Net = rel, rel.Network()
	return nil
}

// showProgress shows the clock of a simulation on the progress line.
func showProgress(c *cli.Context, s *trial.Settings, what string) {
	line := cli.ProgressOf(c.App.ErrWriter)
	if line == nil {
		return
	}
	line.Say("%s", what)
	s.Progress = func(clock, of engine.Clock) {
		line.Tell("clock %s of %s", wording.Thousands(int64(clock)), wording.Thousands(int64(of)))
		line.Part(float64(clock) / float64(of))
	}
}
