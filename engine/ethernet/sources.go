package ethernet

// This file makes hosts send datagrams at a constant rate without end-to-end control, as Iperf
// does with UDP.
//
// If the NIC's queue is full, the application blocks. It adds its next frame when there is room
// (first come, first served among the flows of a host), and counts the next interval from then on.
// So a host loses nothing, and does not make up for delayed frames.

// begin schedules the first frame of flow i.
func (s *Sim) begin(i int32) {
	at := s.flows[i].Start
	if s.o.Jitter > 0 {
		at += Time(s.random.Float64() * s.source[i].interval)
	}
	s.calendar.addUneven(created, at, i)
}

// due handles the time at which flow i has its next frame ready.
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

// put creates a frame of flow i in the NIC's queue, which has room.
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

// admit unblocks the application that has waited longest for the NIC of channel c.
func (s *Sim) admit(c *channel) {
	if i := c.blocked; i != none {
		c.blocked = s.source[i].next
		s.put(i)
	}
}

// drop discards frame k and counts the loss.
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

// release makes the record of frame k available.
func (s *Sim) release(k int32) {
	s.frame[k].next, s.unused = s.unused, k
	s.frame[k].at = none
}
