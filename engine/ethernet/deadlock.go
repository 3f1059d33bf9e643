package ethernet

import (
	"github.com/turnproof/turnproof/model"
)

// This file describes a freeze for a reader.

// report describes the set x, which is not empty and satisfies (1) and (2) of frozen.go.
func (s *Sim) report(x *subset) *Deadlock {
	d := &Deadlock{Found: s.now}
	oldest := make([]int32, len(s.account)) // by account: the oldest frame that waits for x
	for i := range oldest {
		oldest[i] = none
	}
	for _, i := range x.list {
		s.waitingFor(i, func(k int32, from *place) {
			if o := &oldest[from.account]; *o == none || s.frame[k].id < s.frame[*o].id {
				*o = k
			}
		})
	}
	index := make([]int, len(s.account)) // by account: index into Blocked
	for k, i := range x.list {
		index[i] = k
		b := s.blocked(x, i, oldest[i])
		d.Blocked = append(d.Blocked, b)
		d.Frames, d.Bytes = d.Frames+b.Frames, d.Bytes+b.Bytes
		d.Since = max(d.Since, s.account[i].since)
	}
	next := make([]int, len(x.list))
	for k, i := range x.list {
		next[k] = index[s.place[s.frame[oldest[i]].at].account]
	}
	d.Cycle = cycleFrom(next)
	return d
}

func (s *Sim) blocked(x *subset, i, k int32) Blocked {
	f := &s.frame[k]
	in, out := &s.place[f.at-1], &s.place[f.at]
	return Blocked{
		Buffer: s.buffer(in), Frames: int(x.frames[i]), Bytes: int(x.frames[i]) * s.z.stored,
		Frame: f.id, Flow: int(f.flow), Source: s.flows[f.flow].Source, Dest: s.flows[f.flow].Dest,
		Class: model.Class(in.class), WaitsFor: s.buffer(out),
	}
}

// buffer names the account at the end of p.
func (s *Sim) buffer(p *place) Buffer {
	if s.o.Control == Pause {
		return Buffer{model.ChannelID(p.channel), -1}
	}
	return Buffer{model.ChannelID(p.channel), int(p.vc) % s.net.VCs()}
}

// cycleFrom follows next from 0 and returns the cycle that it reaches.
func cycleFrom(next []int) (cycle []int) {
	place := make([]int, len(next)) // index in the walk plus 1
	var walk []int
	for i := 0; ; i = next[i] {
		if place[i] > 0 {
			return walk[place[i]-1:]
		}
		walk = append(walk, i)
		place[i] = len(walk)
	}
}
