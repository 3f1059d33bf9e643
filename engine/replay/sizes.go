package replay

import (
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
)

// This file determines the sizes of packets and buffers of a simulation.

// Sizes that hold if no fact states others.
const (
	packetFlits = 16
	bufferFlits = 4 // with wormhole switching; otherwise a buffer holds one packet
)

// Fit sets what the facts about network n state: lengths of packets, buffers, reuse of VCs. A size that is not stated is that
// of e, but packets fit into buffers unless switching is wormhole. Fit chooses a router model that has the latencies.
func Fit(b *facts.Bound, n *model.Network, e *engine.Options) {
	if b == nil {
		b = facts.Facts{}.On(n)
	}
	e.Channels = b.Channels
	if e.Channels == nil {
		e.Channels = n.ChannelAttributes()
	}
	if e.Channels = slices.Clone(e.Channels); b.Everywhere {
		for c := range e.Channels {
			e.Channels[c].Buffer = 0
		}
	}
	fitSizes(b, e)
	switch b.Reuse {
	case facts.WhenEmpty, facts.WhenNotFull, facts.WhenUnused:
		e.Atomic, e.NotFull = b.Reuse == facts.WhenEmpty, b.Reuse == facts.WhenNotFull
	}
	if slices.ContainsFunc(e.Channels, func(a model.ChannelAttributes) bool { return a.Latency > 0 }) || n.Attribute(model.ClockAttribute) != nil {
		e.Timing = engine.BookSim
	}
}

// fitSizes sets the length of packets and the buffer of the channels without one of their own.
func fitSizes(b *facts.Bound, e *engine.Options) {
	least := b.Least()
	if b.Buffer > 0 {
		e.BufferFlits = b.Buffer
	}
	switch {
	case b.Packet > 0:
		e.MaxFlits = b.Packet
	case e.Switching != model.Wormhole && least > 0:
		e.MaxFlits = min(e.MaxFlits, least)
	}
	if b.Buffer == 0 && e.Switching != model.Wormhole {
		e.BufferFlits = max(e.BufferFlits, e.MaxFlits)
	}
}

// room returns the flits that a packet has if it fills VCs exactly.
func room(n *model.Network, e *engine.Options, path []model.State) (flits int) {
	for _, at := range path {
		c, _ := n.Channel(at.VC)
		if e.Channels != nil && e.Channels[c].Buffer > 0 {
			flits += int(e.Channels[c].Buffer)
		} else {
			flits += e.BufferFlits
		}
	}
	return flits
}
