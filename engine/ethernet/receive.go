package ethernet

// This file is the receiving end of a channel: a switch's memory, or a host.

// accountsOf returns the accounts at the end of channel which, by bit.
func (s *Sim) accountsOf(which int32) []account {
	if s.o.Control == Pause {
		return s.account[which : which+1]
	}
	v := int32(s.net.VCs())
	return s.account[which*v : which*v+v]
}

// received handles the arrival of the last bit of frame k at the end of its channel.
func (s *Sim) received(k int32) {
	f := &s.frame[k]
	p := &s.place[f.at]
	if p.last {
		s.deliver(k)
		return
	}
	a := &s.account[p.account]
	if a.frames >= s.room(p) {
		s.drop(k)
		return
	}
	a.frames++
	s.calendar.add(queued, s.now+s.o.Latency, k, 0)
	if c := &s.channel[p.channel]; a.frames > s.z.xoff && c.over&p.bit == 0 {
		c.over |= p.bit
		s.kick(c.reverse)
	}
}

// forward queues frame k, which has passed the switch, for its next channel.
func (s *Sim) forward(k int32) {
	f := &s.frame[k]
	in := &s.place[f.at]
	f.at++
	if p := &s.place[f.at]; s.queue[p.vc].length >= s.z.tail || s.isStorm(p) {
		s.count.stormed += int64(boolInt(s.isStorm(p)))
		s.drop(k)
		s.leave(in)
		return
	}
	s.append(k)
}

// room returns the number of frames that fit at the end of p.
func (s *Sim) room(p *place) int32 {
	if p.first {
		return s.z.hosts
	}
	return s.z.buffer
}

// leave removes a frame from the account at the end of p.
func (s *Sim) leave(p *place) {
	a, c := &s.account[p.account], &s.channel[p.channel]
	a.frames--
	if a.frames <= s.z.xon && c.over&p.bit != 0 {
		c.over &^= p.bit
		s.kick(c.reverse)
	}
}

// deliver handles the arrival of frame k at its host.
func (s *Sim) deliver(k int32) {
	f := &s.frame[k]
	s.count.delivered++
	if s.measuring() {
		s.count.goodFrames[f.flow]++
	}
	if f.measured {
		s.count.flow[f.flow].Delivered++
	}
	s.release(k)
}
