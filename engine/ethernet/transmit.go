package ethernet

import "math/bits"

// This file is the sender's end of a channel: a switch's output port or a NIC.
//
// An idle channel sends, in this order, a PAUSE if the receiver of its reverse wishes
// otherwise than it last said; a frame of the next priority that has one and is not
// stopped, in turns. A frame under way is never broken off, and PAUSE is not itself
// stopped by PAUSE.
// Invariant: a channel that has something to send is sending.

// append puts frame k at the end of the queue of the place where it is.
func (s *Sim) append(k int32) {
	p := &s.place[s.frame[k].at]
	q, c := &s.queue[p.vc], &s.channel[p.channel]
	s.frame[k].next = none
	if q.first == none {
		q.first = k
		c.waiting |= 1 << (int(p.vc) % s.net.VCs())
	} else {
		s.frame[q.last].next = k
	}
	q.last = k
	q.length++
	s.kick(p.channel)
}

// kick lets channel which begin to send, if it is idle and there is something.
func (s *Sim) kick(which int32) {
	c := &s.channel[which]
	if c.sending != none {
		return
	}
	if r := &s.channel[c.reverse]; r.over != r.told {
		s.tell(which, c, r)
		return
	}
	may := c.waiting &^ c.stopped
	if s.o.Control == Pause && c.stopped != 0 {
		may = 0
	}
	if may == 0 {
		return
	}
	if later := may &^ (2<<c.turn - 1); later != 0 {
		may = later
	}
	c.turn = uint8(bits.TrailingZeros8(may))
	q := &s.queue[int(which)*s.net.VCs()+int(c.turn)]
	k := q.first
	if q.first = s.frame[k].next; q.first == none {
		c.waiting &^= 1 << c.turn
	}
	c.sending = k
	s.calendar.addUneven(frameSent, s.now+c.frame, which)
	if s.place[s.frame[k].at].first {
		q.length-- // a NIC's queue is of frames that wait
		s.admit(c)
	}
}

// tell sends on channel which what its sender, the receiver of r, wishes.
func (s *Sim) tell(which int32, c, r *channel) {
	c.sending = underPause
	s.markLifts(c.reverse, r.over, 1)
	r.told = r.over
	s.calendar.add(controlSent, s.now+s.z.control, which, 0)
	s.calendar.add(toldOff, s.now+s.z.control+s.o.Propagation+s.o.Reaction, c.reverse, int32(r.over))
}

// markLifts counts the PAUSEs about channel which on their way that lift a stop.
func (s *Sim) markLifts(which int32, mask uint8, by int32) {
	a := s.accountsOf(which)
	for i := range a {
		if mask>>i&1 == 0 {
			a[i].lifts += by
		}
	}
}

// frameSent is when the last bit of a frame has left by channel which.
func (s *Sim) frameSent(which int32) {
	c := &s.channel[which]
	k := c.sending
	c.sending = none
	if s.measuring() {
		s.count.channel[which].frames++
	}
	s.calendar.add(received, s.now+s.o.Propagation, k, 0)
	if at := s.frame[k].at; !s.place[at].first {
		s.queue[s.place[at].vc].length--
		s.leave(&s.place[at-1])
	}
	s.kick(which)
}

// controlSent is when the last bit of a PAUSE has left by channel which.
func (s *Sim) controlSent(which int32) {
	s.channel[which].sending = none
	if s.measuring() {
		s.count.channel[which].controls++
	}
	s.kick(which)
}

// obey is when the sender of channel which begins to do as it was told.
func (s *Sim) obey(which int32, mask uint8) {
	c := &s.channel[which]
	s.markLifts(which, mask, -1)
	for change := c.stopped ^ mask; change != 0; change &= change - 1 {
		i := bits.TrailingZeros8(change)
		s.clockStop(&s.accountsOf(which)[i], mask>>i&1 == 1)
	}
	if mask&^c.stopped != 0 && s.scanAt == never && s.deadlock == nil && s.maySuspect {
		s.scanAt = s.now + s.o.ScanEvery
	}
	c.stopped = mask
	s.kick(which)
}
