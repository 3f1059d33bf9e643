package tabulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/synth"
)

// This file makes the tables of turn methods with an H/V graph: coordinates, directions, and the steps
// of the cycle-detection algorithm DA.

// hvGraph returns the H/V graph of the turn set.
func (s *Source) hvGraph() (*hv.Graph, error) {
	if s.Made == nil || s.Made.Graph == nil {
		return nil, errors.New("this table needs the H/V graph of a turn method: want the routing lturn-alpha, lturn-beta, rturn-alpha or rturn-beta, " +
			"or updown with an option other than root")
	}
	return s.Made.Graph, nil
}

func hvSwitchRows(_ context.Context, s *Source, row func(...any) error) error {
	g, err := s.hvGraph()
	if err != nil {
		return err
	}
	x := names.New(g.Net)
	for _, u := range g.Preorder {
		parent := ""
		if p := g.Parent(u); p != model.NoSwitch {
			parent = x.SwitchName(p)
		}
		if err := row(x.SwitchName(u), parent, int(g.Depth[u]), int(g.Spread[u])); err != nil {
			return err
		}
	}
	return nil
}

func hvChannelRows(_ context.Context, s *Source, row func(...any) error) error {
	g, err := s.hvGraph()
	if err != nil {
		return err
	}
	n, x := g.Net, names.New(g.Net)
	for c := range model.ChannelID(n.NumLinkChannels()) {
		err := row(x.SwitchName(n.Tail(c)), n.TailPort(c), x.SwitchName(n.Head(c)), n.HeadPort(c), g.Dir(c).String(), g.Has(c))
		if err != nil {
			return err
		}
	}
	return nil
}

func conditionalRows(_ context.Context, s *Source, row func(...any) error) error {
	g, err := s.hvGraph()
	if err != nil {
		return err
	}
	_, conditional, ok := synth.ClassPolicy(s.Made.Method)
	if !ok {
		return fmt.Errorf("method %s has no conditional turns", s.Made.Method)
	}
	n, x := g.Net, names.New(g.Net)
	for t := range model.Turns(n, false) {
		in, out := model.ChannelID(t.In), model.ChannelID(t.Out)
		class, turns := g.ClassTurn(in, out)
		if !turns || !conditional.Has(class) {
			continue
		}
		err := row(x.SwitchName(n.Head(in)), n.HeadPort(in), n.TailPort(out), x.SwitchName(n.Tail(in)), x.SwitchName(n.Head(out)),
			class.String(), !s.Made.Allowed.Has(t))
		if err != nil {
			return err
		}
	}
	return nil
}

func startRows(_ context.Context, s *Source, row func(...any) error) error {
	g, err := s.hvGraph()
	if err != nil {
		return err
	}
	list, err := synth.Starts(s.Made.Method, g, s.Made.Options.DA)
	if err != nil {
		return err
	}
	n, x := g.Net, names.New(g.Net)
	for i, y := range list {
		if err := row(i+1, x.SwitchName(y.Switch), n.TailPort(y.Channel), x.SwitchName(n.Head(y.Channel)), y.Turn.String()); err != nil {
			return err
		}
	}
	return nil
}

func cycleRows(ctx context.Context, s *Source, row func(...any) error) error {
	g, err := s.hvGraph()
	if err != nil {
		return err
	}
	list, err := synth.DetectedCycles(ctx, s.Made.Method, g, s.Made.Options.DA)
	if err != nil {
		return err
	}
	n, x := g.Net, names.New(g.Net)
	for i, y := range list {
		for k, c := range y.Cycle {
			if err := row(i+1, k+1, x.SwitchName(n.Tail(c)), n.TailPort(c), x.SwitchName(n.Head(c)), g.Dir(c).String()); err != nil {
				return err
			}
		}
	}
	return nil
}
