package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file computes the times and the buffers of each channel, from the options, the attributes of channels
// (model.ChannelAttributes) and the clocks of switches (model.ClockAttribute).
//
// Latency: a flit that enters a channel of latency l is at the end l clocks later, and so is the credit for its slot on the way
// back. BookSim 2 does the same in anynet networks (networks/anynet.cpp, _BuildNet).
//
// Clocks of switches: a switch of clock k works in the clocks that are multiples of k: it routes, allocates and sends. Its delays
// count in its own clocks, and so does a channel that it sends on if the channel has no latency of its own. What arrives between
// two of its clocks waits for the next one. Hosts have the clock of their switch.

// links holds the times and buffers of channels.
type links struct {
	even     bool    // whether one delay holds for all channels between switches, another one for those from hosts, and one for those to hosts
	there    []Clock // by port: from the departure of a flit to its arrival
	back     []Clock // by port: from when a flit leaves the buffer at the end until its slot is free at the start
	takes    []Clock // by port: clocks for which a flit occupies the channel
	buffer   []int16 // by port: slots of the buffer of a VC
	smallest int     // slots of the smallest buffer of a VC into a switch
	slow     bool    // whether a flit occupies some channel for several clocks
	tailTick []Clock // by port: clock of the switch or host at the start; nil if all switches have clock 1
	headTick []Clock // by port: clock of the switch or host at the end
}

const (
	maxLatency = 1 << 14
	maxTick    = 1 << 6
)

// readLinks computes s.links. The ports must be numbered before the call.
func (s *state) readLinks() error {
	list := s.o.Channels
	if list == nil {
		list = s.net.ChannelAttributes()
	}
	if list != nil && len(list) != s.net.NumChannels() {
		return fmt.Errorf("engine: attributes of %d channels, the network has %d", len(list), s.net.NumChannels())
	}
	if err := s.readTicks(); err != nil {
		return err
	}
	k := len(s.port)
	s.there, s.back, s.takes, s.buffer = make([]Clock, k), make([]Clock, k), make([]Clock, k), make([]int16, k)
	s.even, s.smallest = s.tailTick == nil && s.hostsKnow == 0, maxBuffer
	for p, c := range s.chanOf {
		var a model.ChannelAttributes
		if list != nil {
			a = list[c]
		}
		if err := s.checkLink(c, a); err != nil {
			return err
		}
		s.times(int32(p), s.net.Kind(c), Clock(a.Latency))
		s.even = s.even && a.Latency == 0
		s.takes[p] = Clock(s.o.LinkClocks) * s.tickAtStart(int32(p))
		if s.net.Kind(c) == model.Eject {
			s.takes[p] = Clock(s.o.EjectClocks) * s.tickAtStart(int32(p))
		}
		if a.FlitClocks > 0 {
			s.takes[p] = Clock(a.FlitClocks)
		}
		s.slow = s.slow || s.takes[p] > s.tickAtStart(int32(p))
		s.buffer[p] = int16(s.o.BufferFlits)
		if a.Buffer > 0 {
			s.buffer[p] = int16(a.Buffer)
		}
		if s.net.Kind(c) != model.Eject {
			s.smallest = min(s.smallest, int(s.buffer[p]))
		}
	}
	return nil
}

// checkLink fails for attributes of channel c that cannot be simulated.
func (s *state) checkLink(c model.ChannelID, a model.ChannelAttributes) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("engine: %s of the channel %s", fmt.Sprintf(format, args...), s.net.ChannelLabel(c))
	}
	switch {
	case a.Latency != 0 && s.o.Timing == Paper:
		return bad("router model %s has no latencies, want model %s: a latency of %d clocks", Paper, BookSim, a.Latency)
	case a.Latency < 0 || a.Latency > maxLatency:
		return bad("a latency of %d clocks, allowed are 1 to %d,", a.Latency, maxLatency)
	case a.FlitClocks < 0 || a.FlitClocks > maxClocks:
		return bad("%d clocks a flit, allowed are 1 to %d,", a.FlitClocks, maxClocks)
	case a.Buffer < 0 || a.Buffer > maxBuffer:
		return bad("a buffer of %d flits, allowed are 1 to %d,", a.Buffer, maxBuffer)
	case a.Buffer > 0 && s.whole && int(a.Buffer) < s.o.MaxFlits && s.net.Kind(c) != model.Eject:
		return bad("under %s a buffer holds whole packets: %d flits are less than a packet of %d; the buffer is that", s.o.Switching, a.Buffer, s.o.MaxFlits)
	}
	return nil
}

// Uneven reports whether the options or the network set attributes of channels or clocks of switches.
func (o *Options) Uneven(n *model.Network) bool {
	return o.Channels != nil || n.ChannelAttributes() != nil || n.Attribute(model.ClockAttribute) != nil
}

// readTicks reads the clocks of the switches.
func (s *state) readTicks() error {
	ticks := s.net.Attribute(model.ClockAttribute)
	differ := false
	for u, k := range ticks {
		if k == model.NoAttribute {
			continue
		}
		if k < 1 || k > maxTick {
			return fmt.Errorf("engine: clock %d of switch %s, allowed are 1 to %d", k, s.net.SwitchName(model.SwitchID(u)), maxTick)
		}
		differ = differ || k > 1
	}
	switch {
	case !differ:
		return nil
	case s.o.Timing == Paper:
		return fmt.Errorf("engine: clocks of switches are of the router model %s, not of %s", BookSim, Paper)
	}
	s.tailTick, s.headTick = make([]Clock, len(s.port)), make([]Clock, len(s.port))
	of := func(u model.SwitchID) Clock { return Clock(max(1, ticks[u])) }
	for p, c := range s.chanOf {
		tail, head := s.net.Tail(c), s.net.Head(c)
		if tail == model.NoSwitch {
			tail = head
		}
		if head == model.NoSwitch {
			head = tail
		}
		s.tailTick[p], s.headTick[p] = of(tail), of(head)
	}
	return nil
}

// times computes there and back of port p. latency is that of its channel, or 0 for the router model's.
func (s *state) times(p int32, kind model.Kind, latency Clock) {
	if s.o.Timing == Paper {
		s.there[p], s.back[p] = 3, 1
		return
	}
	d := s.o.Delays
	if d == nil {
		usual := BookSimDelays()
		d = &usual
	}
	tail, head := s.tickAtStart(p), s.tickAtEnd(p)
	cross, credit := Clock(d.SwitchAlloc+d.Traversal), Clock(d.Credit)
	if latency == 0 {
		latency = tail
		if kind == model.SwitchToSwitch {
			latency *= Clock(d.Link)
		}
	}
	switch kind {
	case model.Inject:
		s.there[p], s.back[p] = tail+latency, Clock(d.SwitchAlloc)*head+latency
	case model.Eject:
		s.there[p], s.back[p] = cross*tail+latency, (cross+1+credit)*tail+2*latency
	default:
		s.there[p], s.back[p] = cross*tail+latency, (Clock(d.SwitchAlloc)+credit)*head+latency
		if tail != head {
			s.there[p] += Clock(d.Sync) * head
			s.back[p] += Clock(d.Sync) * tail
		}
	}
}

// tickAtStart returns the clock of the switch or host at the start of the channel of port p.
func (s *state) tickAtStart(p int32) Clock {
	if s.tailTick == nil {
		return 1
	}
	return s.tailTick[p]
}

// tickAtEnd returns the clock of the switch or host at the end of the channel of port p.
func (s *state) tickAtEnd(p int32) Clock {
	if s.headTick == nil {
		return 1
	}
	return s.headTick[p]
}

// longest returns the largest number of clocks between an event and its cause.
func (s *state) longest() Clock {
	times, occupied, tick := s.delay.ask+2, Clock(1), Clock(1)
	for p := range s.port {
		times, occupied, tick = max(times, s.there[p], s.back[p]), max(occupied, s.takes[p]), max(tick, s.tickAtEnd(int32(p)))
	}
	return times*tick + occupied + tick
}

// isEndless reports whether channels to hosts never wait for credits, because their buffers hold all flits of a round trip.
func (s *state) isEndless() bool {
	if s.hostsKeep {
		return false
	}
	for p := range s.port {
		if s.port[p].eject && s.o.Timing != Paper && Clock(s.buffer[p]) < s.back[p] {
			return false
		}
	}
	return true
}

// onTick returns the first multiple of k that is not before t.
func onTick(t, k Clock) Clock { return (t + k - 1) / k * k }

// arrivesAt returns the clock in which a flit that departs now through port p arrives.
func (s *state) arrivesAt(p int32) Clock {
	if s.headTick == nil {
		return s.now + s.there[p]
	}
	return onTick(s.now+s.there[p], s.headTick[p])
}

// freeAt returns the clock in which the switch or host at the start of the channel of port p knows that a slot at its end is
// free. The flit in the slot departs now. extra is 0, or the clocks beyond the first one for which the flit departs.
func (s *state) freeAt(p int32, extra Clock) Clock {
	if s.tailTick == nil {
		return s.now + s.back[p] + extra
	}
	return onTick(s.now+s.back[p]+extra, s.tailTick[p])
}

// departing returns the clocks beyond the first one for which a flit departs through output port o.
func (s *state) departing(o int32) Clock {
	if !s.slow {
		return 0
	}
	return max(0, s.takes[o]-s.tickAtStart(o))
}

// rests reports whether the switch that VC v enters does not work in this clock.
func (s *state) rests(v int32) bool { return s.headTick != nil && s.now%s.headTick[s.vc[v].in] != 0 }
