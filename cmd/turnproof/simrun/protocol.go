package simrun

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file simulates protocols that are chains: each message causes one of the next class, and the last
// one goes to the host that began the transaction. The premise of check holds: a message of a host to itself needs
// no room. So hosts draw only others.

// fitProtocol sets the messages of a protocol file in s and returns the routing in virtual networks. It fails if the
// protocol is not a chain that the engine simulates.
func fitProtocol(w trial.MessageWords, in *resolve.Subject, s *trial.Settings) (model.Relation, error) {
	p, err := input.FileProtocol(in, w.Classes)
	if err != nil {
		return nil, err
	}
	rules, err := chainRules(p)
	if err != nil {
		return nil, fmt.Errorf("cannot simulate %s: %w; check --classes decides it", w.Classes, err)
	}
	rules.Service, rules.NoSelf = engine.Clock(w.Service), true
	if s.NoSelf = true; s.Traffic == "uniform-self" {
		s.Traffic = "uniform"
	}
	dests, err := traffic.Destinations(in.Rel)
	if err != nil {
		return nil, err
	}
	last := len(p.Names) - 1
	for c := range p.Names {
		rules.Flits = append(rules.Flits, s.Flits)
		if w.Reply > 0 {
			rules.Flits[c] = w.Reply
		}
	}
	if last > 1 {
		for _, h := range p.Rules[1].To {
			rules.Targets = append(rules.Targets, dests[h])
		}
	}
	s.Messages = &trial.Messages{Names: p.Names, Initiators: p.Rules[0].From, Targets: p.Rules[0].To}
	s.Engine.Messages = rules
	return model.Replicate(in.Rel, &p.Messages)
}

// chainRules returns the rules of a chain, without lengths and targets. It fails if p is no chain.
func chainRules(p *model.Protocol) (*engine.Messages, error) {
	rules := &engine.Messages{Outstanding: p.Outstanding}
	last := len(p.Rules) - 1
	for c, r := range p.Rules {
		switch {
		case c == 0 && len(r.After) > 0 || c > 0 && (len(r.After) != 1 || !slices.Equal(r.After[0], []int{c - 1})):
			return nil, fmt.Errorf("class %s does not come after the class before it alone", p.Names[c])
		case r.Copies > 1 || r.Multicast || r.Consumed || len(r.To) == 0:
			return nil, fmt.Errorf("class %s has copies, is multicast, consumed or no message", p.Names[c])
		case c == last && r.Dest != model.ToInitiator && (c != 1 || r.Dest != model.ToSender):
			return nil, fmt.Errorf("class %s does not go to the initiator", p.Names[c])
		case c > 0 && c < last && (r.Dest != model.ToRole || !slices.Equal(r.To, p.Rules[1].To)):
			return nil, fmt.Errorf("class %s goes to other hosts than class %s", p.Names[c], p.Names[1])
		case c > 0 && c < last && len(r.To) == 1 && slices.Contains(r.From, r.To[0]):
			return nil, fmt.Errorf("class %s goes from host %d to itself", p.Names[c], r.To[0])
		case c > 0 && r.Queue != p.Rules[1].Queue:
			return nil, fmt.Errorf("the queues of classes %s and %s have different sizes", p.Names[1], p.Names[c])
		}
		rules.Causes, rules.Queue = append(rules.Causes, c+1), append(rules.Queue, p.Network[c])
	}
	if last == 0 {
		return nil, fmt.Errorf("class %s causes no other class", p.Names[0])
	}
	rules.Causes[last], rules.Entries = -1, p.Rules[1].Queue.Entries
	return rules, nil
}
