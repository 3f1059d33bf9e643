package packets

import (
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file counts flits by switch, channel and turn. A packet is counted when it departs. A
// reader subtracts the flits that have not left yet.

// sent returns the number of flits that have left of the packet on channel y.
func (s *Sim) sent(y *port) int32 {
	return int32(min((s.now-1-y.since)/s.linkClocks+1, engine.Clock(y.flits)))
}

// FlitHops returns the sum over all flits of the switches that they have traversed. Cost:
// O(channels).
func (s *Sim) FlitHops() int64 {
	hops := s.hops
	for c := range s.port {
		if y := &s.port[c]; y.holder != none {
			hops -= int64(y.flits - s.sent(y))
		}
	}
	return hops
}

type loads struct {
	channel []int64 // by output port
	first   []int32 // by input port: index into turn
	turn    []int64 // by input port and place of the output port
}

func newLoads(s *Sim) *loads {
	l := &loads{channel: make([]int64, len(s.port)), first: make([]int32, len(s.port))}
	turns := int32(0)
	for v := range s.port {
		l.first[v] = turns
		turns += s.port[v].ports
	}
	l.turn = make([]int64, turns)
	return l
}

// count adds the packet that has passed from buffer v to channel c.
func (l *loads) count(v, c int32, y *port) {
	l.channel[c] += int64(y.flits)
	l.turn[l.first[v]+y.place] += int64(y.flits)
}

// passed returns the number of flits that have left of the packet on channel y.
func (s *Sim) passed(y *port) int64 {
	if y.holder == none {
		return 0
	}
	return int64(s.sent(y))
}

// ChannelFlits returns, by model.ChannelID, the number of flits that have entered each channel; 0
// for channels from hosts. Without Options.Loads it returns nil.
func (s *Sim) ChannelFlits() []int64 {
	if s.loads == nil {
		return nil
	}
	list := make([]int64, s.net.NumChannels())
	for c := range s.port {
		y := &s.port[c]
		list[s.net.Reverse(model.ChannelID(y.id))] = s.loads.channel[c] + s.passed(y)
	}
	return list
}

// TurnFlits returns the number of flits that have taken the turn from channel in to channel out,
// which leaves the switch that in enters. Without Options.Loads it returns 0.
func (s *Sim) TurnFlits(in, out model.ChannelID) int64 {
	if s.loads == nil {
		return 0
	}
	v, y := s.bufferOf(in), &s.port[s.portOf[out]]
	flits := s.loads.turn[s.loads.first[v]+y.place]
	if y.holder == v {
		flits += s.passed(y)
	}
	return flits
}

// bufferOf returns the port by which channel c enters its switch.
func (s *Sim) bufferOf(c model.ChannelID) int32 { return s.portOf[s.net.Reverse(c)] }
