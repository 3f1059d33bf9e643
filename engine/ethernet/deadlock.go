package ethernet

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file describes a freeze for a reader.

// Buffer names an account: the frames that came by Channel in Priority. With Pause, Priority is
// -1: all priorities.
type Buffer struct {
	Channel  model.ChannelID
	Priority int
}

// Blocked is a frozen account. Frame is the first that came of the frames waiting in it. WaitsFor
// is the frozen account that must shrink before Frame moves.
type Blocked struct {
	Buffer
	Frames, Bytes int // of this account, waiting for frozen accounts; more than XON
	Frame         int64
	Flow          int
	Source        model.HostID
	Dest          model.DestID
	Class         model.Class // class of Frame at that time
	WaitsFor      Buffer
}

// Deadlock is a set of accounts that are frozen for ever.
type Deadlock struct {
	Found         Time      // time of the search that found it
	Since         Time      // time from which all its senders were stopped
	Blocked       []Blocked // all frozen accounts, by channel and priority
	Cycle         []int     // indices into Blocked: each account waits for the next, the last for the first
	Frames, Bytes int       // waiting frames and bytes of all its accounts
}

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

// Text returns the cycle in words, one line for each account:
//
//	channel 0 (0 > 1): 40 frames stuck; host 5 > host 2 waits for channel 2 (1 > 3)
func (d *Deadlock) Text(n *model.Network) string {
	var b strings.Builder
	for _, i := range d.Cycle {
		x := &d.Blocked[i]
		fmt.Fprintf(&b, "%s: %d frames stuck; %s > destination %d waits for %s\n",
			x.Buffer.text(n), x.Frames, n.HostLabel(x.Source), x.Dest, x.WaitsFor.text(n))
	}
	return b.String()
}

func (b Buffer) text(n *model.Network) string {
	var from string
	if h := n.HostOf(b.Channel); h != model.NoHost {
		from = n.HostLabel(h)
	} else {
		from = n.SwitchName(n.Tail(b.Channel))
	}
	at := fmt.Sprintf("channel %d (%s > %s)", b.Channel, from, n.SwitchName(n.Head(b.Channel)))
	if b.Priority >= 0 && n.VCs() > 1 {
		at += fmt.Sprintf(" priority %d", b.Priority)
	}
	return at
}
