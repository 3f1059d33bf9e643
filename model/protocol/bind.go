package protocol

import (
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
)

// This file binds the roles of a protocol to the hosts of a network.

// check fails if the classes of a protocol contradict each other, or wait for each other in a cycle.
func (t *Text) check() error {
	if len(t.classes) == 0 {
		return t.at(1, "no classes")
	}
	names := t.names()
	for i := range t.classes {
		c := &t.classes[i]
		if slices.Contains(names[:i], c.name) {
			return t.at(c.line, "class %s occurs twice", c.name)
		}
		joins := 0
		for _, list := range c.after {
			var alternative []int
			for _, y := range list {
				k := slices.Index(names, y)
				if k < 0 {
					return t.at(c.line, "class %s comes after %q, which is no class%s", c.name, y, spelling.Suggest(y, names))
				}
				alternative = append(alternative, k)
			}
			slices.Sort(alternative)
			if alternative = slices.Compact(alternative); len(alternative) > 1 {
				joins++
			}
			c.rule.After = append(c.rule.After, alternative)
		}
		if joins > 1 {
			return t.at(c.line, "class %s has %d joins; want at most one", c.name, joins)
		}
		for a, list := range c.rule.After {
			for b, other := range c.rule.After {
				if a != b && !slices.ContainsFunc(list, func(y int) bool { return !slices.Contains(other, y) }) {
					return t.at(c.line, "class %s: one alternative of after contains another", c.name)
				}
			}
		}
		if (c.rule.Queue.Reserved || c.rule.Table.Reserved) && t.Outstanding == 0 {
			return t.at(c.line, "class %s has reserved room, but outstanding is not given", c.name)
		}
		if c.rule.Multicast && c.rule.Copies > 1 {
			return t.at(c.line, "class %s: multicast and copies exclude each other", c.name)
		}
	}
	if _, cycle := (&model.Protocol{Rules: t.rules()}).Order(); cycle != nil {
		words := make([]string, len(cycle))
		for i, c := range cycle {
			words[i] = names[c]
		}
		return t.at(t.classes[cycle[0]].line, "classes wait for each other in a cycle: %s", strings.Join(words, " causes "))
	}
	return nil
}

func (t *Text) names() (list []string) {
	for _, c := range t.classes {
		list = append(list, c.name)
	}
	return list
}

func (t *Text) rules() (list []model.ClassRule) {
	for _, c := range t.classes {
		list = append(list, c.rule)
	}
	return list
}

// Bind returns the protocol on n. It fails if a role has no host, or if a host receives a message
// and may not send what this one causes.
func (t *Text) Bind(n *model.Network) (*model.Protocol, error) {
	p := &model.Protocol{Name: t.Name, Outstanding: t.Outstanding, Rules: t.rules()}
	p.Names = t.names()
	for i := range t.classes {
		c, r := &t.classes[i], &p.Rules[i]
		network := slices.Index(p.VirtualName, c.vn)
		if network < 0 && c.to != "none" {
			network = len(p.VirtualName)
			p.VirtualName = append(p.VirtualName, c.vn)
		}
		p.Network = append(p.Network, network)
		var err error
		if r.From, err = t.hosts(n, c, "from", c.from); err != nil {
			return nil, err
		}
		switch c.to {
		case "initiator", "sender":
			if len(r.After) == 0 {
				return nil, t.at(c.line, "class %s begins transactions; want to: ROLE", c.name)
			}
			if r.Dest = model.ToInitiator; c.to == "sender" {
				r.Dest = model.ToSender
			}
			if c.to == "sender" && p.Join(i) != nil {
				return nil, t.at(c.line, "class %s: a join has several senders; want to: ROLE or initiator", c.name)
			}
		case "none":
			if len(r.After) == 0 || r.Multicast || len(p.Effects(i))+len(p.Joins(i)) > 0 {
				return nil, t.at(c.line, "class %s: to: none needs after, and no class may come after it", c.name)
			}
		default:
			if r.To, err = t.hosts(n, c, "to", c.to); err != nil {
				return nil, err
			}
		}
	}
	t.placeEvents(p)
	if err := p.Settle(); err != nil {
		return nil, t.at(t.classes[0].line, "%s", err.Error())
	}
	for i, r := range p.Rules {
		if least := r.Copies; least > 1 && len(r.To) <= least {
			return nil, t.at(t.classes[i].line, "class %s: %d copies need more than %d hosts to go to", p.Names[i], least, least)
		}
		if r.Queue.Entries > 0 && r.Queue.Entries < r.Copies {
			return nil, t.at(t.classes[i].line, "class %s: a queue of %d entries never has room for %d copies", p.Names[i], r.Queue.Entries, r.Copies)
		}
	}
	return p, nil
}

// placeEvents puts classes that are no messages into the virtual network of a class that they wait for.
func (t *Text) placeEvents(p *model.Protocol) {
	for i := range t.classes {
		if t.classes[i].to == "none" {
			p.Network[i] = p.Network[p.Rules[i].After[0][0]]
		}
	}
}

// hosts returns the hosts of a role, or those that the text names, ascending. If the text is
// empty, it returns all hosts.
func (t *Text) hosts(n *model.Network, c *class, key, text string) (list []model.HostID, err error) {
	if hosts, ok := t.roles[text]; ok {
		text = hosts
	}
	if text == "" {
		text = "all"
	}
	if list, err = names.New(n).HostList(text); err != nil {
		return nil, t.at(c.line, "%s of class %s: %s; hosts are a role, all, names (with * or ?), or numbers FROM-TO/STEP", key, c.name, err)
	}
	return list, nil
}
