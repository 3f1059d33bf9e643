package configure

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/synth/priorities"
)

// This file chooses the traffic classes of each switch.

// Options say which numbers priorities and frames have.
type Options struct {
	Priorities []int // the PFC priority of each priority of the rules
	DSCPs      []int // the DSCP of its frames
	Entering   []int // DSCPs with which hosts send lossless frames
}

// mostClasses is the number of traffic classes of a switch.
const mostClasses = 8

// Plan is what all switches do.
type Plan struct {
	Options
	fabric *ethernet.Found
	net    *model.Network
	rules  *priorities.Found
	// switches, without those that stand for hosts
	switches []*switchPlan
}

// class is a traffic class: frames of one priority whose rules are the same for all ports by which they may leave.
type class struct {
	number   int
	priority int
	to       map[model.ChannelID]int // by channel that some of the frames take: the next priority
}

// switchPlan is what a switch does. The port of its hosts is the channel NoChannel.
type switchPlan struct {
	u       model.SwitchID
	classes []*class
	of      map[model.ChannelID][]*class // by channel by which frames come, and priority; nil where there are no frames
	ins     []model.ChannelID
	outs    []model.ChannelID
}

// New chooses traffic classes. It fails if a switch needs more than there are.
func New(fabric *ethernet.Found, rules *priorities.Found, o Options) (*Plan, error) {
	p := &Plan{Options: o, fabric: fabric, net: fabric.Routes().Network(), rules: rules}
	for u := range model.SwitchID(p.net.NumSwitches()) {
		if fabric.IsHosts(u) {
			continue
		}
		s := &switchPlan{u: u, of: map[model.ChannelID][]*class{}, ins: []model.ChannelID{model.NoChannel}}
		for _, c := range p.net.Out(u) {
			if p.net.Kind(c) == model.SwitchToSwitch && !fabric.IsHosts(p.net.Head(c)) {
				s.outs, s.ins = append(s.outs, c), append(s.ins, p.net.Reverse(c))
			}
		}
		if err := p.divide(s); err != nil {
			return nil, err
		}
		p.switches = append(p.switches, s)
	}
	return p, nil
}

// divide finds the traffic classes of a switch.
func (p *Plan) divide(s *switchPlan) error {
	for k := range p.rules.Priorities {
		for _, in := range s.ins {
			to := map[model.ChannelID]int{}
			for _, out := range s.outs {
				if t := (priorities.Turn{Switch: s.u, In: in, Out: out}); p.rules.Uses(t, k) {
					to[out] = p.rules.After(t, k)
				}
			}
			for len(s.of[in]) <= k {
				s.of[in] = append(s.of[in], nil)
			}
			s.of[in][k] = s.classFor(k, to)
		}
	}
	free := []int{}
	for c := 1; c < mostClasses; c++ {
		if !slices.Contains(p.Priorities[:p.rules.Priorities], c) {
			free = append(free, c)
		}
	}
	used := map[int]bool{}
	for _, c := range s.classes {
		switch {
		case !used[c.priority]:
			used[c.priority] = true
			c.number = p.Priorities[c.priority]
		case len(free) == 0:
			return fmt.Errorf("%s needs %d traffic classes for lossless frames, and there are %d", p.net.SwitchName(s.u), len(s.classes), mostClasses-1)
		default:
			c.number, free = free[0], free[1:]
		}
	}
	return nil
}

// classFor returns a class for frames of a priority, with the given next priorities.
func (s *switchPlan) classFor(k int, to map[model.ChannelID]int) *class {
	for _, c := range s.classes {
		fits := c.priority == k
		for out, q := range to {
			if known, ok := c.to[out]; ok && known != q {
				fits = false
			}
		}
		if fits {
			for out, q := range to {
				c.to[out] = q
			}
			return c
		}
	}
	c := &class{priority: k, to: to}
	s.classes = append(s.classes, c)
	return c
}

// after returns the priority of frames of a class after they have left by a channel.
func (c *class) after(out model.ChannelID) int {
	if q, ok := c.to[out]; ok {
		return q
	}
	return c.priority
}

// port returns the name of the port of a switch at a channel that comes or leaves there.
func (p *Plan) port(s *switchPlan, c model.ChannelID) string {
	if p.net.Tail(c) == s.u {
		return p.net.PortName(s.u, p.net.TailPort(c))
	}
	return p.net.PortName(s.u, p.net.HeadPort(c))
}
