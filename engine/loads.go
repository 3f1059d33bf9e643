package engine

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file counts the flits that traverse each channel and each turn. A packet is counted when
// its tail leaves. Reading a count adds the flits that have left of packets whose tail has not.

type loads struct {
	channel []int64 // by output port
	turn    []int64 // by input port and number of the output port
	wide    int
}

func newLoads(s *kernel) (mechanism, error) {
	if !s.o.Loads {
		return nil, nil
	}
	l := &loads{channel: make([]int64, len(s.port))}
	for i := range s.port {
		l.wide = max(l.wide, int(s.port[i].ports))
	}
	l.turn = make([]int64, len(s.port)*l.wide)
	return l, nil
}

// tail implements tailer.
func (l *loads) tail(s *kernel, _ int32, x *vc) {
	flits := s.packet[x.id].flits
	l.channel[x.port] += int64(flits)
	l.turn[int(x.in)*l.wide+int(s.port[x.port].index)] += int64(flits)
}

func (l *loads) clone() mechanism {
	return &loads{channel: slices.Clone(l.channel), turn: slices.Clone(l.turn), wide: l.wide}
}

// ChannelFlits returns the number of flits that have entered channel c. It returns 0 without
// Options.Loads, and for channels from hosts. Cost: O(VCs of the channel).
func (s *Sim) ChannelFlits(c model.ChannelID) int64 {
	l := find[*loads](&s.hooks)
	if l == nil {
		return 0
	}
	return l.channel[s.portOf[c]] + s.partly(c, model.NoChannel)
}

// partly returns the number of flits on output channel out of packets whose tail has not left. If
// in is not NoChannel, it counts only packets that came through channel in.
func (s *Sim) partly(out, in model.ChannelID) (flits int64) {
	for i := range s.vcs {
		v := s.vc[s.ofModel(s.net.VC(out, i))].owner
		if v < 0 || in != model.NoChannel && s.vc[v].in != s.portOf[in] {
			continue
		}
		if x := &s.vc[v]; x.state == active {
			flits += int64(s.packet[x.id].flits) - int64(x.left)
		}
	}
	return flits
}

// TurnFlits returns the number of flits that have taken the turn from channel in to channel out.
func (s *Sim) TurnFlits(in, out model.ChannelID) int64 {
	l := find[*loads](&s.hooks)
	if l == nil {
		return 0
	}
	return l.turn[int(s.portOf[in])*l.wide+int(s.port[s.portOf[out]].index)] + s.partly(out, in)
}

// Occupied returns the number of flits in the buffer of VC v.
func (s *Sim) Occupied(v model.VCID) int { return int(s.vc[s.ofModel(v)].have) }
