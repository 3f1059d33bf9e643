package ethernet

// This file is what hosts send: datagrams at a constant rate, without any control
// from end to end, as Iperf does with UDP.
//
// Where the NIC's queue is full, the application blocks: it has its next frame in hand,
// puts it there as soon as there is room (first come, first served among the flows of a
// host) and counts the next interval from then on. So nothing is lost in a host, and
// what was not sent in time is not caught up.

// begin enters the first frame of flow i.
func (s *Sim) begin(i int32) {
	at := s.flows[i].Start
	if s.o.Jitter > 0 {
		at += Time(s.random.Float64() * s.source[i].interval)
	}
	s.calendar.addUneven(created, at, i)
}

// due is when flow i has its next frame in hand.
func (s *Sim) due(i int32) {
	p := &s.place[s.source[i].start]
	if s.queue[p.vc].length < s.z.nic {
		s.put(i)
		return
	}
	c := &s.channel[p.channel]
	s.source[i].next = none
	if c.blocked == none {
		c.blocked = i
	} else {
		s.source[c.waiters].next = i
	}
	c.waiters = i
}

// put creates a frame of flow i in the NIC's queue, where there is room for it.
func (s *Sim) put(i int32) {
	k := s.unused
	if k == none {
		k = int32(len(s.frame))
		s.frame = append(s.frame, frame{})
	} else {
		s.unused = s.frame[k].next
	}
	x := &s.source[i]
	s.frame[k] = frame{id: s.count.created, next: none, flow: i, at: x.start, measured: s.measuring()}
	s.count.created++
	if s.measuring() {
		s.count.flow[i].Sent++
	}
	gap := x.interval
	if s.o.Jitter > 0 {
		gap *= 1 + s.o.Jitter*(2*s.random.Float64()-1)
	}
	s.calendar.addUneven(created, s.now+Time(gap), i)
	s.append(k)
}

// admit lets the application that has waited longest for the NIC of channel c go on.
func (s *Sim) admit(c *channel) {
	if i := c.blocked; i != none {
		c.blocked = s.source[i].next
		s.put(i)
	}
}

// drop gives frame k up.
func (s *Sim) drop(k int32) {
	f := &s.frame[k]
	if s.measuring() {
		s.count.channel[s.place[f.at].channel].drops++
	}
	if f.measured {
		s.count.flow[f.flow].Lost++
	}
	s.count.lost++
	s.release(k)
}

// release makes the record of frame k free for another one.
func (s *Sim) release(k int32) {
	s.frame[k].next, s.unused = s.unused, k
	s.frame[k].at = none
}
