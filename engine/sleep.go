package engine

// A head that finds no free VC sleeps: until a VC of its port is free, or, if it waits for several
// ports, until a VC of any port of its switch is free.

// sleep removes head v, which may use several ports, from the list until a VC of its switch
// becomes free.
func (s *Sim) sleep(v int32) {
	at := &s.asleep[s.port[s.vc[v].in].outBase]
	s.sleepNext[v], *at = *at, v
	s.sleepers++
}

// wake restores the heads that wait for a VC of port p.
func (s *Sim) wake(p *port) {
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

// wakeReleased frees the output VCs whose packets have left.
func (s *Sim) wakeReleased() {
	for _, w := range s.released {
		x := &s.vc[w]
		p := &s.port[x.in]
		x.owner = -1
		p.free |= 1 << (w - x.in*int32(s.vcs))
		s.wake(p)
	}
	s.released = s.released[:0]
}
