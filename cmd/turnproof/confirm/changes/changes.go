package changes

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/engine/changeover"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
)

// Change is a change of tables, or of relations.
type Change interface {
	Network() *model.Network
	NumDestinations() int
	Differs(d model.DestID, u model.SwitchID) bool
	Sides() (old, now model.Relation)
	Waiting() model.Waiting // how packets with several next hops wait
	Drops() bool            // packets without a next hop are dropped
}

// options completes the options by what the change says.
func options(c Change, o changeover.Options) changeover.Options {
	o.Waiting, o.Keep = c.Waiting(), !c.Drops()
	return o
}

// Mixture simulates changes in the parts of m, in any order. It returns an error if m is safe and the network freezes.
func Mixture(ctx context.Context, c Change, m *transition.Mixture, o changeover.Options) (*changeover.Result, error) {
	old, now := c.Sides()
	x := &changeover.Change{Old: old, New: now, Parts: atoms(c, m.Part()), Drained: m.Drained()}
	for _, p := range m.Packets {
		x.Cycle = append(x.Cycle, changeover.Packet{Source: p.Source, Dest: p.Dest, Path: p.Path,
			Stranded: len(m.Cycle) == 1 && p.Path[len(p.Path)-1].VC == m.Cycle[0]})
	}
	res, err := changeover.Mixture(ctx, x, options(c, o))
	if err == nil && res.Deadlock != nil && m.Safe() {
		return nil, frozen("in any order", res)
	}
	return res, err
}

// Steps simulates steps that are proved. It returns an error if the network freezes.
func Steps(ctx context.Context, c Change, part transition.Part, steps []transition.Step, o changeover.Options) (*changeover.Result, error) {
	old, now := c.Sides()
	var list []changeover.Step
	for _, s := range steps {
		list = append(list, stepOf(c, part, s))
	}
	res, err := changeover.Steps(ctx, old, now, list, options(c, o))
	if err == nil && res.Deadlock != nil {
		return nil, frozen(fmt.Sprintf("in %d steps", len(steps)), res)
	}
	return res, err
}

func frozen(what string, res *changeover.Result) error {
	return fmt.Errorf("internal error: proved %s, and the simulator froze in clock %d of run %d", what, res.Deadlock.Clock, res.Runs)
}

// atoms returns the entries that change at once.
func atoms(c Change, part transition.Part) (parts [][]changeover.Entry) {
	place := map[changeover.Entry]int{}
	for d := range model.DestID(c.NumDestinations()) {
		for u := range model.SwitchID(c.Network().NumSwitches()) {
			if !c.Differs(d, u) {
				continue
			}
			key := changeover.Entry{Dest: d, Switch: u}
			switch part {
			case transition.Switch:
				key.Dest = -1
			case transition.Destination:
				key.Switch = -1
			}
			i, ok := place[key]
			if !ok {
				i = len(parts)
				place[key], parts = i, append(parts, nil)
			}
			parts[i] = append(parts[i], changeover.Entry{Dest: d, Switch: u})
		}
	}
	return parts
}

// stepOf returns a step in the form of the simulator.
func stepOf(c Change, part transition.Part, s transition.Step) (step changeover.Step) {
	var dests []model.DestID
	for d := range model.DestID(c.NumDestinations()) {
		member := slices.Contains(s.Parts, int32(d))
		if part == transition.Switch || member {
			dests = append(dests, d)
		}
		for u := range model.SwitchID(c.Network().NumSwitches()) {
			if part == transition.Switch {
				member = slices.Contains(s.Parts, int32(u))
			}
			if member && s.Kind != transition.Stop && c.Differs(d, u) {
				step.Entries = append(step.Entries, changeover.Entry{Dest: d, Switch: u})
			}
		}
	}
	switch s.Kind {
	case transition.Stop:
		step.Stop = dests
	case transition.Drained:
		step.Stop, step.Resume = dests, dests
	case transition.Resume:
		step.Resume = dests
	}
	return step
}
