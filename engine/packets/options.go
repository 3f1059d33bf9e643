package packets

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file checks the options that this package supports.

const (
	maxBuffer = 1 << 14
	maxClocks = 1 << 10
)

// selections are the rules that decide in the clock of the request.
var selections = []engine.Selection{engine.SelectAll, engine.SelectLowest, engine.SelectRandom, engine.SelectTurn, engine.SelectLoad, engine.SelectOrder}

// Selects reports whether this package supports a selection rule.
func Selects(x engine.Selection) bool { return x == "" || slices.Contains(selections, x) }

// settled returns o with its defaults filled in, or an error.
func settled(n *model.Network, o engine.Options) (engine.Options, error) {
	if o.Select == "" {
		o.Select = engine.SelectAll
	}
	if o.Arbiter == "" {
		o.Arbiter = engine.RoundRobin
	}
	if o.LinkClocks == 0 {
		o.LinkClocks = 1
	}
	if o.EjectClocks == 0 {
		o.EjectClocks = o.LinkClocks
	}
	o.MaxFlits = max(o.MaxFlits, 1)
	if o.BufferFlits == 0 {
		o.BufferFlits = max(8, o.MaxFlits)
	}
	if err := premises(n, o); err != nil {
		return o, err
	}
	return o, ranges(o)
}

// premises fails for options under which packets do not determine the positions of flits.
func premises(n *model.Network, o engine.Options) error {
	switch {
	case o.Timing != engine.Paper:
		return fmt.Errorf("packets: router model %q, only %q is simulated by packets", o.Timing, engine.Paper)
	case o.Switching != model.CutThrough && o.Switching != model.StoreAndForward:
		return fmt.Errorf("packets: switching %q, only %q and %q move whole packets", o.Switching, model.CutThrough, model.StoreAndForward)
	case n.VCs() != 1:
		return fmt.Errorf("packets: %d VCs share a channel flit by flit, only one is simulated by packets", n.VCs())
	case o.Uneven(n):
		return fmt.Errorf("packets: channels with attributes and switches with clocks are not simulated by packets")
	case o.Atomic:
		return fmt.Errorf("packets: atomic VCs are not simulated by packets")
	case o.EjectClocks != o.LinkClocks:
		return fmt.Errorf("packets: %d clocks a flit to the hosts and %d elsewhere, they must be the same", o.EjectClocks, o.LinkClocks)
	case !Selects(o.Select):
		return fmt.Errorf("packets: no selection %q, known are %q", o.Select, selections)
	case o.Arbiter != engine.RoundRobin && o.Arbiter != engine.OldestFirst:
		return fmt.Errorf("packets: no arbiter %q, known are %s and %s", o.Arbiter, engine.RoundRobin, engine.OldestFirst)
	}
	return nil
}

// ranges fails for numbers out of range.
func ranges(o engine.Options) error {
	switch {
	case o.BufferFlits < 1 || o.BufferFlits > maxBuffer:
		return fmt.Errorf("packets: a buffer of %d flits, allowed are 1 to %d", o.BufferFlits, maxBuffer)
	case o.BufferFlits < o.MaxFlits:
		return fmt.Errorf("packets: under %s a buffer holds whole packets: %d flits are less than a packet of %d", o.Switching, o.BufferFlits, o.MaxFlits)
	case o.LinkClocks < 1 || o.LinkClocks > maxClocks:
		return fmt.Errorf("packets: %d clocks a flit, allowed are 1 to %d", o.LinkClocks, maxClocks)
	}
	return nil
}
