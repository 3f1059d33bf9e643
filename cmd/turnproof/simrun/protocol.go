package simrun

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file simulates protocols, of files and in short form. The premise of check holds: a message of a host to itself needs no room.
// So hosts draw only others.

// protocolWords returns the settings of the flags for messages of a protocol.
func protocolWords(c *cli.Context) (trial.MessageWords, error) {
	w := trial.MessageWords{Classes: c.String("classes"), Service: c.Int("service"), Reply: c.Int("reply-packet"),
		Initiators: c.String("initiators"), Targets: c.String("targets")}
	for _, flag := range []string{"reply-queue", "outstanding"} {
		if c.IsSet(flag) {
			return w, fmt.Errorf("--classes %s is a protocol, which has queues of its own; remove --%s", w.Classes, flag)
		}
	}
	if input.ProtocolFile(w.Classes) {
		cli.Reads(c, w.Classes)
	}
	return w, nil
}

// fitProtocol sets the messages of a protocol in s and returns the routing in virtual networks. It fails if the
// engine does not simulate the protocol.
func fitProtocol(w trial.MessageWords, in *resolve.Subject, s *trial.Settings) (model.Relation, error) {
	p, err := input.ReadProtocol(in, w.Classes, w.Initiators, w.Targets)
	if err != nil {
		return nil, err
	}
	if err := engine.CheckProtocol(p); err != nil {
		return nil, fmt.Errorf("cannot simulate %s: %w; check --classes decides it", w.Classes, err)
	}
	rules := &engine.Messages{Protocol: p, Outstanding: p.Outstanding, Queue: p.Network, Service: engine.Clock(w.Service)}
	s.Messages = &trial.Messages{Names: p.Names}
	for _, r := range p.Rules {
		rules.Flits = append(rules.Flits, s.Flits)
		if len(r.After) > 0 && w.Reply > 0 {
			rules.Flits[len(rules.Flits)-1] = w.Reply
		}
		if len(r.After) == 0 {
			s.Messages.Initiators = union(s.Messages.Initiators, r.From)
			s.Messages.Targets = union(s.Messages.Targets, r.To)
		}
	}
	if s.NoSelf = true; s.Traffic == "uniform-self" {
		s.Traffic = "uniform"
	}
	s.Engine.Messages = rules
	return model.Replicate(in.Rel, p)
}

// union returns the hosts of two lists, ascending.
func union(a, b []model.HostID) []model.HostID {
	list := slices.Concat(a, b)
	slices.Sort(list)
	return slices.Compact(list)
}
