package ethernet

import "math/bits"

// This file is the sending end of a channel: a switch's output port or a NIC.
//
// An idle channel sends first a PAUSE, if the receiver of its reverse has a new message. Then it
// sends a frame of the next priority, round robin, that has one and is not stopped. A frame is
// never interrupted, and PAUSE does not stop PAUSE. Invariant: a channel that has something to
// send is sending.

// append adds frame k to the queue of its place.
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

// kick makes channel which begin to send, if it is idle and can send.
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
		q.length-- // a NIC's queue counts waiting frames only
		s.admit(c)
	}
}

// tell sends a PAUSE on channel which with the message of its sender, the receiver of r.
func (s *Sim) tell(which int32, c, r *channel) {
	c.sending = underPause
	s.markLifts(c.reverse, r.over, 1)
	r.told = r.over
	s.calendar.add(controlSent, s.now+s.z.control, which, 0)
	s.calendar.add(pauseArrived, s.now+s.z.control+s.o.Propagation+s.o.Reaction, c.reverse, int32(r.over))
}

// markLifts counts the PAUSEs in transit about channel which that lift a stop.
func (s *Sim) markLifts(which int32, mask uint8, by int32) {
	a := s.accountsOf(which)
	for i := range a {
		if mask>>i&1 == 0 {
			a[i].lifts += by
		}
	}
}

// frameSent handles the end of a frame on channel which.
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

// controlSent handles the end of a PAUSE on channel which.
func (s *Sim) controlSent(which int32) {
	s.channel[which].sending = none
	if s.measuring() {
		s.count.channel[which].controls++
	}
	s.kick(which)
}

// obey applies a PAUSE at the sender of channel which.
func (s *Sim) obey(which int32, mask uint8) {
	c := &s.channel[which]
	s.markLifts(which, mask, -1)
	for change := c.stopped ^ mask; change != 0; change &= change - 1 {
		i := bits.TrailingZeros8(change)
		s.clockStop(&s.accountsOf(which)[i], mask>>i&1 == 1)
		s.watch(which, i, mask>>i&1 == 1)
	}
	if mask&^c.stopped != 0 && s.scanAt == never && s.deadlock == nil && s.maySuspect {
		s.scanAt = s.now + s.o.ScanEvery
	}
	c.stopped = mask
	s.kick(which)
}
