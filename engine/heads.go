package engine

// This file follows a head from its arrival at the front of a VC to its first request for an
// output VC.

// route computes the output VCs of the heads that arrived in this clock or became front in the
// clock before.
func (s *Sim) route() {
	if len(s.headsNext) > 0 {
		s.heads, s.headsNext = append(s.heads, s.headsNext...), s.headsNext[:0]
	}
	if len(s.heads) == 0 {
		return
	}
	if s.detours != nil {
		s.choosePaths()
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
		if s.journeys != nil {
			s.journeys.routed(s, x.id)
		}
		if s.head(v, x, s.routes.of(s, v, p.dest, p.class)) {
			*at = append(*at, v)
		}
	}
	s.heads = s.heads[:0]
}

// beginAsking lists the heads that request an output VC from this clock on.
func (s *Sim) beginAsking() {
	asks := &s.asks[s.now&s.near]
	if s.messages != nil {
		*asks = s.messages.admitted(s, *asks)
	}
	for _, v := range *asks {
		s.await(v)
	}
	*asks = (*asks)[:0]
}

// head stores the output VCs that the head of v may request. It returns false if there are none.
func (s *Sim) head(v int32, x *vc, answer int32) bool {
	set := &s.routes.only[answer]
	if s.commits != nil {
		if one, is := s.chosen(s.routes, answer, v, &s.packet[x.id]); is {
			set = &one
		}
	}
	switch sets := s.routes.sets[answer]; {
	case s.detours != nil && len(sets) > 0:
		one := s.onPath(v, &s.packet[x.id])
		set = &one
	case set.mask != 0:
	case len(sets) == 0:
		x.state = dropping
		s.drop(v, x)
		return false
	case s.o.Select == SelectDrawn:
		set = s.drawnSet(answer, v)
	default:
		x.answer, x.mask = -1-answer, s.routes.wide[answer]
		return true
	}
	x.answer, x.port, x.mask, x.class = 0, s.outs[s.port[x.in].outBase+int32(set.port)], set.mask, set.class
	if s.byRouter() {
		x.mask <<= set.port * int16(s.vcs)
	}
	return true
}

// drawnSet returns one of the sets of an answer for the head of v, each with the same probability or in proportion to the
// weights of its hops.
func (s *Sim) drawnSet(answer, v int32) *hopSet {
	sets, x := s.routes.sets[answer], Draw(s.o.Seed, uint64(v), uint64(s.now))
	if s.routes.weighs == nil {
		return &sets[x%uint64(len(sets))]
	}
	i, k := 0, s.routes.draw(answer, 0, x)
	for base := s.port[s.vc[v].in].outBase; k >= s.options(base, sets[i]); i++ {
		k -= s.options(base, sets[i])
	}
	return &sets[i]
}

// drop discards the flits of a packet without output VCs as they arrive. The buffer stays usable.
func (s *Sim) drop(v int32, x *vc) {
	back := &s.credits[s.freeAt(x.in, 0)&s.near]
	for ; x.have > 0 && x.left > 0; x.have, x.left = x.have-1, x.left-1 {
		if s.part == nil || !s.part.sendCredit(s, v, x) {
			*back = append(*back, v)
		}
		s.flitsOut++
		s.lastMove = s.now
	}
	if s.control != nil {
		s.control.gone(s, v, x)
	}
	if x.left > 0 {
		return
	}
	p := s.front(v)
	if s.rings != nil {
		s.rings.leave(v, -1)
	}
	if s.journeys != nil {
		s.journeys.end(s, p, true)
	}
	if s.messages != nil {
		s.messages.lost(s, p)
	}
	s.dropped++
	s.inNetwork--
	s.pop(v, x)
	s.free = append(s.free, p)
}
