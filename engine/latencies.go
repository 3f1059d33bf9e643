package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file handles channels of different lengths (Options.Latencies).
//
// A flit that enters a channel of latency l arrives l-1 clocks later than on a channel of latency
// 1, and so does the credit for its slot. BookSim 2 does the same in anynet networks
// (networks/anynet.cpp, _BuildNet).

// checkLatencies fails for latencies below 1.
func (o *Options) checkLatencies() error {
	if o.Latencies != nil && o.Timing == Paper {
		return fmt.Errorf("engine: latencies of channels are of the router model %s, not of %s", BookSim, Paper)
	}
	for c, l := range o.Latencies {
		if l < 1 || l > maxDelay {
			return fmt.Errorf("engine: a latency of %d clocks of channel %d, allowed are 1 to %d", l, c, maxDelay)
		}
	}
	return nil
}

// farthest returns the largest number of clocks for which a flit and the credit for its slot are
// in transit, in total.
func (o *Options) farthest() (longest Clock) {
	for _, l := range o.Latencies {
		longest = max(longest, 2*Clock(l))
	}
	return longest
}

// readLatencies computes s.far from Options.Latencies; without these, s.far stays nil. The ports
// must be numbered before the call.
func (s *Sim) readLatencies(n *model.Network) error {
	if s.o.Latencies == nil {
		return nil
	}
	if len(s.o.Latencies) != n.NumChannels() {
		return fmt.Errorf("engine: latencies of %d channels, the network has %d", len(s.o.Latencies), n.NumChannels())
	}
	link := Clock(BookSimDelays().Link)
	if s.o.Delays != nil {
		link = Clock(s.o.Delays.Link)
	}
	s.far = make([]Clock, n.NumChannels()) // by port, see number
	for c, l := range s.o.Latencies {
		usual := Clock(1)
		if n.Kind(model.ChannelID(c)) == model.SwitchToSwitch {
			usual = link
		}
		s.far[s.portOf[c]] = Clock(l) - usual
	}
	return nil
}

// beyond returns the additional clocks, beyond Delays, that a flit takes on the channel of port p.
func (s *Sim) beyond(p int32) Clock {
	if s.far == nil {
		return 0
	}
	return s.far[p]
}
