package ethernet

import (
	"fmt"
	"math/bits"
)

// This file checks invariants of a run between two events. It recounts everything from the start.

// Check returns the inconsistencies: created frames that are not delivered, lost, queued, in
// transit or within a switch; accounts that differ from the sum of their frames, or overflow; an
// XOFF or XON that the thresholds and the last PAUSE do not explain; a sender that ignores a PAUSE
// in effect; a channel that is idle although it could send; a NIC whose queue has room while an
// application waits. It has no side effects. Cost: O(channels × priorities + frames + flows).
func (s *Sim) Check() (errs []error) {
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("ethernet: %d ps: "+format, append([]any{s.now}, args...)...))
	}
	t := s.recount(bad)
	if all := t.frames; all != s.count.created-s.count.delivered-s.count.lost {
		bad("%d frames are somewhere; %d were created, %d delivered, %d lost", all, s.count.created, s.count.delivered, s.count.lost)
	}
	used := int64(len(s.frame))
	for k := s.unused; k != none; k = s.frame[k].next {
		used--
	}
	if used != t.frames {
		bad("%d records of frames in use, %d frames", used, t.frames)
	}
	for v := range s.queue {
		if t.length[v] != s.queue[v].length {
			bad("VC %d: %d frames queued, counted as %d", v, t.length[v], s.queue[v].length)
		}
	}
	for i := range s.account {
		switch a := &s.account[i]; {
		case a.frames != t.account[i]:
			bad("account %d: %d frames, counted as %d", i, t.account[i], a.frames)
		case a.frames > max(s.z.buffer, s.z.hosts):
			bad("account %d: %d frames, room for %d", i, a.frames, max(s.z.buffer, s.z.hosts))
		case a.lifts != t.lifts[i]:
			bad("account %d: %d PAUSEs to lift the stop under way, counted as %d", i, t.lifts[i], a.lifts)
		}
	}
	for c := range s.channel {
		s.checkChannel(int32(c), t, bad)
	}
	s.checkFlows(bad)
	return errs
}

// tally is the result of recount.
type tally struct {
	frames         int64
	length         []int32 // by VC
	account, lifts []int32 // by account
	told           []int32 // by channel: the last PAUSE about it in transit, or none
	frameEvents    []int32 // by channel: events that end its sending; +1<<16 for a PAUSE
}

func (s *Sim) recount(bad func(string, ...any)) *tally {
	t := &tally{
		length: make([]int32, len(s.queue)), account: make([]int32, len(s.account)), lifts: make([]int32, len(s.account)),
		told: make([]int32, len(s.channel)), frameEvents: make([]int32, len(s.channel)),
	}
	for c := range t.told {
		t.told[c] = none
	}
	for v := range s.queue {
		for k := s.queue[v].first; k != none; k = s.frame[k].next {
			t.waits(s, k)
			if int(s.place[s.frame[k].at].vc) != v {
				bad("frame %d is queued for VC %d, its path has VC %d", s.frame[k].id, v, s.place[s.frame[k].at].vc)
			}
		}
	}
	for c := range s.channel {
		if k := s.channel[c].sending; k >= 0 {
			t.waits(s, k)
			if p := &s.place[s.frame[k].at]; p.first {
				t.length[p.vc]-- // a NIC's queue counts waiting frames only
			}
		}
	}
	s.recountEvents(t)
	return t
}

// waits counts frame k, which is in a queue or being sent.
func (t *tally) waits(s *Sim, k int32) {
	t.frames++
	at := s.frame[k].at
	t.length[s.place[at].vc]++
	if !s.place[at].first {
		t.account[s.place[at-1].account]++
	}
}

// recountEvents counts the frames and PAUSEs on cables and within switches.
func (s *Sim) recountEvents(t *tally) {
	each := func(kind int, visit func(e *event)) {
		for i := range s.calendar.lane[kind].many {
			visit(s.calendar.lane[kind].at(i))
		}
	}
	for _, e := range s.calendar.heap {
		if e.arg == frameSent {
			t.frameEvents[e.which]++
		}
	}
	each(controlSent, func(e *event) { t.frameEvents[e.which] += 1 << 16 })
	each(received, func(*event) { t.frames++ })
	each(queued, func(e *event) {
		t.frames++
		t.account[s.place[s.frame[e.which].at].account]++
	})
	each(pauseArrived, func(e *event) {
		t.told[e.which] = e.arg
		base := int(e.which) * len(s.accountsOf(e.which))
		for i := range s.accountsOf(e.which) {
			if e.arg>>i&1 == 0 {
				t.lifts[base+i]++
			}
		}
	})
}

// checkChannel compares both ends of channel which.
func (s *Sim) checkChannel(which int32, t *tally, bad func(string, ...any)) {
	c := &s.channel[which]
	reverse := &s.channel[c.reverse]
	ends := map[bool]int32{true: 1}[c.sending >= 0] + map[bool]int32{true: 1 << 16}[c.sending == underPause]
	if t.frameEvents[which] != ends {
		bad("channel %d sends %d, its ends are %#x", which, c.sending, t.frameEvents[which])
	}
	for i, a := range s.accountsOf(which) {
		over := c.over>>i&1 == 1
		if over && a.frames <= s.z.xon || !over && a.frames > s.z.xoff {
			bad("channel %d, account %d: %d frames, wishes XOFF: %v", which, i, a.frames, over)
		}
	}
	if c.over != c.told && reverse.sending == none {
		bad("channel %d: XOFF due for %#x, sent for %#x, and the reverse channel is idle", which, c.over, c.told)
	}
	if last := t.told[which]; last == none && c.stopped != c.told || last != none && uint8(last) != c.told {
		bad("channel %d: sent %#x, in transit %d, stopped %#x", which, c.told, last, c.stopped)
	}
	may, v := uint8(0), s.net.VCs()
	for i := range v {
		if s.queue[int(which)*v+i].first != none {
			may |= 1 << i
		}
	}
	if may != c.waiting {
		bad("channel %d: priorities %#x have frames, counted as %#x", which, may, c.waiting)
	}
	if s.o.Control == Pause && c.stopped != 0 {
		may = 0
	}
	if c.sending == none && may&^c.stopped != 0 {
		bad("channel %d idles with %d priorities that could send", which, bits.OnesCount8(may&^c.stopped))
	}
}

// checkFlows checks that each flow has a next frame scheduled or waits for its NIC.
func (s *Sim) checkFlows(bad func(string, ...any)) {
	known := make([]int, len(s.flows))
	for _, e := range s.calendar.heap {
		if e.arg == created {
			known[e.which]++
		}
	}
	for c := range s.channel {
		for i := s.channel[c].blocked; i != none; i = s.source[i].next {
			known[i]++
			if p := &s.place[s.source[i].start]; int(p.channel) != c || s.queue[p.vc].length < s.z.nic {
				bad("flow %d waits for channel %d, whose NIC has %d frames", i, c, s.queue[p.vc].length)
			}
		}
	}
	for i, k := range known {
		if k != 1 {
			bad("flow %d has %d next frames", i, k)
		}
	}
}
