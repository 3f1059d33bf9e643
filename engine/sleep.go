package engine

// A head that finds no free VC sleeps: until a VC of its port is free, or, if it waits for several
// ports, until a VC of any port of its switch is free.

// sleep removes head v, which may use several ports, from the list until a VC of its switch
// becomes free.
func (s *kernel) sleep(v int32) {
	at := &s.asleep[s.port[s.vc[v].in].outBase]
	s.sleepNext[v], *at = *at, v
	s.sleepers++
}

// wake restores the heads that wait for a VC of port p.
func (s *kernel) wake(p *port) {
	for v := p.asleep; v >= 0; v = s.sleepNext[v] {
		s.await(v)
	}
	p.asleep = -1
	if s.sleepers == 0 || p.of == 0 {
		return
	}
	for v := s.asleep[p.fromBase]; v >= 0; v = s.sleepNext[v] {
		s.await(v)
		s.sleepers--
	}
	s.asleep[p.fromBase] = -1
}

// await adds head v to the heads that wait for an output VC.
func (s *kernel) await(v int32) {
	s.wait = append(s.wait, v)
	s.count(v, 1)
}

// count adds k to the number of waiting heads of each port that head v may request.
func (s *kernel) count(v int32, k int16) {
	x := &s.vc[v]
	if x.answer == 0 {
		s.port[x.port].waiting += k
		return
	}
	base := s.port[x.in].outBase
	for _, set := range s.routes.sets[-1-x.answer] {
		if !set.again {
			s.port[s.outs[base+int32(set.port)]].waiting += k
		}
	}
}

// credited wakes the VC or host that waits for a free slot of w.
func (s *kernel) credited(w int32, x *vc) {
	if u := x.owner; u >= 0 {
		if y := &s.vc[u]; y.state == active && y.have > 0 && x.credits > 0 {
			s.setReady(y)
		}
		return
	}
	p := &s.port[x.in]
	s.wake(p)
	if h := s.hostOf[x.in]; h >= 0 && !p.eject {
		if y := &s.hosts[h]; y.vc == w || y.vc < 0 && y.has && !y.timed || s.endpoints != nil {
			s.list(h)
		}
	}
}

// wakeReleased frees the output VCs whose packets have left.
func (s *kernel) wakeReleased() {
	for _, w := range s.released {
		x := &s.vc[w]
		p := &s.port[x.in]
		x.owner = -1
		p.free |= 1 << (w - x.in*int32(s.vcs))
		s.wake(p)
	}
	s.released = s.released[:0]
}
