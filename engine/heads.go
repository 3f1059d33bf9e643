package engine

// This file follows a head from its arrival at the front of a VC to its first request for an
// output VC.

// route computes the output VCs of the heads that arrived in this clock or became front in the
// clock before.
func (s *kernel) route() {
	if len(s.headsNext) > 0 {
		s.heads, s.headsNext = append(s.heads, s.headsNext...), s.headsNext[:0]
	}
	if len(s.heads) == 0 {
		return
	}
	for _, p := range s.preparers {
		p.prepare(s)
	}
	at := &s.asks[(s.now+s.delay.ask)&s.near]
	for _, v := range s.heads {
		if s.headTick != nil {
			tick := s.headTick[s.vc[v].in]
			at = &s.asks[(onTick(s.now, tick)+s.delay.ask*tick)&s.near]
		}
		x := &s.vc[v]
		p := &s.packet[x.id]
		x.left, x.fresh, x.state = int16(p.flits), true, waiting
		for _, o := range s.observers {
			o.routed(s, x.id)
		}
		if s.head(v, x, s.routes.of(&s.state, v, p.dest, p.class)) {
			*at = append(*at, v)
		}
	}
	s.heads = s.heads[:0]
}

// beginAsking lists the heads that request an output VC from this clock on.
func (s *kernel) beginAsking() {
	asks := &s.asks[s.now&s.near]
	if s.endpoints != nil {
		*asks = s.endpoints.admit(s, *asks)
	}
	for _, v := range *asks {
		s.await(v)
	}
	*asks = (*asks)[:0]
}

// head stores the output VCs that the head of v may request. It returns false if there are none.
func (s *kernel) head(v int32, x *vc, answer int32) bool {
	set := s.routes.only[answer]
	if set.mask == 0 && len(s.routes.sets[answer]) == 0 {
		if s.keeper != nil {
			x.answer, x.mask = 0, 0 // it waits for no VC
			return false
		}
		x.state = dropping
		s.drop(v, x)
		return false
	}
	for _, n := range s.narrowers {
		if one, is := n.narrow(s, v, answer); is {
			set = one
			break
		}
	}
	if set.mask == 0 {
		x.answer, x.mask = -1-answer, s.routes.wide[answer]
		return true
	}
	x.answer, x.port, x.mask, x.class = 0, s.outs[s.port[x.in].outBase+int32(set.port)], set.mask, set.class
	if s.byPlace {
		x.mask <<= set.port * int16(s.vcs)
	}
	return true
}

// drop discards the flits of a packet without output VCs as they arrive. The buffer stays usable.
func (s *kernel) drop(v int32, x *vc) {
	back := &s.credits[s.freeAt(x.in, 0)&s.near]
	for ; x.have > 0 && x.left > 0; x.have, x.left = x.have-1, x.left-1 {
		if s.elsewhere == nil || !s.elsewhere(v, x) {
			*back = append(*back, v)
		}
		s.flitsOut++
		s.lastMove = s.now
	}
	for _, d := range s.droppers {
		d.drop(s, v, x)
	}
	if x.left > 0 {
		return
	}
	p := s.front(v)
	s.dropped++
	s.inNetwork--
	s.pop(v, x)
	s.free = append(s.free, p)
}
